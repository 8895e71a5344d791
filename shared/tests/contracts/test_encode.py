"""The fast encoding of a model says what the model itself says."""

import json
from datetime import UTC, datetime

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from interpose.contracts.ask import Context
from interpose.contracts.call import Answer, AnswerError, HookReport
from interpose.contracts.model import encode, encode_fields
from interpose.contracts.run import Run
from interpose.contracts.words import Decision, Effect, Phase, VerdictKind

texts = st.text(st.characters(codec="utf-8"), max_size=8)
values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False, allow_infinity=False) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=10,
)
objects = st.dictionaries(texts, values, max_size=3)
contexts = st.builds(Context, user=st.none() | texts, session=st.none() | texts, tenant=texts, claimed=objects)
runs = st.builds(Run, tool=texts, action=st.none() | texts, parameters=objects, call_id=texts, context=contexts)


@given(runs)
def test_an_order_is_encoded_as_its_model_says(run: Run) -> None:
    """Field by field and byte by byte, nested models included."""
    assert orjson.dumps(run.model_dump(mode="json")) == encode(run)


@given(st.datetimes(timezones=st.just(UTC)))
def test_a_time_is_written_as_models_write_it(at: datetime) -> None:
    """With a Z, and with microseconds where there are some."""
    written = json.loads(encode_fields({"at": at}))["at"]

    assert at == datetime.fromisoformat(written)
    assert written.endswith("Z")


def test_what_is_no_json_is_refused() -> None:
    """Nothing is guessed about objects that are no models."""
    with pytest.raises(TypeError, match="not JSON serializable"):
        encode_fields({"set": {1}})


@given(objects, st.none() | values, st.booleans())
def test_an_answer_says_on_the_wire_what_its_model_says(parameters: dict, response: object, is_there: bool) -> None:
    """Also where parts are absent."""
    answer = Answer(
        call_id="c",
        trace_id=None,
        revision=1,
        decision=Decision.DELIVER,
        ran=True,
        errors=[AnswerError(path="$", message="m")],
        parameters=parameters,
        hooks=[HookReport(name="h", phase=Phase.AFTER, verdict=VerdictKind.ALLOW, effect=Effect.PASSED, ms=1.5)],
        **({"response": response} if is_there else {}),
    )

    assert orjson.loads(orjson.dumps(answer.to_wire())) == orjson.loads(answer.to_bytes())
