// Tests slow clients against a binary with its production deadlines: a thousand sockets that never finish their
// request, a hundred that do not read the response, sixty that each read a little of a large picture, and sixty of a
// long list. All other clients are served, and the server closes the slow ones in the end.
//
//   node tests/slow.mjs BINARY      a minute and a half
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import { mallocSettings } from '../benches/program.mjs';

const SLOW_HEADS = 1000;
/** The server allows 256 connections of one address, so the slow heads come from several. */
const SLOW_ADDRESSES = 8;
const SLOW_READERS = 100;
const ANSWERS = 50;
/** The deadlines are 10 s for a request head and 60 s for a reader; a busy machine may be late. */
const CLOSED_WITHIN_MILLISECONDS = 180_000;
/** TCP states in /proc/net/tcp. */
const LISTENING = '0A';
const TIME_WAIT = '06';
/**
 * Two workers hold one slice for each reader. Measured: 45 MiB in total, 88 in a development build, which holds more of
 * its file.
 */
const RESIDENT_MEBIBYTES_MAX = 160;
/** Regression: each reader had the whole picture in memory for itself. */
const SIPPING_READERS = 60;
const LARGE_SIDE = 1800;
const LARGE_BYTES_MIN = 2 * 1024 * 1024;
const SIPPING_GROWTH_MEBIBYTES_MAX = 40;
/** A list that exceeds the 4 MiB that Linux buffers for a socket; of a shorter one the program would hold nothing. */
const LONG_EVENTS = 300;
const LONG_LIST_BYTES_MIN = 4.5 * 1024 * 1024;
const LONG_CHARACTERS = 20_000;
const EMAIL = 'anna@example.com';
const PASSWORD = 'respiro profondo';

const folder = mkdtempSync(join(tmpdir(), 'respiro-slow-'));
const server = spawn(process.argv[2], ['--demo', '--data', join(folder, 'x.redb'), '--listen', '127.0.0.1:0', '--log-format', 'json'], {
  stdio: ['ignore', 'ignore', 'pipe'],
  env: { ...mallocSettings, ...process.env, RESPIRO_ADMIN_EMAIL: EMAIL, RESPIRO_ADMIN_PASSWORD: PASSWORD },
});
const sockets = [];
function finish(code, message) {
  (code ? console.error : console.log)(`tests/slow.mjs: ${message}`);
  for (const socket of sockets) socket.destroy();
  server.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
  process.exit(code);
}
process.on('uncaughtException', (error) => finish(1, error.stack));

const port = await new Promise((resolve) => {
  let log = '';
  server.stderr.on('data', (bytes) => {
    log += bytes;
    const ready = /"address":"127\.0\.0\.1:(\d+)"/.exec(log);
    if (ready) resolve(Number(ready[1]));
  });
  server.on('exit', (code) => finish(1, `the server ended with ${code}: ${log}`));
});
const resident = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))[1]) / 1024;
const get = (path) =>
  new Promise((resolve, reject) => {
    http
      .get({ port, path, host: '127.0.0.1', agent: false, timeout: 20_000 }, (answer) => {
        const parts = [];
        answer.on('data', (part) => parts.push(part));
        answer.on('end', () => resolve({ status: answer.statusCode, bytes: parts.reduce((sum, part) => sum + part.length, 0), body: Buffer.concat(parts).toString() }));
      })
      .on('timeout', () => reject(new Error(`${path}: no answer in 20 s`)))
      .on('error', reject);
  });
