// Runs visitors, the panel, uploads, deletions and strangers who try to fill memory and disk, all at once for a long
// time. In the end memory, file and descriptors have not grown, and no request has failed.
//
//   node tests/soak.mjs BINARY [MINUTES]      3 minutes if not said; 60 before a release
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mallocSettings } from '../benches/program.mjs';

const MINUTES = Number(process.argv[3] ?? 3);
/** Fraction of the run after which memory counts as the baseline for later growth. */
const WARM = 0.3;
/** Bounded tables and caches (docs/SECURITY.md) keep filling: 24 MiB in three minutes, 19 in the last 42 of an hour. */
const GROWTH_MEBIBYTES_MAX = 48;
/** The store keeps this many bytes of freed pages for copies of the live file (docs/reliability.md): not growth yet. */
const FILE_KEPT_BYTES = 64 * 1024 * 1024;
/** A full file doubles: at most twice its content plus the pages kept for copies, however long this runs. */
const FILE_SLACK = 2;
/**
 * Picture processing yields to every other program, including compilers beside this test, and has three minutes
 * (`WALL_TIME_MAX`).
 */
const ANSWER_MILLISECONDS_MAX = 200_000;
const EMAIL = 'anna@example.com';
const PASSWORD = 'respiro profondo';
const folder = mkdtempSync(join(tmpdir(), 'respiro-soak-'));
const data = join(folder, 'x.redb');
const server = spawn(process.argv[2], ['--demo', '--data', data, '--listen', '127.0.0.1:0', '--log-format', 'json'], {
  stdio: ['ignore', 'ignore', 'pipe'],
  env: { ...mallocSettings, ...process.env, RESPIRO_ADMIN_EMAIL: EMAIL, RESPIRO_ADMIN_PASSWORD: PASSWORD },
});
let done = false;
function finish(code, message) {
  (code ? console.error : console.log)(`tests/soak.mjs: ${message}`);
  server.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
  process.exit(code);
}
const failures = [];
// A failed response makes a job throw, so report the failed responses first.
process.on('uncaughtException', (error) => finish(1, [...failures, error.stack].join('\n')));
const port = await new Promise((resolve) => {
  let log = '';
  server.stderr.on('data', (bytes) => {
    log += bytes;
    const ready = /"address":"127\.0\.0\.1:(\d+)"/.exec(log);
    if (ready) resolve(Number(ready[1]));
    for (const line of String(bytes).split('\n')) if (line.includes('"level":"ERROR"')) failures.push(line);
    log = log.slice(-4000);
  });
  server.on('exit', (code) => done || finish(1, `the server ended with ${code}: ${log}`));
});

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const agent = new http.Agent({ keepAlive: true, maxSockets: 16 });
const counts = {};
function ask(method, path, body, headers = {}, isAgain = false) {
  return new Promise((resolve) => {
    const bytes = body === undefined || Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
    const request = http.request({ port, host: '127.0.0.1', agent, method, path, headers, timeout: ANSWER_MILLISECONDS_MAX }, (answer) => {
      const parts = [];
      answer.on('data', (part) => parts.push(part));
      answer.on('end', () => {
        counts[answer.statusCode] = (counts[answer.statusCode] ?? 0) + 1;
        if (answer.statusCode >= 500) failures.push(`${method} ${path}: ${answer.statusCode}`);
        resolve({ status: answer.statusCode, headers: answer.headers, body: Buffer.concat(parts) });
      });
    });
    request.on('timeout', () => request.destroy(new Error('no answer')));
    request.on('error', (error) => {
      // The server may close a kept-alive connection just as the client reuses it (RFC 9112, 9.3.1): retry once.
      if (request.reusedSocket && error.code === 'ECONNRESET' && !isAgain) {
        counts.again = (counts.again ?? 0) + 1;
        resolve(ask(method, path, body, headers, true));
        return;
      }
      if (!done) failures.push(`${method} ${path}: ${error.message}`);
      resolve({ status: 0, headers: {}, body: Buffer.alloc(0) });
    });
    if (bytes) request.setHeader('content-length', bytes.length);
    if (bytes && !Buffer.isBuffer(body)) request.setHeader('content-type', 'application/json');
    request.end(bytes);
  });
}

