# One file for every image: interpose/<service> for each folder of services/, and interpose/cli for the operator.
#
#   docker build --build-arg SERVICE=validator -t interpose/validator .
#   docker build --build-arg SERVICE=cli -t interpose/cli .
#
# Third-party wheels are installed by the hashes of requirements.lock. Everything is built once for all images, which
# share all layers but the last: what that service adds to the library.
# The result runs as a user without rights, with the signals of a plain process and no shell between.
# Nothing here asks for BuildKit or for a frontend of its own, so that an engine without a registry can build it.
# Where that is so, deploy/build-stand-ins.sh makes the two bases first.
ARG BUILDER=python:3.11-bookworm
ARG PYTHON=python:3.11-slim-bookworm

FROM ${BUILDER} AS library
ENV UV_LINK_MODE=copy UV_COMPILE_BYTECODE=1 UV_PYTHON_DOWNLOADS=never PIP_DISABLE_PIP_VERSION_CHECK=1
WORKDIR /build
COPY tools.lock requirements.lock ./
RUN ["python", "-m", "venv", "/tools"]
RUN ["/tools/bin/python", "-m", "pip", "install", "--no-cache-dir", "--require-hashes", "--requirement", "tools.lock"]
COPY deploy/install.py deploy/
COPY shared shared
RUN ["/tools/bin/python", "deploy/install.py", "library"]

# Everything that all images have in common, so that they share these layers.
FROM ${PYTHON} AS runtime
COPY --from=library /app /app
# A volume that is mounted here for the first time belongs to our user, as this folder does.
COPY --from=library --chown=10001:10001 /state /var/lib/interpose
ENV PATH=/app/bin:/usr/local/bin:/usr/bin:/bin HOME=/var/lib/interpose USER=interpose \
    PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 INTERPOSE_READY_SOCKET=/dev/shm/interpose.ready
WORKDIR /var/lib/interpose
USER 10001:10001
STOPSIGNAL SIGTERM
# A gateway is asked over HTTP, a worker at its socket; each asks the broker before it says yes.
HEALTHCHECK --interval=10s --timeout=10s --start-period=60s --retries=3 \
    CMD ["/app/bin/python", "-m", "interpose.bus.readiness"]
ENTRYPOINT ["/app/bin/serve"]

FROM library AS services
COPY services services
RUN ["/tools/bin/python", "deploy/install.py", "services"]

FROM runtime
ARG SERVICE
COPY --from=services /additions/${SERVICE} /