const anonymous = () => Number(/RssAnon:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))[1]) / 1024;
let cookie = '';
const ask = async (method, path, body) => {
  const isBytes = Buffer.isBuffer(body);
  const headers = { ...(cookie ? { cookie } : {}), ...(isBytes || !body ? {} : { 'content-type': 'application/json' }) };
  const answer = await fetch(new URL(path, `http://127.0.0.1:${port}`), { method, headers, body: isBytes || !body ? body : JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return answer;
};
/** Publishes a picture of noise, which no encoder compresses. Returns its path. */
async function publishLarge() {
  const chunk = (name, bytes) => {
    const named = Buffer.concat([Buffer.from(name), bytes]);
    const around = Buffer.alloc(8);
    around.writeUInt32BE(bytes.length);
    around.writeUInt32BE(crc32(named), 4);
    return Buffer.concat([around.subarray(0, 4), named, around.subarray(4)]);
  };
  const head = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 2, 0, 0, 0]);
  head.writeUInt32BE(LARGE_SIDE, 0);
  head.writeUInt32BE(LARGE_SIDE, 4);
  const rows = Array.from({ length: LARGE_SIDE }, () => [Buffer.alloc(1), randomBytes(LARGE_SIDE * 3)]);
  const png = Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(Buffer.concat(rows.flat()), { level: 0 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
  const { uploadURL } = await (await ask('POST', '/api/admin/upload')).json();
  const { imageUrl } = await (await ask('PUT', new URL(uploadURL).pathname + new URL(uploadURL).search, png)).json();
  await ask('POST', '/api/admin/photo-gallery', { title: 'Grande', imageUrl, imageAlt: 'Grande' });
  return imageUrl;
}
const signedIn = await ask('POST', '/api/auth/login', { email: EMAIL, password: PASSWORD });
cookie = signedIn.headers.getSetCookie().map((line) => line.split(';')[0]).join('; ');
const hexadecimal = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
const before = resident();
const gallery = JSON.parse((await get('/api/photo-gallery')).body);
const picture = gallery[0].imageUrl;

let open = 0;
const connect = (localAddress = '127.0.0.1') =>
  new Promise((resolve, reject) => {
    const socket = net.connect({ port, host: '127.0.0.1', localAddress }, () => resolve(socket));
    socket.on('error', reject);
    socket.on('close', () => {
      open -= 1;
    });
    open += 1;
    sockets.push(socket);
  });
// Runs first, so that the memory of the other clients does not hide the memory of these readers.
const large = await publishLarge();
const whole = await get(large);
if (whole.status !== 200 || whole.bytes < LARGE_BYTES_MIN) finish(1, `the large picture: ${whole.status}, ${whole.bytes} bytes`);
/** Returns the growth of memory in MiB while clients read a little of these paths each second. */
async function sip(paths, what) {
  const beforeSips = anonymous();
  const sipping = paths.map((path, n) => {
    const socket = net.connect(port, '127.0.0.1');
    socket.on('error', () => {});
    socket.pause();
    // Half of the clients go through the routes: a header stands twice.
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n${n % 2 ? 'DNT: 1\r\nDNT: 1\r\n' : ''}\r\n`);
    return socket;
  });
  let most = 0;
  for (let second = 0; second < 10; second += 1) {
    for (const socket of sipping) socket.read(1024);
    await new Promise((resolve) => setTimeout(resolve, 1000));
    most = Math.max(most, anonymous() - beforeSips);
  }
  for (const socket of sipping) socket.destroy();
  if (most > SIPPING_GROWTH_MEBIBYTES_MAX) finish(1, `${paths.length} readers of ${what} take ${most.toFixed(0)} MiB`);
  return most;
}
const mostForSips = await sip(Array(SIPPING_READERS).fill(large), 'one large picture');
// Each client starts at another offset, so that no response is cached.
for (let n = 0; n < LONG_EVENTS; n += 1) {
  const content = `${'Una parola dopo l’altra. '.repeat(LONG_CHARACTERS).slice(0, LONG_CHARACTERS - 8)} fine ${n}`.slice(0, LONG_CHARACTERS);
  await ask('POST', '/api/admin/events', { title: `Evento ${n}`, content, published: true });
}
const list = await get('/api/events?offset=1');
if (list.status !== 200 || list.bytes < LONG_LIST_BYTES_MIN) finish(1, `the long list: ${list.status}, ${list.bytes} bytes`);
const mostForLists = await sip(Array.from({ length: SIPPING_READERS }, (_, n) => `/api/events?offset=${n + 1}`), 'one long list');

for (let n = 0; n < SLOW_READERS; n += 1) {
  const socket = await connect();
  socket.pause();
  socket.write(`GET ${picture} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(20));
  open -= 1;
  socket.removeAllListeners('close');
  socket.on('error', () => {});
}
for (let n = 0; n < SLOW_HEADS; n += 1) {
  const socket = await connect(`127.0.0.${2 + (n % SLOW_ADDRESSES)}`);
  socket.on('error', () => {});
  socket.resume();
  socket.write('GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ');
}
const drip = setInterval(() => {
  for (const socket of sockets.slice(SLOW_READERS)) if (!socket.destroyed && socket.writable) socket.write('a');
}, 1000);
const held = open;
let slowest = 0;
for (let n = 0; n < ANSWERS; n += 1) {
  const started = performance.now();
  const answer = await get(['/', '/eventi', '/api/events', picture][n % 4]);
  if (answer.status !== 200) finish(1, `status ${answer.status} beside slow clients`);
  slowest = Math.max(slowest, performance.now() - started);
}
const within = resident();
const deadline = performance.now() + CLOSED_WITHIN_MILLISECONDS;
while (open > 0 && performance.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 250));
clearInterval(drip);
if (open > 0) finish(1, `${open} slow sockets are still open`);
// The readers' own sockets stay paused and do not report the close, so count the server's sockets in the kernel's list.
const heldByServer = () =>
  readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local, , state]) => local?.endsWith(hexadecimal) && state !== LISTENING && state !== TIME_WAIT).length;
const readersAtFirst = heldByServer();
// A reader whose response fits into the kernel's buffers would not stall, and the test would prove nothing.
if (readersAtFirst < SLOW_READERS) finish(1, `only ${readersAtFirst} of ${SLOW_READERS} readers stall`);
while (heldByServer() > 0 && performance.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 500));
if (heldByServer() > 0) finish(1, `${heldByServer()} readers that take nothing were not cut off`);
if (within > RESIDENT_MEBIBYTES_MAX) finish(1, `${within.toFixed(0)} MiB in memory`);
if ((await get('/')).status !== 200) finish(1, 'the site does not answer afterwards');
finish(
  0,
  `all well; ${held} slow heads and ${SLOW_READERS} idle readers, ${ANSWERS} answers beside them, the slowest ` +
    `${slowest.toFixed(0)} ms; memory ${before.toFixed(0)} -> ${within.toFixed(0)} MiB; ` +
    `${SIPPING_READERS} readers of a picture of ${(whole.bytes / 1024 / 1024).toFixed(1)} MiB: ${mostForSips.toFixed(1)} MiB, ` +
    `of a list of ${(list.bytes / 1024 / 1024).toFixed(1)} MiB: ${mostForLists.toFixed(1)} MiB`,
);
