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

install --upgrade --binary "$binary" >/dev/null || fail 'the upgrade failed'
ls "$root/var/lib/respiro/"before-upgrade-*.redb >/dev/null || fail 'no copy before the upgrade'
respiro admin list | grep -q me@example.org || fail 'the account was lost by the upgrade'

sleep 1 # copies are named by the second
printf '#!/bin/sh\ncase "$*" in *--version*) echo broken;; *) exit 1;; esac\n' >"$work/broken"
chmod +x "$work/broken"
if sh "$repository/install.sh" --root "$root" --settle-seconds 2 --upgrade --binary "$work/broken" >"$work/out" 2>&1; then
  fail 'a broken version was kept'
fi
grep -q 'the former one runs again' "$work/out" || fail "no roll-back: $(cat "$work/out")"
respiro healthcheck >/dev/null || fail 'the former version does not run'
respiro admin list | grep -q me@example.org || fail 'the account was lost by the roll-back'

# Nothing is started for this one: it would order a certificate for somebody's name.
IDLE=yes install --settle-seconds 0 --binary "$binary" --domain example.org --email me@example.org \
  --smtp-url smtps://me@mail.example.org --mail-from me@example.org \
  --smtp-password-file /etc/respiro/smtp-password >/dev/null 2>&1 || true
grep -q '^RESPIRO_ACME_DOMAIN=example.org$' "$root/etc/respiro/respiro.env" || fail 'no domain in the settings'
for line in SMTP_URL=smtps://me@mail.example.org MAIL_FROM=me@example.org \
  SMTP_PASSWORD_FILE=/etc/respiro/smtp-password; do
  grep -q "^RESPIRO_$line\$" "$root/etc/respiro/respiro.env" || fail "no $line in the settings"
done
if install --binary "$binary" --smtp-url smtps://x.it >"$work/out" 2>&1; then
  fail 'a mail server for settings that are kept was taken'
fi
grep -q 'there are settings already' "$work/out" || fail "no reason: $(cat "$work/out")"
grep -q '^AmbientCapabilities=CAP_NET_BIND_SERVICE$' "$unit" || fail 'no permission for ports 443 and 80'
with_ports=$(exposure)
if sh "$repository/install.sh" --root "$root" --binary "$binary" --domain 'a
b' >/dev/null 2>&1; then fail 'a domain with a line feed was taken'; fi

install --uninstall >/dev/null
[ -e "$data" ] || fail 'uninstalling removed the data'
[ ! -e "$unit" ] || fail 'the unit was left behind'
echo "tests/install.sh: all well; exposure $behind_proxy behind a proxy, $with_ports with ports 443 and 80"
