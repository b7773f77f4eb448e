#!/usr/bin/env bash
# install.sh against a system that is only a folder: fake systemctl and journalctl, the real binary.
#
#   bash tests/install.sh BINARY
set -euo pipefail
binary=$(readlink -f "${1:?usage: tests/install.sh BINARY}")
repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
work=$(mktemp -d)
root=$work/root
cleanup() {
  if [ -e "$work/pid" ]; then kill "$(cat "$work/pid")" 2>/dev/null || true; fi
  rm -rf "$work"
}
trap cleanup EXIT
fail() { echo "tests/install.sh: $*" >&2; cat "$work/log" >&2 2>/dev/null || true; exit 1; }

mkdir -p "$work/bin" "$root/var/lib/respiro"
cat >"$work/bin/systemctl" <<'FAKE'
#!/usr/bin/env bash
# Starts and stops the program as the unit would.
set -u
stop() {
  [ -e "$WORK/pid" ] || return 0
  kill "$(cat "$WORK/pid")" 2>/dev/null
  while kill -0 "$(cat "$WORK/pid")" 2>/dev/null; do sleep 0.05; done
  rm -f "$WORK/pid"
}
case $1 in
  --version) echo "systemd ${SYSTEMD:-252} (252.1)" ;;
  restart | start)
    stop
    [ -z "${IDLE:-}" ] || exit 0
    set -a; . "$ROOT/etc/respiro/respiro.env"; set +a
    RESPIRO_DATA=$ROOT$RESPIRO_DATA RESPIRO_BACKUP_DIR=$ROOT$RESPIRO_BACKUP_DIR RESPIRO_LISTEN=127.0.0.1:0 \
      "$ROOT/usr/local/bin/respiro" serve >>"$WORK/log" 2>&1 &
    echo $! >"$WORK/pid" ;;
  stop | disable) stop ;;
esac
FAKE
printf '#!/bin/sh\ncat "%s/log"\n' "$work" >"$work/bin/journalctl"
chmod +x "$work/bin/"*
export PATH="$work/bin:$PATH" WORK=$work ROOT=$root
install() { sh "$repository/install.sh" --root "$root" --settle-seconds 20 "$@"; }
data=$root/var/lib/respiro/respiro.redb
respiro() { "$root/usr/local/bin/respiro" --data "$data" "$@"; }

