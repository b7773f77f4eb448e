#!/usr/bin/env bash
# The building stage of the Dockerfile without an engine: its own RUN lines in a Debian made by debootstrap, with
# this machine's Rust and Node.js where the images have theirs, and the npm that comes with Node.js 20.
#
#   bash tests/image-build.sh     root and debootstrap needed; ten minutes, 4 GB
set -euo pipefail
repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
[ "$(id -u)" = 0 ] || { echo 'tests/image-build.sh: not root, skipped'; exit 0; }
command -v debootstrap >/dev/null || { echo 'tests/image-build.sh: debootstrap is missing, skipped'; exit 0; }
work=$(mktemp -d)
system=$work/system
rust=$(rustc --print sysroot)
cleanup() {
  for place in "$system/usr/local/rust" "$system/proc" "$system/dev"; do umount "$place" 2>/dev/null || true; done
  # A folder of this machine still mounted there would be emptied.
  if grep -q "$system" /proc/mounts; then return; fi
  rm -rf "$work"
}
trap cleanup EXIT
fail() { echo "tests/image-build.sh: $*" >&2; exit 1; }
debootstrap --variant=minbase --include=gcc,g++,libc6-dev,make,ca-certificates bookworm "$system" \
  http://deb.debian.org/debian >"$work/out" || fail 'no system was made'
mount -t proc proc "$system/proc"
mount --bind /dev "$system/dev"
mkdir -p "$system/usr/local/rust" "$system/usr/local/lib/node_modules" "$system/source"
mount --bind -o ro "$rust" "$system/usr/local/rust"
cp "$(readlink -f "$(command -v node)")" "$system/usr/local/bin/node"
(cd "$work" && npm pack --silent npm@10.8.2 >/dev/null && tar -xzf npm-10.8.2.tgz)
mv "$work/package" "$system/usr/local/lib/node_modules/npm"
cp /etc/resolv.conf /etc/hosts "$system/etc/"
# Whoever this machine trusts: its network may end TLS.
authorities=/etc/ssl/certs/ca-certificates.crt
cp "$authorities" "$system$authorities"

# COPY . . with .dockerignore: what is committed, without what it names.
git -C "$repository" archive HEAD | tar -x -C "$system/source"
while read -r name; do rm -rf "${system:?}/source/$name"; done <"$repository/.dockerignore"
steps=$(sed -n '/^FROM rust/,/^FROM gcr/p' "$repository/Dockerfile" | sed -n '/^RUN /,/[^\\]$/p' | sed 's/^RUN //')
[ "$(grep -c 'cargo build' <<<"$steps")" = 1 ] || fail 'no build in the Dockerfile'
inside() {
  chroot "$system" /usr/bin/env -i PATH=/usr/local/rust/bin:/usr/local/bin:/usr/bin:/bin HOME=/root \
    CARGO_HOME=/usr/local/cargo SSL_CERT_FILE="$authorities" NODE_EXTRA_CA_CERTS="$authorities" "$@"
}
inside sh -euc "cd /source
$steps"
[ "$(stat -c '%U %u %a' "$system/image/data")" = 'UNKNOWN 65532 700' ] || fail 'the data folder is not the user of the image'
inside /image/respiro --version
cp "$system/image/respiro" "$work/respiro"
bash "$repository/tests/image.sh" "$work/respiro"
echo 'tests/image-build.sh: all well'
