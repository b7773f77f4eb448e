#!/usr/bin/env bash
# Asks every address of docs/openapi.json questions that fit and questions that do not, by schemathesis: none may be
# answered with a 5xx, by an undocumented status or media type, or without a session where one is needed.
#
#   bash tests/schemathesis.sh BINARY [SECONDS]      90 seconds if not said
#
# schemathesis is taken from PATH or, once, from PyPI into target/.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
binary=$(realpath "$1")
seconds=${2:-90}
tool=$(command -v schemathesis || true)
if [[ -z $tool ]]; then
  tool=$PWD/target/schemathesis/bin/schemathesis
  if [[ ! -x $tool ]]; then
    if ! { python3 -m venv target/schemathesis && target/schemathesis/bin/pip install -q 'schemathesis>=4,<5'; }; then
      echo 'tests/schemathesis.sh: NOT RUN: schemathesis is neither installed nor to be had from PyPI'
      exit 0
    fi
  fi
fi

folder=$(mktemp -d)
server=
finish() {
  if [[ -n $server ]]; then
    kill "$server" 2>/dev/null || true
    # It writes until it has ended.
    wait "$server" || true
  fi
  rm -rf "$folder"
}
trap finish EXIT
RESPIRO_ADMIN_EMAIL=anna@example.com RESPIRO_ADMIN_PASSWORD='respiro profondo' \
  "$binary" --data "$folder/x.redb" --listen 127.0.0.1:0 --log-format json 2>"$folder/log" &
server=$!
port=
for _ in $(seq 300); do
  port=$(sed -n 's/.*"address":"127\.0\.0\.1:\([0-9]*\)".*/\1/p' "$folder/log" | head -n 1)
  [[ -n $port ]] && break
  sleep 0.1
done
[[ -n $port ]] || { cat "$folder/log" >&2; exit 1; }
url=http://127.0.0.1:$port
curl -sf -o "$folder/signed-in" -c "$folder/cookies" -H 'content-type: application/json' \
  -d '{"email":"anna@example.com","password":"respiro profondo"}' "$url/api/auth/login"
cookie=$(awk '/respiro-session/ { print $6 "=" $7 }' "$folder/cookies")

# Left out: what would end the session under which the rest is asked, or replace the data.
timeout $((seconds * 3 + 120)) "$tool" run docs/openapi.json --url "$url" -H "Cookie: $cookie" \
  --checks not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance \
  --exclude-path /api/auth/logout --exclude-path /api/auth/password --exclude-path-regex '^/api/admin/restore' \
  --exclude-path /api/admin/sessions --phases examples,coverage,fuzzing --max-examples 40 --max-time "$seconds" \
  --request-timeout 30 --no-color --seed 1 --warnings off || { tail -n 40 "$folder/log" >&2; exit 1; }
kill -0 "$server" || { echo 'tests/schemathesis.sh: the server ended' >&2; exit 1; }
if grep -q '"level":"ERROR"' "$folder/log"; then
  grep '"level":"ERROR"' "$folder/log" | head -n 5 >&2
  exit 1
fi
curl -sf "$url/healthz" >"$folder/health"
echo 'tests/schemathesis.sh: no address failed'
