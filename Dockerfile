# Builds the image with all tools, and then keeps only what the program needs at runtime, on an empty base
# (docs/adr/0096-image.md). The server runs on the Node that package.json names (docs/adr/0118-node-is-a-dependency.md); the base
# image's Node only starts npm. For a reproducible image, pin the base image by its digest: --build-arg
# NODE=node:24-trixie-slim@sha256:...
ARG NODE=node:24-trixie-slim
FROM ${NODE} AS build
RUN apt-get update \
  && apt-get install -y --no-install-recommends binutils busybox-static ca-certificates libatomic1 \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY clients/sdk/package.json clients/sdk/
COPY clients/cli/package.json clients/cli/
COPY clients/cli/bin clients/cli/bin
COPY clients/dashboard/package.json clients/dashboard/
# No package needs its install script, because the compiled parts are included in the packages.
RUN npm ci --ignore-scripts
COPY . .
RUN npm run build
# The time of all files, in seconds since 1970, so that the same sources produce the same files.
ARG SOURCE_DATE_EPOCH=1767225600
RUN docker/collect.sh /image "$SOURCE_DATE_EPOCH"

FROM scratch
COPY --from=build /image /
# /data belongs to the user that runs the program, and so does a new volume mounted there.
RUN ["/bin/busybox", "install", "-d", "-o", "10001", "-g", "10001", "-m", "700", "/data"]
ENV PATH=/usr/local/bin:/usr/bin:/bin NODE_ENV=production MAILKEEL_DATA_DIR=/data
# The command line keeps its profiles there, because the root file system is read-only, and people's keys do not belong in the
# data volume.
ENV XDG_CONFIG_HOME=/tmp
# Few malloc arenas and a small young generation: half the memory for some percent of CPU, as in `npm start`.
ENV MALLOC_ARENA_MAX=2
# Ports that any user may open, the same in every container runtime; publish them as 25, 587, 465, 80 and 53.
ENV MAILKEEL_INBOUND_PORT=2525 MAILKEEL_RELAY_PORT=2587 MAILKEEL_RELAY_TLS_PORT=2465 MAILKEEL_ACME_PORT=8880 MAILKEEL_DNS_PORT=2053
WORKDIR /app
USER 10001:10001
VOLUME /data
EXPOSE 8080 8443 2525 2587 2465 8880 2053/udp 2053/tcp
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=5s --start-period=30s CMD ["/app/docker/healthcheck.sh"]
CMD ["node", "--max-semi-space-size=8", "--heap-growing-percent=100", "dist/main.js"]
