# The image: build with all tools, then only what runs. Node's LTS line of today (docs/adr/0001-node-floor.md).
FROM node:26-trixie AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY clients/sdk/package.json clients/sdk/
COPY clients/cli/package.json clients/cli/
COPY clients/cli/bin clients/cli/bin
COPY clients/dashboard/package.json clients/dashboard/
RUN npm ci
COPY esbuild.config.js tsconfig.json ./
COPY clients clients
COPY src src
# What is left of the workspaces in node_modules are links to folders that the image does not have.
RUN npm run build && npm prune --omit=dev && rm -rf node_modules/@posthorn node_modules/.bin/posthorn

FROM node:26-trixie-slim
# Few malloc arenas and a small young generation: half the memory for some percent of CPU, as in `npm start`.
ENV NODE_ENV=production POSTHORN_DATA_DIR=/data MALLOC_ARENA_MAX=2
# Ports that any user may take, the same in every container runtime; publish them as 25, 587, 465, 80 and 53.
ENV POSTHORN_INBOUND_PORT=2525 POSTHORN_RELAY_PORT=2587 POSTHORN_RELAY_TLS_PORT=2465 POSTHORN_ACME_PORT=8880 POSTHORN_DNS_PORT=2053
# Node 26 is linked against libatomic, which not every slim image has.
RUN apt-get update \
  && apt-get install -y --no-install-recommends libatomic1 \
  && rm -rf /var/lib/apt/lists/*
# /data belongs to the user that runs the program, so that a new volume mounted there does too.
RUN groupadd --gid 10001 posthorn \
  && useradd --uid 10001 --gid posthorn --no-create-home --home-dir /app --shell /usr/sbin/nologin posthorn \
  && install -d -o posthorn -g posthorn -m 700 /data \
  && ln -s /app/clients/cli/bin/posthorn.js /usr/local/bin/posthorn
WORKDIR /app
COPY package.json LICENSE CHANGELOG.md ./
COPY config config
COPY docs/*.md docs/
COPY docs/site docs/site
COPY docker/healthcheck.mjs docker/
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
# One `posthorn` for all: it hands the commands of the server to dist/admin.
COPY --from=build /app/clients/cli/package.json clients/cli/
COPY --from=build /app/clients/cli/bin clients/cli/bin
COPY --from=build /app/clients/cli/dist clients/cli/dist
COPY --from=build /app/clients/dashboard/dist clients/dashboard/dist
USER 10001:10001
VOLUME /data
EXPOSE 8080 8443 2525 2587 2465 8880 2053/udp 2053/tcp
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=5s --start-period=30s CMD ["node", "docker/healthcheck.mjs"]
CMD ["node", "--max-semi-space-size=8", "--heap-growing-percent=100", "dist/main.js"]
