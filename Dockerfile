# Not run here yet: written from the commands that the tests run, and unproven as a container until somebody has built it.
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY . .
RUN npm ci && npm run build
# Once more with what the service runs on alone, without the frameworks of the examples.
RUN npm ci --omit=dev -w @signalbox/server

FROM node:24-bookworm-slim
ENV NODE_ENV=production SIGNALBOX_HOST=0.0.0.0 SIGNALBOX_DATA_DIR=/data
WORKDIR /app
COPY --from=build --chown=root:root /app/package.json ./
COPY --from=build --chown=root:root /app/node_modules node_modules
COPY --from=build --chown=root:root /app/packages/contract packages/contract
COPY --from=build --chown=root:root /app/packages/server packages/server
RUN mkdir -p /data && chown node:node /data && chmod 0700 /data
USER node
VOLUME /data
EXPOSE 4400 4401
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD node -e "fetch('http://127.0.0.1:4400/readyz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"
CMD ["node", "packages/server/dist/main.js", "start"]
