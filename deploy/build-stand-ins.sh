#!/bin/sh
# Makes the base images that the Dockerfile and compose.yaml name, where no image registry can be reached:
# an image that is there or can be pulled is left alone, any other is built under the same tag.
#
#   Python   Debian's own packages, unpacked and never configured (apt-get and dpkg-deb, no root needed)
#   builder  the same, and every wheel of the lock that an image needs: RUN then needs no network
#   NATS     the static nats-server of its wheel, as the library's own environment has it (make setup)
#
# What was downloaded stays in dist/stand-ins. Stand-ins carry the label interpose.stand-in and are built again
# each time, because the lock may have changed. PULL_S bounds each attempt to pull (seconds; 0 = never try).
set -eu
cd "$(dirname "$0")/.."
KEPT=dist/stand-ins
PYTHON=$(sed -n 's/^ARG PYTHON=//p' Dockerfile)
BUILDER=$(sed -n 's/^ARG BUILDER=//p' Dockerfile)
NATS=$(sed -n 's/^ *image: \${NATS_IMAGE:-\(.*\)}$/\1/p' compose.yaml)

# Whether the real image is here, or came.
is_real() {
    if docker image inspect "$1" >/dev/null 2>&1; then
        test -z "$(docker image inspect --format '{{index .Config.Labels "interpose.stand-in"}}' "$1")"
    else
        test "${PULL_S:-20}" -gt 0 && timeout "${PULL_S:-20}" docker pull --quiet "$1" >/dev/null 2>&1
    fi
}

# build TAG FOLDER: the folder is the context, and its Dockerfile comes on standard input.
build() {
    cat >"$2/Dockerfile"
    docker build --quiet --label interpose.stand-in=true --tag "$1" "$2" >/dev/null
    echo "built a stand-in for $1"
}

# Every package of Python and of a shell for scripts, with all they depend on, as if nothing were installed.
debian() {
    test "$KEPT/python/root.tar" -nt deploy/build-stand-ins.sh && return
    apt="$PWD/$KEPT/apt"
    root="$PWD/$KEPT/root"
    rm -rf "$apt/archives" "$root"
    mkdir -p "$apt/lists/partial" "$apt/archives/partial" "$KEPT/python"
    : >"$apt/status"
    set -- -qq -o "Dir::State::status=$apt/status" -o "Dir::State::lists=$apt/lists" -o "Dir::Cache=$apt" \
        -o "Dir::Cache::archives=$apt/archives" -o Debug::NoLocking=1 -o APT::Sandbox::User=
    apt-get "$@" update
    apt-get "$@" --yes --no-install-recommends --download-only install \
        python3 python3-venv libstdc++6 dash coreutils sed grep ca-certificates
    mkdir -p "$root/usr/local/bin" "$root/etc/ssl/certs" "$root/tmp"
    for merged in bin sbin lib lib64; do mkdir -p "$root/usr/$merged" && ln -s "usr/$merged" "$root/$merged"; done
    for package in "$apt"/archives/*.deb; do
        dpkg-deb --fsys-tarfile "$package" | tar -x --keep-directory-symlink --no-same-owner -C "$root"
    done
    minor=$(.tools/bin/python -c 'import sys; print(f"python3.{sys.version_info.minor}")')
    if ! test -x "$root/usr/bin/$minor"; then
        echo "the wheels are for the $minor of make setup, and this machine's packages bring another Python" >&2
        exit 1
    fi
    for name in python python3; do ln -s ../../bin/python3 "$root/usr/local/bin/$name"; done
    cat "$root"/usr/share/ca-certificates/mozilla/*.crt >"$root/etc/ssl/certs/ca-certificates.crt"
    echo 'root:x:0:0:root:/:/bin/sh' >"$root/etc/passwd"
    echo 'root:x:0:' >"$root/etc/group"
    chmod 1777 "$root/tmp"
    rm -rf "$root/usr/share/doc" "$root/usr/share/man" "$root/usr/share/locale" "$root/usr/share/info"
    tar -C "$root" --owner=0 --group=0 --numeric-owner -cf "$KEPT/python/root.tar.part" .
    mv "$KEPT/python/root.tar.part" "$KEPT/python/root.tar"
    rm -rf "$root"
}

# The third-party wheels that our images install, what builds ours, and what builds those that come as source.
wheels() {
    mkdir -p "$KEPT/builder/wheels"
    set -- shared/pyproject.toml services/*/pyproject.toml
    { sed -n 's/^requires = \["\(.*\)"\]$/\1/p' shared/pyproject.toml && echo setuptools; } |
        .tools/bin/uv pip compile --quiet --universal --python-version 3.11 --no-header --no-annotate --generate-hashes \
            --constraints requirements.lock $(sed -n 's/^name = "\(interpose.*\)"$/--no-emit-package \1/p' "$@") \
            "$@" - >"$KEPT/wheels.txt"
    .tools/bin/python -m pip --disable-pip-version-check download --quiet --require-hashes \
        --dest "$KEPT/builder/wheels" --requirement "$KEPT/wheels.txt" --requirement tools.lock
}

if ! is_real "$PYTHON" || ! is_real "$BUILDER"; then
    debian
    build "$PYTHON" "$KEPT/python" <<'END'
FROM scratch
ADD root.tar /
ENV PATH=/usr/local/bin:/usr/bin:/bin
CMD ["python3"]
END
    wheels
    build "$BUILDER" "$KEPT/builder" <<END
FROM $PYTHON
COPY wheels /wheels
ENV PIP_NO_INDEX=1 PIP_FIND_LINKS=/wheels UV_NO_INDEX=1 UV_FIND_LINKS=/wheels UV_OFFLINE=1
END
fi
if ! is_real "$NATS"; then
    mkdir -p "$KEPT/nats"
    cp .venv/bin/nats-server "$KEPT/nats/nats-server"
    build "$NATS" "$KEPT/nats" <<'END'
FROM scratch
COPY nats-server /nats-server
ENTRYPOINT ["/nats-server"]
END
fi
