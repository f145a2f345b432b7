# syntax=docker/dockerfile:1
FROM node:22-bookworm-slim AS client
WORKDIR /client
COPY web-client/package.json web-client/package-lock.json web-client/.npmrc ./
RUN npm ci --omit=dev --no-audit --no-fund

FROM python:3.13-slim-bookworm AS compiled
RUN apt-get update && apt-get install -y --no-install-recommends gcc libc6-dev && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY requirements-dev.txt pyproject.toml ./
RUN pip install --no-cache-dir --require-hashes -r requirements-dev.txt
COPY games games
COPY protocol protocol
COPY server server
RUN python -m server.compiled \
    && PYTHONSAFEPATH=1 PYTHONPATH=build/compiled python -c "import server.connection as c; assert c.__file__.endswith('.so')"

FROM python:3.13-slim-bookworm
WORKDIR /app
COPY requirements.txt ./
RUN pip install --no-cache-dir --require-hashes -r requirements.txt
COPY pyproject.toml README.md ./
COPY --from=compiled /app/build/compiled/*.so ./
COPY --from=compiled /app/build/compiled/games games
COPY --from=compiled /app/build/compiled/protocol protocol
COPY --from=compiled /app/build/compiled/server server
COPY bots bots
COPY docs docs
COPY web-client web-client
COPY --from=client /client/node_modules web-client/node_modules
RUN pip install --no-cache-dir --no-deps --no-build-isolation -e . \
    && useradd --create-home --uid 1000 cheeseboard \
    && mkdir /data && chown cheeseboard /data
USER cheeseboard
ENV HOST=0.0.0.0 PORT=8000 DATA=/data PYTHONPATH=/app
EXPOSE 8000
VOLUME /data
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/healthz', timeout=2)"]
CMD ["cheeseboard", "run"]
