# The same image as `npm run image` makes without Docker: the files are laid by the same script, and a test compares the lines
# below with what that writes. `--build-arg VARIANT=slim` leaves the embedded PostgreSQL out.
# By its digest, which is that of every platform. A new one comes with a pull request, as the actions do.
FROM node:24.21.0-bookworm@sha256:64af3819f9275802414d7cdc38c27e9d82bd564dec4d4da87d008255d36c63b4 AS build
ARG VARIANT=full
WORKDIR /src
COPY . .
RUN npm ci --omit=dev && npm run build && node scripts/image.ts --"$VARIANT" --directory /image
# Belongs to another user than the rest.
RUN mkdir /state && mv /image/data /image/tmp /state/

FROM scratch
COPY --from=build /image/ /
COPY --from=build --chown=65532:65532 /state/ /
USER 65532:65532
ENV PATH=/usr/local/bin:/usr/bin:/bin \
  NODE_ENV=production \
  SIGNALBOX_HOST=0.0.0.0 \
  SIGNALBOX_DATA_DIR=/data \
  SIGNALBOX_METRICS_PORT=4402
WORKDIR /data
VOLUME /data
EXPOSE 4400 4401 4402
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --start-interval=1s --retries=3 \
  CMD ["/usr/local/bin/node", "-e", "fetch('http://127.0.0.1:' + (process.env.SIGNALBOX_METRICS_PORT || 4402) + '/readyz').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["/usr/local/bin/node", "/app/packages/server/dist/main.js"]
CMD ["start"]
