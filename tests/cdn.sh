#!/usr/bin/env bash
# A cache in front with --cdn: the server is killed under load and visitors see nothing; a publish is seen within
# two seconds. Once with Varnish, which is asked to forget, once with nginx, which is told nothing.
#
#   bash tests/cdn.sh BINARY [varnish|nginx]      by hand; needs the packages varnish, nginx-light, curl
set -euo pipefail
binary=$(readlink -f "${1:?usage: tests/cdn.sh BINARY}")
PATH=$PATH:/usr/sbin
for command in nginx varnishd curl python3; do
  command -v "$command" >/dev/null || { echo "tests/cdn.sh: $command is missing, skipped"; exit 0; }
done
# shellcheck source=tests/loopback.sh
source "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/loopback.sh"

serve() {
  RESPIRO_ADMIN_EMAIL=me@example.org RESPIRO_ADMIN_PASSWORD='corretto cavallo batteria' exec "$binary" --demo \
    --data "$name.redb" --listen "127.0.0.1:$back" --public-url "http://127.0.0.1:$front" --trusted-proxy 127.0.0.1 \
    --cdn "$@" >>"respiro-$name.log" 2>&1
}
up() {
  for _ in $(seq 1 300); do
    if [ "$(curl -s -o /dev/null -w '%{http_code}' "$1/eventi")" = 200 ]; then return 0; fi
    sleep 0.2
  done
  fail "$1 does not answer"
}
varnish() {
  cat >site.vcl <<VCL
vcl 4.1;
import std;
backend site { .host = "127.0.0.1"; .port = "$back";
  .probe = { .url = "/healthz"; .interval = 1s; .timeout = 1s; .window = 3; .threshold = 2; } }
acl own { "127.0.0.1"; }
sub vcl_recv {
  if (req.method == "BAN") {
    if (!client.ip ~ own) { return (synth(405)); }
    ban("obj.http.cache-control ~ s-maxage");
    return (synth(200));
  }
  if (req.url ~ "^/(api|admin|anteprima|newsletter)" || (req.method != "GET" && req.method != "HEAD")) { return (pass); }
  unset req.http.Cookie;
  # The server answers: nothing older than a second is shown. It does not: what is there, as long as the pages allow.
  if (std.healthy(req.backend_hint) && req.restarts == 0) { set req.grace = 1s; }
}
sub vcl_backend_response {
  if (beresp.http.cache-control ~ "stale-if-error") {
    set beresp.grace = std.duration(regsub(beresp.http.cache-control, ".*stale-if-error=(\d+).*", "\1s"), 0s);
  }
}
sub vcl_deliver {
  if (resp.status == 503 && req.restarts == 0) { return (restart); }
}
sub vcl_synth {
  if (resp.status == 503 && req.restarts == 0) { return (restart); }
}
VCL
  varnishd -j none -F -n "$work/varnish" -a "127.0.0.1:$front" -f "$work/site.vcl" -s malloc,64m >varnish.log 2>&1 &
  children+=($!)
}
nginx_cache() {
  mkdir -p cache bodies
  cat >nginx.conf <<NGINX
daemon off; master_process off; pid $work/nginx.pid; error_log $work/nginx.log crit;
events {}
http {
  access_log off;
  client_body_temp_path $work/bodies; proxy_temp_path $work/bodies; fastcgi_temp_path $work/bodies;
  uwsgi_temp_path $work/bodies; scgi_temp_path $work/bodies;
  proxy_cache_path $work/cache keys_zone=pages:1m inactive=2d;
  server {
    listen 127.0.0.1:$front;
    client_max_body_size 11m;
    proxy_http_version 1.1;
    proxy_set_header Host \$http_host;
    proxy_set_header X-Forwarded-For \$proxy_add_x_forwarded_for;
    location ~ ^/(api|admin|anteprima|newsletter) { proxy_pass http://127.0.0.1:$back; }
    location / {
      proxy_pass http://127.0.0.1:$back;
      proxy_cache pages;
      proxy_cache_revalidate on;
      proxy_cache_lock on;
      proxy_cache_background_update on;
      # Errors are not named here: stale-if-error of the pages allows them, and only for its time.
      proxy_cache_use_stale updating;
    }
  }
}
NGINX
  nginx -p "$work" -c nginx.conf 2>nginx-start.log &
  children+=($!)
}
# Visitors, until the file `enough` is there: `load` gets their count and what they saw beside 200.
visitors() {
  rm -f enough
  python3 - "$1" >load <<'PY' &
import http.client, os, sys, threading
host = sys.argv[1].split("//")[1]
seen, lock = {}, threading.Lock()
def visit():
    while not os.path.exists("enough"):
        for path in ("/", "/eventi", "/blog"):
            try:
                connection = http.client.HTTPConnection(host, timeout=10)
                connection.request("GET", path)
                answer = connection.getresponse()
                answer.read()
                status = answer.status
                connection.close()
            except OSError as error:
                status = type(error).__name__
            with lock:
                seen[status] = seen.get(status, 0) + 1
threads = [threading.Thread(target=visit) for _ in range(4)]
for thread in threads: thread.start()
for thread in threads: thread.join()
print(seen)
PY
  load=$!
  children+=("$load")
}
try() {
  name=$1; shift
  front=$(port); back=$(port)
  site=http://127.0.0.1:$front
  if [ "$name" = varnish ]; then varnish; set -- --cdn-purge "$site/"; else nginx_cache; fi
  serve "$@" &
  server=$!
  children+=("$server")
  up "http://127.0.0.1:$back"
  up "$site"
  cached=$(curl -sD - -o /dev/null "http://127.0.0.1:$back/eventi" | tr -d '\r' | sed -n 's/^cache-control: //Ip')
  # Without a purge the cache may have what was removed: no longer than a restart takes.
  if [ "$name" = varnish ]; then seconds=86400; else seconds=120; fi
  [[ $cached == *s-maxage=*stale-while-revalidate=*stale-if-error=$seconds* ]] || fail "$name: $cached"
  curl -sS -o /dev/null -c jar -H "Origin: $site" --json '{"email":"me@example.org","password":"corretto cavallo batteria"}' "$site/api/auth/login"
  visitors "$site"
  sleep 3
  for round in 1 2 3; do
    event="{\"title\":\"Giornata $name $round\",\"date\":\"12 marzo 2027\",\"time\":\"10:00\",\"location\":\"Milano\",\"description\":\"Prova.\",\"published\":true}"
    status=$(curl -sS -o body -w '%{http_code}' -b jar -H "Origin: $site" --json "$event" "$site/api/admin/events")
    [ "$status" = 201 ] || fail "$name: a new event is $status"
    began=$(date +%s%N)
    until curl -s "$site/eventi" | grep -q "Giornata $name $round"; do
      [ $(($(date +%s%N) - began)) -lt 2000000000 ] || fail "$name: a publish is not seen after 2 s"
      sleep 0.02
    done
    echo "$name: a publish is seen after $((($(date +%s%N) - began) / 1000000)) ms"
  done
  # All three pages are there again, as at any moment of a site that is visited.
  sleep 2
  kill -9 "$server"
  wait "$server" 2>/dev/null || true
  sleep 6
  for path in / /eventi /blog; do
    # What these visitors asked for: a cache keeps each encoding by itself.
    [ "$(curl -s -o body -w '%{http_code}' -H 'Accept-Encoding: identity' "$site$path")" = 200 ] || fail "$name: $path is gone with the server"
  done
  serve "$@" &
  server=$!
  children+=("$server")
  up "http://127.0.0.1:$back"
  sleep 2
  touch enough
  wait "$load"
  echo "$name: visitors saw $(cat load)"
  [[ $(cat load) =~ ^\{200:\ [0-9]+\}$ ]] || fail "$name: visitors saw something else than 200"
  kill "$server"
}
for cache in ${2:-varnish nginx}; do try "$cache"; done
echo 'tests/cdn.sh: all well'
