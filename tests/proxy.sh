#!/usr/bin/env bash
# A caching proxy in front, as a CDN would be: nginx on loopback keeps what the headers allow and nothing
# else, and no visitor sees yesterday's page.
#
#   bash tests/proxy.sh BINARY      needs the package nginx-light, and curl
set -euo pipefail
binary=$(readlink -f "${1:?usage: tests/proxy.sh BINARY}")
PATH=$PATH:/usr/sbin
for command in nginx curl python3; do
  command -v "$command" >/dev/null || { echo "tests/proxy.sh: $command is missing, skipped"; exit 0; }
done
# shellcheck source=tests/loopback.sh
source "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/loopback.sh"
front=$(port); back=$(port); stock=$(port)
site=http://127.0.0.1:$front
mkdir cache bodies
cat >nginx.conf <<NGINX
daemon off; master_process off; pid $work/nginx.pid; error_log $work/nginx.log warn;
events {}
http {
  access_log off;
  client_body_temp_path $work/bodies; proxy_temp_path $work/bodies; fastcgi_temp_path $work/bodies;
  uwsgi_temp_path $work/bodies; scgi_temp_path $work/bodies;
  proxy_cache_path $work/cache keys_zone=pages:1m;
  server {
    listen 127.0.0.1:$front;
    client_max_body_size 11m;
    proxy_http_version 1.1;
    proxy_set_header Connection "";
    proxy_set_header Host \$http_host;
    proxy_set_header X-Forwarded-For \$proxy_add_x_forwarded_for;
    proxy_cache pages;
    proxy_cache_revalidate on;
    add_header X-Cache \$upstream_cache_status always;
    location ~ ^/(assets|objects)/ { proxy_pass http://127.0.0.1:$back; }
    location / {
      proxy_pass http://127.0.0.1:$back;
      proxy_set_header Connection "";
      # nginx drops this one where a cache is set, and then no page is ever answered with 304.
      proxy_set_header Host \$http_host;
      proxy_set_header X-Forwarded-For \$proxy_add_x_forwarded_for;
      proxy_set_header If-None-Match \$http_if_none_match;
    }
  }
  # Without any setting nginx speaks HTTP/1.0 and closes each connection.
  server { listen 127.0.0.1:$stock; location / { proxy_pass http://127.0.0.1:$back; } }
}
NGINX
RESPIRO_ADMIN_EMAIL=me@example.org RESPIRO_ADMIN_PASSWORD='corretto cavallo batteria' "$binary" --demo \
  --data site.redb --listen "127.0.0.1:$back" --public-url "$site" --trusted-proxy 127.0.0.1 >respiro.log 2>&1 &
children+=($!)
nginx -p "$work" -c nginx.conf 2>nginx-start.log &
children+=($!)
for _ in $(seq 1 600); do
  if [ "$(curl -s -o /dev/null -w '%{http_code}' "$site/")" = 200 ]; then break; fi
  sleep 0.2
done

# get PATH [curl options]: the body in `body`, the headers in `headers`, the status as output.
get() { local path=$1; shift; curl -sS -o body -D headers -w '%{http_code}' "$@" "$site$path"; }
header() { sed -n "s/^$1: //Ip" headers | tr -d '\r' | tail -n 1; }
is() { [ "$2" = "$3" ] || fail "$1: '$2' instead of '$3'"; }
# kept PATH: a second visitor gets it from the cache, with the same bytes, in each encoding.
kept() {
  for encoding in identity gzip br; do
    is "$1" "$(get "$1" -H "Accept-Encoding: $encoding")" 200
    cp body first
    first_encoding=$(header content-encoding)
    is "$1" "$(get "$1" -H "Accept-Encoding: $encoding")" 200
    is "$1 as $encoding: cache" "$(header x-cache)" HIT
    is "$1 as $encoding: encoding" "$(header content-encoding)" "$first_encoding"
    cmp -s body first || fail "$1 as $encoding: other bytes from the cache"
    [[ $(header cache-control) == *max-age=31536000*immutable* ]] || fail "$1: $(header cache-control)"
    [ -z "$(header set-cookie)" ] || fail "$1 sets a cookie"
  done
}
# asked PATH STATUS [curl options]: the server is asked each time.
asked() {
  local path=$1 status=$2
  shift 2
  for _ in 1 2; do
    is "$path" "$(get "$path" "$@")" "$status"
    [[ $(header x-cache) != HIT ]] || fail "$path came from the cache"
    [[ $(header cache-control) =~ ^(no-cache|no-store|private) ]] || fail "$path: $(header cache-control)"
  done
}

is / "$(get /)" 200
asset=$(grep -o '/assets/[^"]*\.js' body | head -n 1)
style=$(grep -o '/assets/[^"]*\.css' body | head -n 1)
is /api/photo-gallery "$(get /api/photo-gallery)" 200
picture=$(grep -o '/objects/uploads/[a-z0-9]*' body | head -n 1)
[ -n "$asset" ] && [ -n "$style" ] && [ -n "$picture" ] || fail 'no script, style or picture on the page'
kept "$asset"
kept "$style"
kept "$picture"
# Whoever cuts the part that is asked for, the server or the proxy, its bytes are right.
case $(get "$picture" -H 'Accept-Encoding: br' -H 'Range: bytes=0-9') in
  200) cmp -s body first || fail 'the answer to a range is not the whole' ;;
  206) is 'bytes of the range' "$(stat -c %s body)" 10; cmp -s -n 10 body first || fail 'the range holds other bytes' ;;
  *) fail 'a range is refused' ;;
