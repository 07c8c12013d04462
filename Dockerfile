# docker build -t havln .
# docker run --rm -v "$PWD:/workspace:ro" havln havln-validate /workspace/submission.zip
FROM debian:bookworm AS build
WORKDIR /src
COPY . .
RUN bash -c 'source scripts/dependencies.sh && havln_install dpkg-dev file'
RUN cmake -S . -B /build -G Ninja -DCMAKE_BUILD_TYPE=Release -DHAVLN_BUILD_TESTS=OFF
RUN cmake --build /build
RUN cd /build && cpack -G DEB

FROM debian:bookworm-slim
COPY --from=build /build/packages/havln_*.deb /tmp/
RUN apt-get update -qq \
    && apt-get install -y -qq --no-install-recommends /tmp/havln_*.deb \
    && rm -rf /tmp/havln_*.deb /var/lib/apt/lists/* /var/cache/apt/* \
    && useradd --uid 1000 --create-home havln
USER havln
WORKDIR /workspace
CMD ["havln-validate", "--help"]
