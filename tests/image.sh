#!/usr/bin/env bash
# The last stage of the Dockerfile without an engine: the program and its libraries in an otherwise empty root,
# as user 65532. No shell, no /tmp, no /proc, no /etc/passwd, no certificates, no time zones.
#
#   bash tests/image.sh BINARY      root needed
set -euo pipefail
binary=$(readlink -f "${1:?usage: tests/image.sh BINARY}")
repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
[ "$(id -u)" = 0 ] || { echo 'tests/image.sh: not root, skipped'; exit 0; }
chroot=$(command -v chroot)
image=$(mktemp -d)
server=''
cleanup() {
  if [ -n "$server" ]; then kill "$server" 2>/dev/null || true; fi
  wait
  rm -rf "$image"
}
trap cleanup EXIT
fail() { echo "tests/image.sh: $*" >&2; cat "$image/log" >&2 2>/dev/null || true; exit 1; }
ldd "$binary" | grep -o '/[^ ]*' | while read -r library; do install -D "$library" "$image$library"; done
install -m 0755 "$binary" "$image/respiro"
install -d -m 0700 -o 65532 -g 65532 "$image/data"
chmod 0755 "$image"
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
# What the Dockerfile says, read from it: they cannot part.
settings=$(grep -o 'RESPIRO_[A-Z_]*=[^ \\]*' "$repository/Dockerfile" | sed "s/:8080$/:$port/")
mapfile -t health < <(sed -n 's/^HEALTHCHECK.*CMD //p' "$repository/Dockerfile" | tr -d '[]"' | tr ',' '\n' | sed 's/^ *//')
mapfile -t entry < <(sed -n 's/^ENTRYPOINT //p' "$repository/Dockerfile" | tr -d '[]"' | tr ',' '\n' | sed 's/^ *//')
[ "${#health[@]}" -gt 1 ] && [ "${#entry[@]}" -gt 0 ] || fail 'no health check or entry point in the Dockerfile'
# shellcheck disable=SC2086
inside() { env -i $settings "$chroot" --userspec=65532:65532 "$image" "$@"; }
if inside "${health[@]}" >/dev/null 2>&1; then fail 'healthy before it was started'; fi
# Without the function's own process in between: the signal must reach the program.
# shellcheck disable=SC2086
env -i $settings "$chroot" --userspec=65532:65532 "$image" "${entry[@]}" --demo 2>"$image/log" &
server=$!
for _ in $(seq 1 600); do
  if inside "${health[@]}" >/dev/null 2>&1; then break; fi
  kill -0 "$server" 2>/dev/null || { fail 'it ended'; }
  sleep 0.2
done
inside "${health[@]}" >/dev/null || { fail 'the health check of the Dockerfile fails'; }
curl -sS -o "$image/page" "http://127.0.0.1:$port/eventi"
grep -q 'id="page-data"' "$image/page" || fail 'no page'
event=$(curl -sS "http://127.0.0.1:$port/api/events" | grep -o '"id":"[a-z0-9]*' | cut -d '"' -f 4 | sed -n 1p)
curl -sS -o "$image/page" "http://127.0.0.1:$port/evento/$event"
grep -q 'startDate":"[0-9-]*T[0-9:]*+0[12]:00' "$image/page" || fail 'no Italian time without zone files'
inside /respiro process-picture <"$repository/src/importers/demo/pictures/event-1.jpg" | cat >"$image/page" || fail 'no picture was made'
[ "$(stat -c %s "$image/page")" -gt 10000 ] || fail 'the picture is empty'
inside /respiro backup /data/copy.redb >/dev/null || fail 'no backup'
inside /respiro check /data/copy.redb >/dev/null || fail 'the backup is not good'
kill -TERM "$server"
wait "$server" || fail "it ended with $? after SIGTERM"
server=''
left=$(find "$image" -newer "$image/respiro" -type f ! -path "$image/data/*" ! -path "$image/log" ! -path "$image/page" ! -name '*.so*')
[ -z "$left" ] || fail "it wrote outside of /data: $left"
echo "tests/image.sh: all well; the program needs $(ldd "$binary" | grep -c '/') libraries and nothing else"