const signedIn = await ask('POST', '/api/auth/login', { email: EMAIL, password: PASSWORD });
const cookie = signedIn.headers['set-cookie'].map((line) => line.split(';')[0]).join('; ');
const admin = (method, path, body) => ask(method, path, body, { cookie });
const gallery = JSON.parse((await ask('GET', '/api/photo-gallery')).body);
const event = JSON.parse((await admin('GET', '/api/admin/events')).body)[0];
const picture = (await ask('GET', gallery[0].imageUrl)).body;

let number = 0;
const jobs = {
  async visitor() {
    for (const path of ['/', '/eventi', `/evento/${event.id}`, '/blog', '/feed.xml', '/api/events', '/none', gallery[number++ % gallery.length].imageUrl])
      await ask('GET', path, undefined, { 'accept-encoding': 'br' });
    await ask('POST', '/api/press', Buffer.from(`phone /evento/${event.id}`), { 'content-type': 'text/plain' });
    await pause(50);
  },
  async editor() {
    await admin('PUT', `/api/admin/events/${event.id}`, { title: `Titolo ${number++}` });
    await admin('PUT', `/api/admin/events/${event.id}/move`, { direction: number % 2 ? 'up' : 'down' });
    await pause(500);
  },
  async writer() {
    // Changes a text of every page, so that each publication renders all of them.
    const { value } = JSON.parse((await admin('GET', '/api/admin/words/header.menu')).body);
    value.left[0].label = `Home ${number++}`;
    await admin('PUT', '/api/admin/words/header.menu', { value });
    await pause(2000);
  },
  async uploader() {
    const { uploadURL } = JSON.parse((await admin('POST', '/api/admin/upload')).body);
    const { pathname, search } = new URL(uploadURL);
    const { imageUrl } = JSON.parse((await ask('PUT', pathname + search, picture)).body);
    const made = await admin('POST', '/api/admin/photo-gallery', { title: 'Prova', category: gallery[0].category, imageUrl });
    const { id } = JSON.parse(made.body);
    await admin('DELETE', `/api/admin/photo-gallery/${id}`);
    await admin('DELETE', `/api/admin/trash/${id}`);
    await pause(1500);
  },
  async stranger() {
    await ask('POST', '/api/auth/logout', undefined, { cookie: `respiro-session=${number++}` });
    await ask('POST', '/api/auth/login', { email: `${'a'.repeat(100_000)}${number}@example.com`, password: 'x' });
    await ask('POST', '/api/newsletter', { email: 'always@example.com' });
    await ask('POST', `/newsletter/conferma/${number}`);
    await ask('GET', `/unknown/${number}`);
    await pause(20);
  },
};

const resident = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))[1]) / 1024;
const descriptors = () => readdirSync(`/proc/${server.pid}/fd`).length;
const fileBytes = () => statSync(data).size;
const [before, firstFile] = [descriptors(), fileBytes()];
const until = Date.now() + MINUTES * 60_000;
const running = Object.entries(jobs).flatMap(([name, job]) =>
  Array.from({ length: name === 'visitor' ? 2 : 1 }, async () => {
    while (Date.now() < until && failures.length === 0) await job();
  }),
);
await new Promise((resolve) => setTimeout(resolve, MINUTES * 60_000 * WARM));
const warmMemory = resident();
await Promise.all(running);
agent.destroy();
await new Promise((resolve) => setTimeout(resolve, 2_000));
done = true;
const [memory, file, after] = [resident(), fileBytes(), descriptors()];
const figures =
  `${MINUTES} min, ${Object.values(counts).reduce((a, b) => a + b, 0)} answers (${JSON.stringify(counts)}); ` +
  `memory ${warmMemory.toFixed(0)} to ${memory.toFixed(0)} MiB, file ${(firstFile / 1e6).toFixed(1)} to ${(file / 1e6).toFixed(1)} MB, ` +
  `descriptors ${before} to ${after}`;
if (failures.length) finish(1, `${failures.slice(0, 5).join('\n')}\n${figures}`);
if (memory > warmMemory + GROWTH_MEBIBYTES_MAX) finish(1, `memory grew: ${figures}`);
if (file > (firstFile + FILE_KEPT_BYTES) * FILE_SLACK) finish(1, `the file grew: ${figures}`);
if (after > before + 2) finish(1, `descriptors were left: ${figures}`);
finish(0, figures);
