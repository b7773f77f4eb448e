#!/bin/sh
# Installs, upgrades or removes respiro on Debian or Ubuntu, as a confined systemd service.
#
#   sh install.sh --domain example.org --email me@example.org   HTTPS by itself on ports 443 and 80
#   sh install.sh --listen 127.0.0.1:8080 --public-url https://example.org   behind a proxy
#     with --smtp-url smtps://me@mail.example.org --mail-from me@example.org --smtp-password-file FILE
#     newsletter addresses are confirmed by e-mail
#     with --contact 'NAME, TELEPHONE, E-MAIL'   who helps when a password is forgotten
#   sh install.sh --upgrade --binary ./respiro                  copy, replace, roll back on failure
#   sh install.sh --uninstall                                   keeps the data
#
# Without flags it asks. Run again it changes what the given flags decide and keeps all other
# settings, the former ones beside them. --listen may be repeated. --root DIR works below a folder
# (tests). The Debian package has this file as respiro-setup, with the flags of an installation.
set -eu
umask 022

root=''
mode=install
binary=''
domain=''
email=''
listen=''
public_url=''
smtp_url=''
smtp_password_file=''
mail_from=''
contact=''
settle_seconds=30
former_settle_seconds=60

say() { printf '%s\n' "$*"; }
fail() { printf 'install.sh: %s\n' "$*" >&2; exit 1; }
usage() { sed -n '2,14s/^# \{0,1\}//p' "$0"; }

value() {
  if [ $# -lt 2 ] || [ -z "$2" ]; then fail "$1 needs a value"; fi
  printf '%s' "$2"
}

while [ $# -gt 0 ]; do
  case $1 in
    --binary) binary=$(value "$@"); shift ;;
    --domain) domain=$(value "$@"); shift ;;
    --email) email=$(value "$@"); shift ;;
    --listen) listen=${listen:+$listen,}$(value "$@"); shift ;;
    --public-url) public_url=$(value "$@"); shift ;;
    --smtp-url) smtp_url=$(value "$@"); shift ;;
    --smtp-password-file) smtp_password_file=$(value "$@"); shift ;;
    --mail-from) mail_from=$(value "$@"); shift ;;
    --contact) contact=$(value "$@"); shift ;;
    --root) root=$(value "$@"); shift ;;
    --settle-seconds) settle_seconds=$(value "$@"); shift ;;
    --upgrade) mode=upgrade ;;
    --uninstall) mode=uninstall ;;
    --copy-data) mode=copy_data ;; # the package, before an upgrade
    -h | --help) usage; exit 0 ;;
    *) usage >&2; fail "unknown option: $1" ;;
  esac
  shift
done

# Of the package: dpkg puts and removes its files, and it may be installed where no systemd runs.
is_package=''
exec=/usr/local/bin/respiro
if [ "${0##*/}" = respiro-setup ]; then
  is_package=yes
  exec=/usr/bin/respiro
  case $mode$binary in install | copy_data) ;; *) fail 'apt upgrades and removes the package' ;; esac
fi
program=$root$exec
unit=$root/etc/systemd/system/respiro.service
settings=$root/etc/respiro/respiro.env
state=$root/var/lib/respiro
data=$state/respiro.redb # find_data reads another one from the settings

[ -n "$root" ] || [ "$(id -u)" = 0 ] || fail 'run this as root: sudo sh install.sh'
runs_systemd() { command -v systemctl >/dev/null && { [ -n "$root" ] || [ -d /run/systemd/system ]; }; }
if [ -z "$is_package" ]; then
  command -v systemctl >/dev/null || fail 'systemd is missing: start the binary by your own means (respiro serve --help)'
  runs_systemd \
    || fail 'systemd does not run here (a container?): start the binary by your own means (respiro serve --help)'
fi

# Settings are read by systemd: a value with odd characters could add lines of its own.
plain() {
  case $2 in
    *[!A-Za-z0-9.:/@_,[\]+-]*) fail "$1 holds a character that does not belong there: $2" ;;
  esac
}

