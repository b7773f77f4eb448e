// Clients that take their time, against a binary with its real deadlines: a thousand sockets that
// never finish their question and a hundred that do not read the answer. Everybody else is served, and in the
// end they are cut off.
//
//   node tests/slow.mjs BINARY      a minute and a half
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const SLOW_HEADS = 1000;
const SLOW_READERS = 100;
const ANSWERS = 50;
/** The deadlines are 10 s for a head and 60 s for a reader; a busy machine may be late. */
const CLOSED_WITHIN_MILLISECONDS = 180_000;
/** TCP states of /proc/net/tcp. */
const LISTENING = '0A';
const TIME_WAIT = '06';
/** Two workers hold one slice for each of them; measured 45 MiB in all. */
const RESIDENT_MEBIBYTES_MAX = 160;

const folder = mkdtempSync(join(tmpdir(), 'respiro-slow-'));
const server = spawn(process.argv[2], ['--demo', '--data', join(folder, 'x.redb'), '--listen', '127.0.0.1:0', '--log-format', 'json'], {
  stdio: ['ignore', 'ignore', 'pipe'],
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
        answer.on('end', () => resolve({ status: answer.statusCode, body: Buffer.concat(parts).toString() }));
      })
      .on('timeout', () => reject(new Error(`${path}: no answer in 20 s`)))
      .on('error', reject);
  });
const hexadecimal = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
const before = resident();
const gallery = JSON.parse((await get('/api/photo-gallery')).body);
const picture = gallery[0].imageUrl;

let open = 0;
const connect = () =>
  new Promise((resolve, reject) => {
    const socket = net.connect(port, '127.0.0.1', () => resolve(socket));
    socket.on('error', reject);
    socket.on('close', () => {
      open -= 1;
    });
    open += 1;
    sockets.push(socket);
  });
for (let n = 0; n < SLOW_READERS; n += 1) {
  const socket = await connect();
  socket.pause();
  socket.write(`GET ${picture} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(20));
  open -= 1;
  socket.removeAllListeners('close');
  socket.on('error', () => {});
}
for (let n = 0; n < SLOW_HEADS; n += 1) {
  const socket = await connect();
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
// The readers' own ends stay paused and cannot tell: what the server still holds, by the kernel's list.
const heldByServer = () =>
  readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local, , state]) => local?.endsWith(hexadecimal) && state !== LISTENING && state !== TIME_WAIT).length;
const readersAtFirst = heldByServer();
// Whoever got the whole answer into the kernel's buffers would not stall, and prove nothing.
if (readersAtFirst < SLOW_READERS) finish(1, `only ${readersAtFirst} of ${SLOW_READERS} readers stall`);
while (heldByServer() > 0 && performance.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 500));
if (heldByServer() > 0) finish(1, `${heldByServer()} readers that take nothing were not cut off`);
if (within > RESIDENT_MEBIBYTES_MAX) finish(1, `${within.toFixed(0)} MiB in memory`);
if ((await get('/')).status !== 200) finish(1, 'the site does not answer afterwards');
finish(
  0,
  `all well; ${held} slow heads and ${SLOW_READERS} idle readers, ${ANSWERS} answers beside them, the slowest ` +
    `${slowest.toFixed(0)} ms; memory ${before.toFixed(0)} -> ${within.toFixed(0)} MiB`,
);
