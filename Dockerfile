# The final image holds the program and the C library: no shell, no package manager, no root.
#
#   docker build -t respiro .
#   docker run -p 8080:8080 -v respiro-data:/data respiro

FROM node:20-bookworm-slim AS node

FROM rust:1.95-bookworm AS build
COPY --from=node /usr/local/bin/node /usr/local/bin/node
COPY --from=node /usr/local/lib/node_modules /usr/local/lib/node_modules
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm \
    && ln -s ../lib/node_modules/npm/bin/npx-cli.js /usr/local/bin/npx
WORKDIR /source
COPY . .
RUN cargo build --profile dist --locked \
    && install -D -m 0755 target/dist/respiro /image/respiro \
    && install -d -m 0700 -o 65532 -g 65532 /image/data

# The C library and nothing else: names are resolved by it, which a static program cannot do.
FROM gcr.io/distroless/cc-debian12:nonroot
COPY --from=build /image/respiro /respiro
COPY --from=build --chown=65532:65532 /image/data /data
USER 65532:65532
ENV RESPIRO_DATA=/data/respiro.redb \
    RESPIRO_LISTEN=[::]:8080 \
    RESPIRO_LOG_FORMAT=json \
    MALLOC_ARENA_MAX=1 \
    MALLOC_MMAP_THRESHOLD_=131072 \
    MALLOC_TRIM_THRESHOLD_=131072
VOLUME /data
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s CMD ["/respiro", "healthcheck"]
ENTRYPOINT ["/respiro"]
