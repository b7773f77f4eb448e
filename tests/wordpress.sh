#!/usr/bin/env bash
# An export made by a real WordPress (Debian's package, a database of its own, no web server), read by the program.
#
#   bash tests/wordpress.sh BINARY [FOLDER]      by hand; FOLDER keeps the export and the library
#
# Needs php-cli php-mysql php-xml php-gd mariadb-server-core mariadb-client-core, and apt to fetch the package `wordpress`, which is
# unpacked and not installed.
set -euo pipefail
binary=$(readlink -f "${1:?usage: tests/wordpress.sh BINARY [FOLDER]}")
PATH=$PATH:/usr/sbin
for command in php mariadbd mariadb-install-db my_print_defaults apt-get dpkg-deb; do
  command -v "$command" >/dev/null || { echo "tests/wordpress.sh: $command is missing, skipped"; exit 0; }
done
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
work=$(mktemp -d)
database=
finish() {
  if [ -n "$database" ]; then kill "$database" 2>/dev/null || true; wait "$database" 2>/dev/null || true; fi
  rm -rf "$work"
}
trap finish EXIT
fail() { echo "tests/wordpress.sh: $*" >&2; exit 1; }
cd "$work"
# What apt fetches is readable for its own user.
chmod 755 "$work"
apt-get download wordpress >/dev/null 2>&1 || fail 'the package wordpress cannot be fetched'
dpkg-deb -x wordpress_*.deb package
# Links to libraries that only its pages need lead nowhere.
cp -rL package/usr/share/wordpress site 2>/dev/null || true
rm -f site/wp-config.php
mkdir -p site/wp-content/uploads

mariadb-install-db --no-defaults --datadir="$work/database" --auth-root-authentication-method=normal \
  --user="$(id -un)" >database.log 2>&1 || fail "no database: $(tail -3 database.log)"
mariadbd --no-defaults --datadir="$work/database" --socket="$work/db.sock" --skip-networking \
  --user="$(id -un)" --pid-file="$work/db.pid" >>database.log 2>&1 &
database=$!
for _ in $(seq 1 100); do [ -S db.sock ] && break; sleep 0.2; done
[ -S db.sock ] || fail "the database does not start: $(tail -3 database.log)"

cat >site/wp-config.php <<PHP
<?php
define('DB_NAME', 'wordpress'); define('DB_USER', 'root'); define('DB_PASSWORD', ''); define('DB_HOST', 'localhost:$work/db.sock');
define('DB_CHARSET', 'utf8mb4'); define('DB_COLLATE', '');
define('WP_HOME', 'https://vecchio.example'); define('WP_SITEURL', 'https://vecchio.example');
define('WP_CONTENT_URL', 'https://vecchio.example/wp-content');
define('WP_HTTP_BLOCK_EXTERNAL', true); define('DISABLE_WP_CRON', true);
\$table_prefix = 'wp_';
if (!defined('ABSPATH')) define('ABSPATH', __DIR__ . '/');
require_once ABSPATH . 'wp-settings.php';
PHP
php -r "(new mysqli('localhost', 'root', '', '', 0, '$work/db.sock'))->query('CREATE DATABASE wordpress CHARACTER SET utf8mb4');"
php "$here/wordpress/fill.php" "$work/site" >export.xml 2>fill.log || fail "WordPress: $(tail -5 fill.log)"
grep -q '<wp:wxr_version>' export.xml || fail "no export: $(head -c 400 export.xml; tail -5 fill.log)"
if [ -n "${2:-}" ]; then
  mkdir -p "$2"
  cp export.xml "$2/"
  cp -r site/wp-content/uploads "$2/"
fi

"$binary" import --data "$work/new.redb" --wordpress export.xml --media site/wp-content/uploads --dry-run >trial.txt
[ ! -e new.redb ] || fail 'a dry run made a data file'
"$binary" import --data "$work/new.redb" --wordpress export.xml --media site/wp-content/uploads >report.txt
"$binary" check "$work/new.redb" >/dev/null
cat report.txt
# shellcheck disable=SC1112
for line in \
  '- 4 articoli, di cui 1 in bozza' \
  '- 4 immagini' \
  '«Respiro consapevole»' \
  '- 1 articolo privato o protetto da password.' \
  '- 1 articolo era nel cestino.' \
  'il contenuto di https://www.youtube.com/watch?v=abc è diventato un link' \
  'la galleria è diventata una fila di immagini' \
  'non è arrivato «contact-form-7»' \
  '==== Chi sono ===='; do
  grep -qF -- "$line" report.txt || fail "the report does not say: $line"
done
diff <(sed '/^Prova/d; /^Questa è una prova/d; /^$/d' trial.txt) <(sed '/^Che cosa è arrivato/d; /^$/d' report.txt) || fail 'the trial said something else'
"$binary" export --data "$work/new.redb" "$work/out" >/dev/null
grep -q '"path": "/2019/05/tre-minuti/"\|"path": "/2019/05/tre-minuti"' out/respiro.json || fail 'no former path'
echo 'tests/wordpress.sh: all well'
