# The tags name exact versions, but a tag can be moved. `make image-digests` pins the content too, for compose.yaml; for
# this file alone, --build-arg PYTHON_IMAGE=python:3.13.15-slim-bookworm@sha256:... does (docs/operations.md, "Docker").
ARG NODE_IMAGE=node:22.23.3-bookworm-slim
ARG PYTHON_IMAGE=python:3.13.15-slim-bookworm

FROM ${NODE_IMAGE} AS client
WORKDIR /client
COPY web-client/package.json web-client/package-lock.json web-client/.npmrc ./
RUN npm ci --omit=dev --no-audit --no-fund

FROM ${PYTHON_IMAGE} AS compiled
# hadolint ignore=DL3008  # the compiler does not get into the final image, and Debian keeps no old versions to pin
RUN apt-get update \
    && apt-get install -y --no-install-recommends gcc libc6-dev \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY requirements-compile.txt pyproject.toml ./
RUN pip install --no-cache-dir --require-hashes -r requirements-compile.txt
COPY games games
COPY protocol protocol
COPY server server
COPY bots bots
COPY tools tools
RUN python -m tools.compile \
    && PYTHONSAFEPATH=1 PYTHONPATH=build/compiled python -c "import server.requests.connection as c; assert c.__file__.endswith('.so')"

FROM ${PYTHON_IMAGE}
# The font of the words on preview cards.
# hadolint ignore=DL3008  # Debian keeps no old versions to pin
RUN apt-get update \
    && apt-get install -y --no-install-recommends fonts-dejavu-core \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY requirements.txt ./
RUN pip install --no-cache-dir --require-hashes -r requirements.txt
COPY pyproject.toml README.md ./
COPY --from=compiled /app/build/compiled/*.so ./
COPY --from=compiled /app/build/compiled/games games
COPY --from=compiled /app/build/compiled/protocol protocol
COPY --from=compiled /app/build/compiled/server server
COPY --from=compiled /app/build/compiled/bots bots
COPY docs docs
COPY web-client web-client
COPY --from=client /client/node_modules web-client/node_modules
RUN pip install --no-cache-dir --no-deps --no-build-isolation -e . \
    && python -m compileall -q /app \
    && useradd --create-home --uid 1000 cheeseboard \
    && mkdir -m 700 /data && chown cheeseboard /data
USER 1000
ENV HOST=0.0.0.0 PORT=8000 DATA=/data PYTHONPATH=/app PYTHONDONTWRITEBYTECODE=1
EXPOSE 8000
VOLUME /data
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
    CMD ["python", "-c", "import os, urllib.request as r; r.urlopen('http://127.0.0.1:' + os.environ['PORT'] + '/healthz', timeout=2)"]
CMD ["cheeseboard", "run"]