# As `plain`, for a line that people read.
plain_line() {
  case $2 in
    *[\"\\\|\&\$\`]*) fail "$1 holds a character that does not belong there: $2" ;;
  esac
  [ "$(printf '%s' "$2" | wc -l)" -eq 0 ] || fail "$1 is one line"
}

find_binary() {
  if [ -z "$binary" ]; then
    here=$(dirname "$0")
    for candidate in "$here/respiro" "$here/target/dist/respiro" "$here/target/release/respiro"; do
      if [ -x "$candidate" ]; then binary=$candidate; break; fi
    done
  fi
  [ -n "$binary" ] || fail 'no binary found: name it with --binary FILE'
  [ -f "$binary" ] || fail "$binary does not exist"
  "$binary" --version >/dev/null 2>&1 || fail "$binary does not run on this machine"
}

put_binary() {
  install -d "$(dirname "$program")" && install -m 0755 "$1" "$program.new" && mv -f "$program.new" "$program"
}

make_user() {
  [ -z "$root" ] || return 0
  getent passwd respiro >/dev/null && return 0
  useradd --system --home-dir /var/lib/respiro --no-create-home --shell /usr/sbin/nologin respiro
}

ask() {
  if [ -n "$domain$listen" ]; then return 0; fi
  [ -t 0 ] || fail 'name --domain and --email, or --listen and --public-url'
  printf 'domain of the site (empty: behind a proxy on 127.0.0.1:8080): '
  read -r domain
  if [ -n "$domain" ]; then
    printf 'e-mail for the certificate authority: '
    read -r email
  else
    printf 'public address, like https://example.org: '
    read -r public_url
  fi
  printf 'who helps when a password is forgotten: name, telephone, e-mail (empty: nobody): '
  read -r contact
}

# What stands in the settings under this name, without quotation marks; of another file if it is named.
setting() {
  sed -n "s/^[[:space:]]*$1=//p" "${2:-$settings.new}" | tail -n 1 | sed "s/^[\"']//; s/[[:space:]]*\$//; s/[\"']\$//"
}

# The data file that the service uses: the settings may name another one.
find_data() {
  [ -e "$settings" ] || return 0
  named=$(setting RESPIRO_DATA "$settings")
  case $named in
    '') ;;
    /*) data=$root$named ;;
    *) fail "RESPIRO_DATA in $settings must begin with /: $named" ;;
  esac
  state=$(dirname "$data")
}

# This line of the settings gets this value; all others stay as they are.
put_setting() {
  if grep -q "^[[:space:]]*$1=" "$settings.new"; then
    sed -i "s|^[[:space:]]*$1=.*|$1=$2|" "$settings.new"
  else
    sed -i '$a\' "$settings.new" # a last line without its end would go on
    say "$1=$2" >>"$settings.new"
  fi
}

secrets='ADMIN_EMAIL ADMIN_PASSWORD SMTP_PASSWORD BOUNCES S3_ACCESS_KEY S3_SECRET_KEY'

# systemd hands secrets over since 247: then root alone can read their files.
takes_credentials() {
  release=$(systemctl --version 2>/dev/null | sed -n '1s/^systemd \([0-9]*\).*/\1/p')
  [ "${release:-0}" -ge 247 ]
}

# The secrets whose files the settings name, as lines of the unit.
credentials() {
  takes_credentials || return 0
  for name in $secrets; do
    file=$(setting "RESPIRO_${name}_FILE" "$settings")
    if [ -z "$file" ] || [ ! -e "$root$file" ]; then continue; fi
    case $file in *[!A-Za-z0-9./_-]*) fail "the unit cannot name this file: $file" ;; esac
    say "LoadCredential=$(printf %s "$name" | tr 'A-Z_' 'a-z-'):$file"
  done
}

