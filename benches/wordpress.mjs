// Compares the home page with WordPress as Debian packages it (nginx, php-fpm, MariaDB), with and without a page cache.
//
//   cargo build --release && node benches/wordpress.mjs target/release/respiro [--write]
//
// Needs wordpress, nginx, php-fpm, php-mysql, mariadb-server and wrk (all in Debian), and root for none of them. The
// page cache is the fastest possible in PHP: the drop-in that cache plugins use, which sends one compressed file before
// WordPress loads.

import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { startNginx } from './nginx.mjs'
import { atRest, folder, start } from './program.mjs'
import { machine, median, report, table } from './report.mjs'

const rounds = Number(process.env.ROUNDS ?? 3)
const seconds = Number(process.env.SECONDS_EACH ?? 3)
const binary = process.argv[2] ?? 'target/release/respiro'
const packaged = '/usr/share/wordpress'
const fpm = readdirSync('/usr/sbin').find((name) => name.startsWith('php-fpm'))
if (!existsSync(packaged) || fpm === undefined) throw new Error('apt-get install wordpress nginx php-fpm php-mysql mariadb-server wrk')

const place = folder()
const home = dirname(place.data)
const site = join(home, 'site')
const user = userInfo().username
const running = []

function run(command, args) {
  const child = spawn(command, args, { stdio: 'ignore', env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` } })
  running.push({ pid: child.pid, stop: () => (child.kill('SIGTERM'), child.exitCode === null ? once(child, 'exit') : null) })
  return child
}

async function appears(path) {
  for (let tries = 0; tries < 200; tries += 1) {
    if (existsSync(path)) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`${path} does not appear`)
}

async function startDatabase() {
  const [data, socket] = [join(home, 'database'), join(home, 'db.sock')]
  const flags = ['--no-defaults', `--datadir=${data}`, `--user=${user}`]
  execFileSync('mariadb-install-db', [...flags, '--auth-root-authentication-method=normal'], { stdio: 'ignore' })
  run('mariadbd', [...flags, `--socket=${socket}`, '--skip-networking', `--pid-file=${home}/db.pid`])
  await appears(socket)
  execFileSync('php', ['-r', `(new mysqli('localhost', 'root', '', '', 0, '${socket}'))->query('CREATE DATABASE wordpress CHARACTER SET utf8mb4');`])
  return socket
}

/** Starts php-fpm with as many workers as Debian's own pool. */
async function startPhp() {
  const socket = join(home, 'php.sock')
  const config = join(home, 'php-fpm.conf')
  writeFileSync(config, `[global]\nerror_log = ${home}/php.log\n[www]\nlisten = ${socket}\npm = dynamic\npm.max_children = 5
pm.start_servers = 2\npm.min_spare_servers = 1\npm.max_spare_servers = 3\n${process.getuid() === 0 ? 'user = root\ngroup = root\n' : ''}`)
  run(`/usr/sbin/${fpm}`, ['-F', ...(process.getuid() === 0 ? ['-R'] : []), '-y', config])
  await appears(socket)
  return socket
}

const cached = join(site, 'wp-content/cached-home.html.gz')

async function startWordPress() {
  try {
    execFileSync('cp', ['-rL', packaged, site], { stdio: 'ignore' })
  } catch {
    // Links to libraries that only the panel of WordPress needs are broken.
  }
  rmSync(join(site, 'wp-config.php'), { force: true })
  mkdirSync(join(site, 'wp-content/uploads'), { recursive: true })
  const database = await startDatabase()
  const php = await startPhp()
  const nginx = await startNginx(home, site, undefined, `gzip on; index index.php; location / { try_files $uri $uri/ /index.php?$args; }
    location ~ \\.php$ { include /etc/nginx/fastcgi_params; fastcgi_param SCRIPT_FILENAME $document_root$fastcgi_script_name; fastcgi_pass unix:${php}; }`)
  running.push(nginx)
  writeFileSync(join(site, 'wp-config.php'), `<?php
define('DB_NAME', 'wordpress'); define('DB_USER', 'root'); define('DB_PASSWORD', ''); define('DB_HOST', 'localhost:${database}');
define('DB_CHARSET', 'utf8mb4'); define('DB_COLLATE', ''); define('WP_HOME', '${nginx.origin}'); define('WP_SITEURL', '${nginx.origin}');
define('WP_HTTP_BLOCK_EXTERNAL', true); define('DISABLE_WP_CRON', true); define('WP_CACHE', true);
$table_prefix = 'wp_';
if (!defined('ABSPATH')) define('ABSPATH', __DIR__ . '/');
require_once ABSPATH . 'wp-settings.php';\n`)
  writeFileSync(join(site, 'wp-content/advanced-cache.php'), `<?php
if (($_SERVER['REQUEST_URI'] ?? '') === '/' && is_file('${cached}')) {
  header('Content-Type: text/html; charset=UTF-8'); header('Content-Encoding: gzip'); readfile('${cached}'); exit;
}\n`)
  // WordPress redirects the page of a non-default port to itself, so disable its canonical redirect.
  mkdirSync(join(site, 'wp-content/mu-plugins'))
  writeFileSync(join(site, 'wp-content/mu-plugins/stay.php'), "<?php remove_action('template_redirect', 'redirect_canonical');\n")
  const form = new URLSearchParams({ weblog_title: 'Respiro', user_name: 'anna', admin_password: 'un respiro misurato', admin_password2: 'un respiro misurato', admin_email: 'anna@example.com', pw_weak: 'on', blog_public: '1' })
  const answer = await fetch(`${nginx.origin}/wp-admin/install.php?step=2`, { method: 'POST', body: form })
  if (!(await answer.text()).includes('wp-login.php')) throw new Error(`WordPress is not installed: ${answer.status}`)
  return nginx
}

function load(origin) {
  const said = execFileSync('wrk', ['-t1', '-c32', `-d${seconds}s`, '--latency', '-H', 'Accept-Encoding: gzip', `${origin}/`], { encoding: 'utf8' })
  if (/Non-2xx/.test(said)) throw new Error(said)
  const [, value, unit] = /50%\s+([\d.]+)(us|ms|s)/.exec(said)
  return { rate: Number(/Requests\/sec:\s+([\d.]+)/.exec(said)[1]), p50: Number(value) * { us: 0.001, ms: 1, s: 1000 }[unit] }
}

/** Returns the proportional memory (PSS) of processes and their children in MiB. */
function memory(pids) {
  const of = (pid) => {
    try {
      return Number(/^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0)
    } catch {
      return 0
    }
  }
  const parent = (pid) => {
    try {
      return Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
    } catch {
      return 0
    }
  }
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name)).map(Number)
  return all.filter((pid) => pids.includes(pid) || pids.includes(parent(pid))).reduce((sum, pid) => sum + of(pid), 0) / 1024
}

let program
try {
  program = await start(binary, place.data, ['--demo'])
  await atRest(program)
  const wordpress = await startWordPress()
  const page = Buffer.from(await (await fetch(`${wordpress.origin}/`)).arrayBuffer())
  if (!page.includes('</html>')) throw new Error('WordPress shows no page')
  const turns = { program: [], cached: [], bare: [] }
  for (let round = 0; round < rounds; round += 1) {
    turns.program.push(load(program.origin))
    writeFileSync(cached, gzipSync(page))
    turns.cached.push(load(wordpress.origin))
    rmSync(cached)
    turns.bare.push(load(wordpress.origin))
  }
  const of = (side, figure) => median(turns[side].map((one) => one[figure]))
  const ratio = (side) => `**${(of('program', 'rate') / of(side, 'rate')).toFixed(1)}**`
  const lines = [
    ['the home page', 'requests/s', 'times as many', 'goal', 'p50 ms'],
    ['the program', of('program', 'rate').toFixed(0), '', '', of('program', 'p50').toFixed(2)],
    ['WordPress, page cache', of('cached', 'rate').toFixed(0), ratio('cached'), '20', of('cached', 'p50').toFixed(2)],
    ['WordPress', of('bare', 'rate').toFixed(1), ratio('bare'), '3,000', of('bare', 'p50').toFixed(0)],
  ]
  const [ours, theirs] = [memory([program.pid]), memory(running.map(({ pid }) => pid))]
  report('wordpress', `${table(lines)}

Memory after that (shared parts by share): ${ours.toFixed(0)} MiB beside ${theirs.toFixed(0)}, **${(ours / theirs).toFixed(2)}** (goal 0.2). Medians of ${rounds} turns of
${seconds} s each; \`wrk -t1 -c32\` on the same machine (${machine()}).`)
} finally {
  for (const one of running.reverse()) await one.stop()
  await program?.stop()
  place.remove()
}