esac
tag=$(header etag)
is 'picture again' "$(get "$picture" -H "If-None-Match: $tag")" 304

for path in / /eventi /nothing /feed.xml /api/events "$asset" "$picture"; do
  status=$(get "$path"); tag=$(header etag); cp body first
  is "$path over HTTP/1.0" "$(curl -sS -o body -D headers -w '%{http_code}' "http://127.0.0.1:$stock$path")" "$status"
  is "tag of $path over HTTP/1.0" "$(header etag)" "$tag"
  cmp -s body first || fail "$path over HTTP/1.0: other bytes"
done
for path in / /eventi /blog /api/events /api/site /feed.xml /sitemap.xml /robots.txt /healthz /admin; do asked "$path" 200; done
asked /nothing 404
asked /testimonials 301
asked /api/admin/events 401
asked /api/auth/session 401
is eventi "$(get /eventi)" 200
tag=$(header etag); length=$(header content-length)
is 'HEAD of a page' "$(get /eventi --head)" 200
is 'tag of HEAD' "$(header etag)" "$tag"
is 'length of HEAD' "$(header content-length)" "$length"
is 'page again' "$(get /eventi -H "If-None-Match: $tag")" 304

# The device gets a cookie of its own beside the session's.
session() { sed -n 's/^set-cookie: //Ip' headers | grep -o '^[^;=]*session=[^;]*'; }
sign_in() { get /api/auth/login -H "Origin: $site" --json '{"email":"me@example.org","password":"corretto cavallo batteria"}'; }
is 'signing in' "$(sign_in)" 200
cookie=$(session)
is 'store of the cookie' "$(header cache-control)" no-store
is 'signing in again' "$(sign_in)" 200
[ "$(session)" != "$cookie" ] || fail 'two people got one cookie'
asked /api/admin/events 200 -H "Cookie: $cookie"
is 'without the cookie' "$(get /api/admin/events)" 401

event='{"title":"Una giornata dietro il proxy","date":"12 marzo 2027","time":"10:00","location":"Milano",
  "description":"Prova.","published":true}'
is 'before the event' "$(get /eventi)" 200
status=$(get /api/admin/events -H "Cookie: $cookie" -H "Origin: $site" --json "$event")
is "a new event ($(cat body))" "$status" 201
id=$(python3 -c 'import json; print(json.load(open("body"))["id"])')
shows() { get "$1" >/dev/null; grep -q "$2" body; }
for path in /eventi "/evento/$id" /api/events; do shows "$path" 'dietro il proxy' || fail "$path does not show the new event"; done
shows /sitemap.xml "/evento/$id" || fail 'the sitemap does not know the new event'
is 'the page with its former tag' "$(get /eventi -H "If-None-Match: $tag")" 200
is 'the change' "$(get "/api/admin/events/$id" -X PUT -H "Cookie: $cookie" -H "Origin: $site" --json '{"title":"Cambiato"}')" 200
! shows /eventi 'dietro il proxy' || fail '/eventi shows the former title'
is 'removing' "$(get "/api/admin/events/$id" -X DELETE -H "Cookie: $cookie" -H "Origin: $site")" 204
is 'the removed event' "$(get "/evento/$id")" 404

# Limits go by the visitor's address: the proxy's word counts, the visitor's own does not.
subscribe() { curl -sS -o /dev/null -w '%{http_code}' --interface "$1" -H "X-Forwarded-For: $2" -H "Origin: $site" \
  --json "{\"email\":\"a$RANDOM@example.org\"}" "$3/api/newsletter"; }
limited() {
  for try in $(seq 1 30); do
    if [ "$(subscribe "$1" "198.51.100.$try" "$2")" = 429 ]; then return 0; fi
  done
  fail "$1 evades the limit by naming other addresses"
}
limited 127.0.0.2 "$site"
is 'another visitor' "$(subscribe 127.0.0.3 198.51.100.200 "$site")" 202
limited 127.0.0.4 "http://127.0.0.1:$back"
echo 'tests/proxy.sh: all well'