# An older systemd: the values of the secrets are in the settings, which root alone can read.
move_secrets_in() {
  for name in $secrets; do
    file=$(setting "RESPIRO_${name}_FILE")
    if [ -z "$file" ] || [ ! -r "$root$file" ]; then continue; fi
    drop_setting "RESPIRO_${name}_FILE"
    drop_setting "RESPIRO_$name"
    say "RESPIRO_$name=\"$(head -n 1 "$root$file" | sed 's/[\\"$`]/\\&/g')\"" >>"$settings.new"
    say "this systemd hands over no secrets: RESPIRO_$name is in the settings now, $file is not read any more"
  done
}

put_if_given() { [ -z "$2" ] || put_setting "$1" "$2"; }
put_if_missing() { [ -n "$(setting "$1")" ] || put_setting "$1" "$2"; }
drop_setting() { sed -i "/^[[:space:]]*$1=/d" "$settings.new"; }

# Removes the oldest of the files, which are given from old to new, and says so.
keep_newest() {
  count=$1
  shift
  while [ $# -gt "$count" ]; do
    rm -f "$1"
    say "removed, for the newest $count are kept: $1"
    shift
  done
}

write_settings() {
  for pair in "--domain $domain" "--email $email" "--listen $listen" "--public-url $public_url" \
    "--smtp-url $smtp_url" "--mail-from $mail_from" "--smtp-password-file $smtp_password_file"; do
    plain "${pair%% *}" "${pair#* }"
  done
  plain_line --contact "$contact"
  if [ -e "$settings" ]; then
    cp -p "$settings" "$settings.new"
    change_settings
  else
    ask
    plain --domain "$domain"
    plain --email "$email"
    plain --public-url "$public_url"
    plain_line --contact "$contact"
    install -d "$(dirname "$settings")"
    install -m 0600 /dev/null "$settings.new" # systemd reads it as root
    new_settings >"$settings.new"
  fi
  put_if_given RESPIRO_ACME_EMAIL "$email"
  put_if_given RESPIRO_LISTEN "$listen"
  put_if_given RESPIRO_PUBLIC_URL "$public_url"
  put_if_given RESPIRO_SMTP_URL "$smtp_url"
  put_if_given RESPIRO_MAIL_FROM "$mail_from"
  put_if_given RESPIRO_SMTP_PASSWORD_FILE "$smtp_password_file"
  put_if_given RESPIRO_CONTACT "${contact:+\"$contact\"}"
  takes_credentials || move_secrets_in
  chmod 0600 "$settings.new"
  take_settings
}

new_settings() {
  say '# Settings of respiro: respiro serve --help lists them all. After a change:'
  say '#   systemctl restart respiro'
  say 'RESPIRO_DATA=/var/lib/respiro/respiro.redb'
  say 'RESPIRO_BACKUP_DIR=/var/lib/respiro/backup'
  if [ -n "$domain" ]; then
    # Of IPv4 too: the DNS may name both. The program does without IPv6 where there is none.
    say 'RESPIRO_LISTEN=[::]:443'
    say 'RESPIRO_HTTP_REDIRECT=[::]:80'
    say "RESPIRO_ACME_DOMAIN=$domain"
    say "RESPIRO_PUBLIC_URL=https://${domain%%,*}"
  else
    say 'RESPIRO_LISTEN=127.0.0.1:8080'
    say 'RESPIRO_TRUSTED_PROXY=127.0.0.1,::1'
  fi
}

# What follows from the options for settings that an operator may have written on: HTTPS by itself
# and a proxy in front exclude each other, and another domain has another public address.
change_settings() {
  former_domain=$(setting RESPIRO_ACME_DOMAIN)
  if [ -n "$domain" ]; then
    if [ -z "$former_domain" ]; then
      put_setting RESPIRO_LISTEN '[::]:443'
      if [ "$(setting RESPIRO_TRUSTED_PROXY)" = '127.0.0.1,::1' ]; then
        drop_setting RESPIRO_TRUSTED_PROXY
      fi
    fi
    if [ "$domain" != "$former_domain" ]; then
      put_setting RESPIRO_PUBLIC_URL "https://${domain%%,*}"
    fi
    put_setting RESPIRO_ACME_DOMAIN "$domain"
    put_if_missing RESPIRO_LISTEN '[::]:443'
    put_if_missing RESPIRO_HTTP_REDIRECT '[::]:80'
    put_if_missing RESPIRO_PUBLIC_URL "https://${domain%%,*}"
  elif [ -n "$listen" ] && [ -n "$former_domain" ]; then
    drop_setting RESPIRO_HTTP_REDIRECT
    drop_setting RESPIRO_ACME_DOMAIN
    drop_setting RESPIRO_ACME_EMAIL
    put_if_missing RESPIRO_TRUSTED_PROXY '127.0.0.1,::1'
  fi
}

# The new settings take their place; the former ones, if they say anything else, stay beside them.
take_settings() {
  if [ ! -e "$settings" ]; then
    mv "$settings.new" "$settings"
  elif cmp -s "$settings.new" "$settings"; then
    rm -f "$settings.new"
    say "settings are kept: $settings"
  else
    former=$settings.$(date -u +%Y%m%dT%H%M%SZ)
    [ -e "$former" ] || cp -p "$settings" "$former"
    mv -f "$settings.new" "$settings"
    say "settings are changed: $settings; as they were: $former"
    keep_newest 10 "$settings".????????T??????Z
  fi
}

# Does one of the addresses, which are separated by commas, have a port under 1024?
needs_low_port() {
  for name in RESPIRO_LISTEN RESPIRO_HTTP_REDIRECT RESPIRO_METRICS; do
    setting "$name" "$settings" | tr ',' '\n'
  done | grep -qE ':0*([1-9][0-9]{0,2}|10[01][0-9]|102[0-3])[[:space:]]*$'
}

# Folders beside the state directory that the service writes, for the settings may name others.
other_folders() {
  for path in "$state" "$(setting RESPIRO_BACKUP_DIR "$settings")"; do
    path=${path#"$root"}
    case $path in
      '' | /var/lib/respiro | /var/lib/respiro/*) continue ;;
      *[!A-Za-z0-9./_-]*) fail "the unit cannot name this folder: $path" ;;
      /home/* | /root/*) say "the service cannot reach $path: choose a folder outside of /home" >&2 ;;
    esac
    say "ReadWritePaths=-$path"
    if [ -z "$root" ] && [ ! -e "$path" ]; then install -d -o respiro -g respiro -m 0700 "$path"; fi
  done
}

write_unit() {
  find_data
  folders=$(other_folders) && given_secrets=$(credentials) || return 1
  install -d "$(dirname "$unit")" || return 1
  # A port under 1024 needs one capability, and then the user namespace cannot be private.
  capability='CapabilityBoundingSet='
  private_users='PrivateUsers=yes'
  if needs_low_port; then
    capability='CapabilityBoundingSet=CAP_NET_BIND_SERVICE
AmbientCapabilities=CAP_NET_BIND_SERVICE'
    private_users='PrivateUsers=no'
  fi
  cat >"$unit.new" <<UNIT || return 1
[Unit]
Description=respiro, the website of a practitioner
Documentation=man:respiro(1)
After=network-online.target time-sync.target
Wants=network-online.target

[Service]
Type=notify
ExecStart=$exec serve
EnvironmentFile=/etc/respiro/respiro.env
$given_secrets
# What the program frees goes back to the system, not into the C library's own store.
Environment=MALLOC_ARENA_MAX=1 MALLOC_MMAP_THRESHOLD_=131072 MALLOC_TRIM_THRESHOLD_=131072
User=respiro
Group=respiro
StateDirectory=respiro
StateDirectoryMode=0700
UMask=0077
Restart=always
RestartSec=2
TimeoutStartSec=120
TimeoutStopSec=90
# A program that is stuck is restarted: it reports four times in this time that data file and port answer.
WatchdogSec=60
LimitNOFILE=16384
MemoryMax=1G
TasksMax=256

$capability
$private_users
$folders
DevicePolicy=closed
KeyringMode=private
LockPersonality=yes
MemoryDenyWriteExecute=yes
NoNewPrivileges=yes
PrivateDevices=yes
PrivateMounts=yes
PrivateTmp=yes
ProcSubset=pid
ProtectClock=yes
ProtectControlGroups=yes
ProtectHome=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
ProtectProc=invisible
ProtectSystem=strict
RemoveIPC=yes
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
SystemCallArchitectures=native
SystemCallErrorNumber=EPERM
SystemCallFilter=@system-service
SystemCallFilter=~@privileged @resources
# The process that decodes an upload steps behind the visitors' requests, and filters its own system calls.
SystemCallFilter=setpriority seccomp

[Install]
WantedBy=multi-user.target
UNIT
  mv -f "$unit.new" "$unit"
}

write_manual() {
  manual=$root/usr/local/share/man/man1
  completions=$root/usr/share/bash-completion/completions
  install -d "$manual" "$completions"
  "$program" man >"$manual/respiro.1"
  "$program" completions bash >"$completions/respiro"
}

# Up and well within this many seconds?
is_well() {
  waited=0
  while [ "$waited" -lt "$1" ]; do
    if "$program" --data "$data" healthcheck >/dev/null 2>&1; then return 0; fi
    sleep 1
    waited=$((waited + 1))
  done
  return 1
}

last_log() {
  command -v journalctl >/dev/null || return 0
  journalctl -u respiro -n 20 --no-pager >&2 || true
}

install_all() {
  [ -n "$is_package" ] || find_binary
  make_user
  [ -n "$is_package" ] || put_binary "$binary"
  write_settings
  find_data
  write_unit
  [ -n "$is_package" ] || write_manual
  if ! runs_systemd; then
    say "respiro is set up, but systemd does not run here. Start it by your own means: $exec serve, with the settings in $settings"
    return 0
  fi
  systemctl daemon-reload
  systemctl enable respiro.service
  systemctl restart respiro.service
  if ! is_well "$settle_seconds"; then
    last_log
    copy=$(ls "$state"/before-upgrade-????????T??????Z.redb 2>/dev/null | tail -n 1)
    if [ -n "$is_package" ] && [ -n "$copy" ]; then
      say "to go back, install the former package (apt install --allow-downgrades ./FILE.deb), then: respiro restore $copy"
    fi
    fail 'the service does not answer: see the lines above, then respiro doctor'
  fi
  say 'respiro runs.'
  # The link in the log of an earlier start is void once there is an account.
  if ! "$program" --data "$data" admin list | grep -q @ && command -v journalctl >/dev/null; then
    link=$(journalctl -u respiro -n 200 --no-pager -o cat 2>/dev/null \
      | grep -o 'https\{0,1\}://[^ "]*#setup=[a-z0-9]*' | tail -n 1 || true)
    if [ -n "$link" ]; then say "open this link once to make the first account: $link"; fi
  fi
}

copy_data() {
  find_data
  copy=$state/before-upgrade-$(date -u +%Y%m%dT%H%M%SZ).redb
  if [ -e "$data" ]; then
    if ! "$program" --data "$data" backup "$copy"; then
      if is_well 1; then fail 'no copy of the data file: nothing was changed'; fi
      # A version that does not run must not stop the way back to the former one.
      systemctl stop respiro.service || true
      cp -p "$data" "$copy"
    fi
    chown --reference="$data" "$copy"
    # Each is as large as the data.
    keep_newest 3 "$state"/before-upgrade-????????T??????Z.redb
  else
    say "no data file is there yet, so none is copied: $data"
  fi
}

# Each step only after the one before: a full disk, too, leads back.
replace() {
  put_binary "$binary" && write_unit && systemctl daemon-reload \
    && systemctl restart respiro.service && is_well "$settle_seconds"
}

upgrade() {
  [ -e "$program" ] || fail 'nothing is installed here: run this without --upgrade'
  find_binary
  former=$program.former
  former_unit=$unit.former
  copy_data
  cp -p "$program" "$former"
  rm -f "$former_unit"
  [ ! -e "$unit" ] || cp -p "$unit" "$former_unit"
  trap '' HUP # a connection that breaks now must not leave half of it
  if replace; then
    write_manual
    rm -f "$former_unit"
    say "upgraded to $("$program" --version); the data file as it was: $copy"
    return 0
  fi
  last_log
  systemctl stop respiro.service || true
  put_binary "$former"
  # The unit belongs to the version: the former one may not know what the new one was given.
  if [ -e "$former_unit" ]; then
    mv -f "$former_unit" "$unit"
  else
    rm -f "$unit" # it had none under /etc: that of another place counts again
  fi
  systemctl daemon-reload
  # The new version may have changed the data file: the former one gets what it knew.
  if [ -e "$copy" ]; then
    "$program" --data "$data" restore --yes "$copy" || fail "put $copy back as $data by hand"
  fi
  systemctl restart respiro.service
  # It ran here before: however short the new one's time was, it gets enough.
  if is_well "$former_settle_seconds"; then
    fail 'the new version did not answer: the former one runs again, with its data'
  fi
  fail 'neither version answers: run respiro doctor'
}

uninstall() {
  systemctl disable --now respiro.service || true
  find_data
  rm -f "$unit" "$unit.former" "$program" "$program.former" "$root/usr/local/share/man/man1/respiro.1" \
    "$root/usr/share/bash-completion/completions/respiro"
  systemctl daemon-reload
  say "removed. The data is kept in $state, the settings in $settings."
}

case $mode in
  install) install_all ;;
  upgrade) upgrade ;;
  uninstall) uninstall ;;
  copy_data) copy_data ;;
esac