out=$(install --binary "$binary" --listen 127.0.0.1:8080 --public-url https://example.org)
grep -q 'https://example.org/admin#setup=' <<<"$out" || fail "no set-up link: $out"
unit=$root/etc/systemd/system/respiro.service
exposure() { systemd-analyze security --offline=true --no-pager "$unit" 2>/dev/null | sed -n 's/.*Overall exposure level[^:]*: \([0-9.]*\).*/\1/p'; }
behind_proxy=$(exposure)

install --binary "$binary" >/dev/null || fail 'the second run failed'
grep -q 'RESPIRO_PUBLIC_URL=https://example.org' "$root/etc/respiro/respiro.env" || fail 'settings were lost'
echo 'corretto cavallo batteria' | respiro admin add me@example.org >/dev/null

# Older copies than the newest three go, other files of the folder stay.
state=$root/var/lib/respiro
for day in 01 02 03 04; do echo old >"$state/before-upgrade-202601${day}T000000Z.redb"; done
echo mine >"$state/before-upgrade-mine.redb"
out=$(install --upgrade --binary "$binary") || fail 'the upgrade failed'
for kept in 20260103T000000Z 20260104T000000Z mine; do
  [ -e "$state/before-upgrade-$kept.redb" ] || fail "a copy was removed: $kept"
done
[ "$(find "$state" -name 'before-upgrade-*.redb' | wc -l)" = 4 ] || fail "copies: $(ls "$state")"
grep -q 'removed, for the newest 3 are kept: .*before-upgrade-20260101T000000Z.redb' <<<"$out" \
  || fail "not said: $out"
respiro admin list | grep -q me@example.org || fail 'the account was lost by the upgrade'

sleep 1 # copies are named by the second
printf '#!/bin/sh\ncase "$*" in *--version*) echo broken;; *) exit 1;; esac\n' >"$work/broken"
chmod +x "$work/broken"
echo '# as it was' >>"$unit"
if sh "$repository/install.sh" --root "$root" --settle-seconds 2 --upgrade --binary "$work/broken" >"$work/out" 2>&1; then
  fail 'a broken version was kept'
fi
grep -q 'the former one runs again' "$work/out" || fail "no roll-back: $(cat "$work/out")"
respiro healthcheck >/dev/null || fail 'the former version does not run'
respiro admin list | grep -q me@example.org || fail 'the account was lost by the roll-back'

grep -q '^# as it was$' "$unit" || fail 'the roll-back left the unit of the new version'

# Without a unit of its own the roll-back leaves none of the new version.
mv "$unit" "$work/unit"
sleep 1
if install --settle-seconds 2 --upgrade --binary "$work/broken" >"$work/out" 2>&1; then fail 'a broken version was kept'; fi
grep -q 'the former one runs again' "$work/out" || fail "no roll-back without a unit: $(cat "$work/out")"
[ ! -e "$unit" ] || fail 'the roll-back left a unit'
mv "$work/unit" "$unit"

# A disk that takes no unit leads back too.
sleep 1
rm -rf "$unit.new"; mkdir "$unit.new"
if install --upgrade --binary "$binary" >"$work/out" 2>&1; then fail 'a unit that was not written was taken'; fi
rmdir "$unit.new"
grep -q 'the former one runs again' "$work/out" || fail "no roll-back on a full disk: $(cat "$work/out")"

# `respiro upgrade`: signed by a key pair made here, in the format of minisign.
release=$work/release
mkdir "$release"
openssl genpkey -algorithm ed25519 -out "$work/key.pem" 2>/dev/null
{ printf 'Ed12345678'; openssl pkey -in "$work/key.pem" -pubout -outform DER | tail -c 32; } | base64 -w 0 >"$work/key.pub"
sign_raw() { openssl pkeyutl -sign -inkey "$work/key.pem" -rawin -in "$1"; }
# sign COMMENT: signs the list of files.
sign() {
  openssl dgst -blake2b512 -binary "$release/SHA256SUMS" >"$work/hash"
  sign_raw "$work/hash" >"$work/signature"
  { cat "$work/signature"; printf '%s' "$1"; } >"$work/global"
  {
    echo 'untrusted comment: a test'
    { printf 'ED12345678'; cat "$work/signature"; } | base64 -w 0
    printf '\ntrusted comment: %s\n' "$1"
    sign_raw "$work/global" | base64 -w 0
    echo
  } >"$release/SHA256SUMS.minisig"
}
target=$(uname -m)-linux-gnu
# make_release VERSION BINARY: an archive as .ci/release.sh makes it.
make_release() {
  name=respiro-$1-$target
  mkdir -p "$work/$name"
  cp "$2" "$work/$name/respiro"
  cp "$repository/install.sh" "$work/$name/"
  tar -C "$work" -czf "$release/$name.tar.gz" "$name"
  rm -r "${work:?}/$name"
  (cd "$release" && sha256sum ./*.tar.gz | sed 's| \./| |' >SHA256SUMS)
  sign "respiro version=$1 targets=x86_64-linux-gnu,aarch64-linux-gnu"
}
upgrade() { respiro upgrade --root "$root" --key "$work/key.pub" --settle-seconds "${settle:-20}" "$@" >"$work/out" 2>&1; }
refused() {
  local words=$1
  shift
  if upgrade "$@"; then fail "it was taken: $words"; fi
  grep -q -- "$words" "$work/out" || fail "it does not say '$words': $(cat "$work/out")"
}
version=$("$binary" --version | cut -d ' ' -f 2)
make_release "$version" "$binary"
archive=$release/respiro-$version-$target.tar.gz
copies_and_program() { find "$state" -name 'before-upgrade-*' | sort; cksum "$root/usr/local/bin/respiro"; }
before=$(copies_and_program)
if respiro upgrade --root "$root" "$archive" >"$work/out" 2>&1; then fail 'a build without keys took a release'; fi
grep -q 'no key of releases\|not signed by a key' "$work/out" || fail "$(cat "$work/out")"
sed -i 's/^/ /' "$release/SHA256SUMS"; refused 'is not signed by a key' "$archive"; sed -i 's/^ //' "$release/SHA256SUMS"
sed -i 's/version=/Version=/' "$release/SHA256SUMS.minisig"; refused 'is not signed by a key' "$archive"
make_release "$version" "$binary"
echo >>"$archive"; refused 'is damaged' "$archive"
sign "respiro version=$version targets=riscv64-linux-gnu"; refused 'not made for this machine' "$archive"
sign 'another program version=9.0.0 targets=x86_64-linux-gnu,aarch64-linux-gnu'; refused 'not that of a release of respiro' "$archive"
rm "$archive"
make_release 0.0.1 "$binary"
refused 'is older than this program' "$release/respiro-0.0.1-$target.tar.gz"
refused 'is not among the signed files' --allow-downgrade "$release/respiro-9.0.0-$target.tar.gz"
[ "$(copies_and_program)" = "$before" ] || fail 'a refused release left or changed something'
upgrade --allow-downgrade "$release/respiro-0.0.1-$target.tar.gz" || fail "no downgrade: $(cat "$work/out")"
rm "$release"/*
make_release 9.0.0 "$binary"
respiro upgrade --key "$work/key.pub" --check "$release/respiro-9.0.0-$target.tar.gz" >"$work/out" || fail 'no announcement'
grep -q 'the panel says that 9.0.0 is there' "$work/out" || fail "not announced: $(cat "$work/out")"
sleep 1
upgrade "$release/respiro-9.0.0-$target.tar.gz" || fail "no upgrade: $(cat "$work/out")"
grep -q 'upgraded to respiro' "$work/out" || fail "not said: $(cat "$work/out")"
respiro admin list | grep -q me@example.org || fail 'the account was lost by the signed upgrade'
# The same by an address: this is the only request, and only because it was asked for.
(cd "$release" && exec python3 -u -m http.server --bind 127.0.0.1 0 >"$work/served" 2>&1) &
served=$!
until port=$(sed -n 's/.*port \([0-9]*\).*/\1/p' "$work/served") && [ -n "$port" ]; do sleep 0.1; done
sleep 1
upgrade --from "http://127.0.0.1:$port/" || fail "no upgrade by an address: $(cat "$work/out")"
# A signed version that does not run goes back.
rm "$release"/*
make_release 9.0.1 "$work/broken"
sleep 1
settle=2 refused 'the former one runs again' --from "http://127.0.0.1:$port"
kill "$served"
respiro healthcheck >/dev/null || fail 'the former version does not run after the signed one'
compgen -G "$root/var/lib/respiro-upgrade-*" >/dev/null && fail 'the work folder was left'

# The settings may name another data file: that one is copied before an upgrade.
systemctl stop respiro.service
mkdir "$root/srv"
mv "$data" "$root/srv/other.redb"
sed -i 's|^RESPIRO_DATA=.*|RESPIRO_DATA="/srv/other.redb"|' "$root/etc/respiro/respiro.env"
systemctl start respiro.service
until "$root/usr/local/bin/respiro" --data "$root/srv/other.redb" healthcheck >/dev/null 2>&1; do sleep 0.1; done
install --upgrade --binary "$binary" >"$work/out" || fail "no upgrade of a data file elsewhere: $(cat "$work/out")"
grep -q '^ReadWritePaths=-/srv$' "$unit" || fail 'the unit does not let the service write another folder'
compgen -G "$root/srv/before-upgrade-*.redb" >/dev/null || fail "no copy before the upgrade: $(cat "$work/out")"
systemctl stop respiro.service
mv "$root/srv/other.redb" "$data"
sed -i 's|^RESPIRO_DATA=.*|RESPIRO_DATA=/var/lib/respiro/respiro.redb|' "$root/etc/respiro/respiro.env"
systemctl start respiro.service

# Nothing is started for these: they would order a certificate for somebody's name.
settings=$root/etc/respiro/respiro.env
quietly() { IDLE=yes install --settle-seconds 0 --binary "$binary" "$@" >"$work/out" 2>&1 || true; }
holds() { grep -q "^RESPIRO_$1\$" "$settings" || fail "no $1 in the settings: $(cat "$settings")"; }
lacks() { if grep -q "^RESPIRO_$1=" "$settings"; then fail "$1 was left: $(cat "$settings")"; fi; }
says() { grep -q -- "$1" "$work/out" || fail "it does not say '$1': $(cat "$work/out")"; }

# What an operator has added stays, in its place; a mail server was lost once, with every letter.
printf '%s\n' '# ours' 'RESPIRO_BACKUP_KEEP=30' 'RESPIRO_CDN=https://cdn.example.org' >>"$settings"
printf 'RESPIRO_S3_SECRET_KEY_FILE=/etc/respiro/s3' >>"$settings" # without a line feed
cp "$settings" "$work/before"
quietly --listen 127.0.0.1:8080 --public-url https://example.org
cmp -s "$settings" "$work/before" || fail "the same options changed: $(diff "$work/before" "$settings")"
says 'settings are kept'
quietly --domain example.org --email me@example.org \
  --smtp-url smtps://me@mail.example.org --mail-from me@example.org \
  --smtp-password-file /etc/respiro/smtp-password --contact 'Studio Esempio, 031 000000'
for line in ACME_DOMAIN=example.org ACME_EMAIL=me@example.org 'LISTEN=\[::\]:443' \
  'HTTP_REDIRECT=\[::\]:80' PUBLIC_URL=https://example.org BACKUP_KEEP=30 \
  CDN=https://cdn.example.org S3_SECRET_KEY_FILE=/etc/respiro/s3 \
  SMTP_URL=smtps://me@mail.example.org MAIL_FROM=me@example.org \
  SMTP_PASSWORD_FILE=/etc/respiro/smtp-password 'CONTACT="Studio Esempio, 031 000000"'; do
  holds "$line"
done
grep -q '^# ours$' "$settings" || fail 'a comment was lost'
lacks TRUSTED_PROXY
former=$(sed -n 's/^settings are changed: .*; as they were: //p' "$work/out")
cmp -s "$former" "$work/before" || fail "the former settings are not kept: $(cat "$work/out")"
[ "$(stat -c %a "$settings" "$former" | uniq)" = 600 ] || fail 'the settings are open to everybody'

cp "$settings" "$work/before"
quietly --domain example.org --email me@example.org
cmp -s "$settings" "$work/before" || fail "the second run changed: $(diff "$work/before" "$settings")"
# An own port and address of the same name stay; another name has another address.
sed -i 's/^RESPIRO_LISTEN=.*/RESPIRO_LISTEN=[::]:443/; s/^\(RESPIRO_PUBLIC_URL=\).*/\1https:\/\/www.example.org/' "$settings"
quietly --domain example.org --email you@example.org
for line in 'LISTEN=\[::\]:443' PUBLIC_URL=https://www.example.org ACME_EMAIL=you@example.org; do
  holds "$line"
done
quietly --domain example.com,www.example.com --smtp-url smtps://you@mail.example.org
for line in 'LISTEN=\[::\]:443' PUBLIC_URL=https://example.com BACKUP_KEEP=30 \
  ACME_DOMAIN=example.com,www.example.com SMTP_URL=smtps://you@mail.example.org \
  MAIL_FROM=me@example.org; do
  holds "$line"
done
grep -q '^AmbientCapabilities=CAP_NET_BIND_SERVICE$' "$unit" || fail 'no permission for ports 443 and 80'
with_ports=$(exposure)
# A value in quotes is the same value.
sed -i 's/^RESPIRO_LISTEN=.*/RESPIRO_LISTEN="[::]:443"/; s/^RESPIRO_HTTP_REDIRECT=.*/RESPIRO_HTTP_REDIRECT=\x27[::]:8080\x27/' "$settings"
quietly
grep -q '^AmbientCapabilities=CAP_NET_BIND_SERVICE$' "$unit" || fail 'no permission for a port in quotes'
# One low port among several addresses is enough, and a port such as 8443 is none.
for pair in '192.0.2.1:8443 no' '192.0.2.1:8443,[2001:db8::1]:81 yes' '192.0.2.1:443,192.0.2.1:1024 yes'; do
  sed -i "s/^RESPIRO_LISTEN=.*/RESPIRO_LISTEN=${pair% *}/; s/^\(RESPIRO_HTTP_REDIRECT=\).*/\1[::]:8080/" "$settings"
  quietly
  found=no
  if grep -q '^AmbientCapabilities=' "$unit"; then found=yes; fi
  [ "$found" = "${pair#* }" ] || fail "permission for low ports: $pair"
done
if sh "$repository/install.sh" --root "$root" --binary "$binary" --domain 'a
b' >/dev/null 2>&1; then fail 'a domain with a line feed was taken'; fi

# systemd hands a secret over, so its file may be root's alone; one before 247 has it in the settings.
printf 'a "strange" $word\n' >"$root/etc/respiro/smtp-password"
quietly
grep -q '^LoadCredential=smtp-password:/etc/respiro/smtp-password$' "$unit" || fail 'the secret is not handed over'
cp "$settings" "$work/before"
SYSTEMD=245 quietly
if grep -q LoadCredential "$unit"; then fail 'an old systemd cannot hand secrets over'; fi
lacks SMTP_PASSWORD_FILE
grep -qF 'RESPIRO_SMTP_PASSWORD="a \"strange\" \$word"' "$settings" || fail "no secret in the settings: $(cat "$settings")"
[ "$(stat -c %a "$settings")" = 600 ] || fail 'the settings with a secret are open'
cp "$work/before" "$settings"
grep -q '^WatchdogSec=60$' "$unit" || fail 'no watchdog'

# Back behind a proxy, which makes its own certificates.
quietly --listen 127.0.0.1:8080 --public-url https://example.org
for line in LISTEN=127.0.0.1:8080 PUBLIC_URL=https://example.org 'TRUSTED_PROXY=127.0.0.1,::1' \
  BACKUP_KEEP=30 SMTP_URL=smtps://you@mail.example.org; do
  holds "$line"
done
for name in HTTP_REDIRECT ACME_DOMAIN ACME_EMAIL; do lacks "$name"; done
quietly --listen 127.0.0.1:8080 --listen '[::1]:8080'
holds 'LISTEN=127.0.0.1:8080,\[::1\]:8080'
# No more than ten of the former settings are kept.
for day in 01 02 03 04 05 06 07 08 09 10; do echo >"$settings.202601${day}T000000Z"; done
quietly --listen 127.0.0.1:8081
says "removed, for the newest 10 are kept: .*respiro.env.20260101T000000Z"
[ "$(find "$root/etc/respiro" -name 'respiro.env.*' | wc -l)" = 10 ] || fail "$(ls "$root/etc/respiro")"

install --uninstall >/dev/null
[ -e "$data" ] || fail 'uninstalling removed the data'
[ ! -e "$unit" ] || fail 'the unit was left behind'
echo "tests/install.sh: all well; exposure $behind_proxy behind a proxy, $with_ports with ports 443 and 80"
