FROM python:3.11-slim AS builder
WORKDIR /roft
RUN apt-get update -qq && apt-get install -y -qq --no-install-recommends make
COPY . .
RUN make install

FROM python:3.11-slim
RUN useradd --system --home-dir /roft roft
WORKDIR /roft
COPY --from=builder /roft /roft
RUN mkdir -p var && chown roft var
USER roft
ENV PATH=/roft/.venv/bin:$PATH PYTHONUNBUFFERED=1
EXPOSE 8000
HEALTHCHECK CMD ["python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:8000/healthz', timeout=3)"]
CMD ["roft", "serve", "--host", "0.0.0.0"]
