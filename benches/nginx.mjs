// Starts nginx, as Debian packages it, on a folder of files, for a comparison in the same run.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  return port
}

/** Writes a file into the root of nginx; with `compressed` also a `.gz` file, which `gzip_static` sends. */
export function put(root, path, bytes, compressed = false) {
  const file = join(root, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, bytes)
  if (compressed) writeFileSync(`${file}.gz`, compressed === true ? gzipSync(bytes, { level: 6 }) : compressed)
}

/**
 * Starts nginx at its fastest: no log, cached open files, precompressed files, keep-alive. `more` holds lines for its
 * `server` block.
 */
export async function startNginx(folder, root, tls, more = '') {
  const port = await freePort()
  const config = join(folder, 'nginx.conf')
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')
  const secure = tls ? `ssl_certificate ${tls.certificate}; ssl_certificate_key ${tls.key}; ssl_protocols TLSv1.2 TLSv1.3;
      ssl_session_cache shared:bench:8m; ssl_session_tickets on;` : ''
  writeFileSync(config, `worker_processes auto; daemon off; pid ${folder}/nginx.pid; error_log ${folder}/nginx.log crit;
    ${process.getuid() === 0 ? 'user root;' : ''}
    events { worker_connections 4096; }
    http {
      types { text/html html; text/javascript js; image/jpeg jpg; image/webp webp; }
      access_log off; sendfile on; tcp_nopush on; tcp_nodelay on; gzip_static on; gzip_vary on; etag on;
      keepalive_requests 1000000000; keepalive_timeout 60s; ${temporary}
      open_file_cache max=1000 inactive=60s; open_file_cache_valid 60s; open_file_cache_errors on;
      server { listen 127.0.0.1:${port}${tls ? ' ssl' : ''}${tls?.http2 ? ' http2' : ''}; root ${root}; error_page 404 /404.html; ${secure} ${more} }
    }`)
  const child = spawn('nginx', ['-c', config, '-e', join(folder, 'nginx.log')], { stdio: ['ignore', 'inherit', 'inherit'] })
  const ended = once(child, 'exit')
  for (let tries = 0; tries < 100; tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 50))
    if (child.exitCode !== null) throw new Error(readFileSync(join(folder, 'nginx.log'), 'utf8'))
    try {
      process.kill(Number(readFileSync(join(folder, 'nginx.pid'), 'utf8')), 0)
      break
    } catch {}
  }
  return {
    origin: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    pid: child.pid,
    stop: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** Returns the processor time of a process and its children in microseconds; the system counts in steps of 10 ms. */
export function processorMicroseconds(pid) {
  let ticks = 0
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    let stat
    try {
      stat = readFileSync(`/proc/${name}/stat`, 'utf8')
    } catch {
      continue
    }
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (Number(name) === pid || Number(fields[1]) === pid) ticks += Number(fields[11]) + Number(fields[12])
  }
  return ticks * 10_000
}
