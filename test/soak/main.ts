/**
 * `npm run soak -- --days 7 --speed 60`: a bot with everything on, against a paper service over sockets, for as
 * many days of market time as are named. Prints a row for each quarter of a day, and fails if something grew.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo } from 'node:net';
import { createServer as createHttpServer } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { toolFlags } from '../readToolFlags.ts';
import { root } from '../sourceFiles.ts';
import { SYMBOLS, soakBot, soakPaper } from './configs.ts';
import { formatRow, growth, HEAD, type SoakRow } from './soakTable.ts';
import { sampleProcess } from './sampleProcess.ts';

const values = toolFlags({
  options: {
    days: { type: 'string', default: '7' },
    speed: { type: 'string', default: '60' },
    folder: { type: 'string' },
  },
  modes: { '': ['days', 'speed', 'folder'] },
  counts: ['days', 'speed'],
});
const days = Number(values.days);
const speed = Number(values.speed);
const print = (text: string): void => void process.stdout.write(`${text}\n`);
const QUARTER_MS = 21_600_000 / speed;
const folder = values.folder ?? mkdtempSync(join(root, 'var-soak-'));
const children: ChildProcess[] = [];

function start(args: readonly string[], env: NodeJS.ProcessEnv = {}): ChildProcess {
  const child = spawn(process.execPath, [join(root, 'bin/trimtab.js'), ...args], {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  return child;
}

/** Someone who takes every alert and counts them. */
async function openReceiver(): Promise<{ url: string; count(): number }> {
  let count = 0;
  const server = createHttpServer((request, response) => {
    request.resume().on('end', () => {
      count++;
      response.end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  server.unref();
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/hook`, count: () => count };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** A page that follows the events for ever; counts the lines. */
async function follow(address: string, onLine: () => void): Promise<void> {
  for (;;) {
    try {
      const answer = await fetch(new URL('/api/events', address));
      const decoder = new TextDecoder();
      for await (const part of answer.body!) {
        for (const line of decoder.decode(part as Uint8Array, { stream: true }).split('\n')) {
          if (line.startsWith('id:')) onLine();
        }
      }
    } catch {
      // The bot is down or has closed the connection: come again.
    }
    await sleep(1_000);
  }
}

/** A reader that asks for the events and never reads them. */
function stall({ hostname, port, host }: URL): void {
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  socket.write(`GET /api/events HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
  socket.pause();
  socket.unref();
}

async function readMetrics(address: string): Promise<Map<string, number>> {
  const text = await (await fetch(new URL('/metrics', address))).text();
  const sums = new Map<string, number>();
  for (const line of text.split('\n')) {
    const match = /^(trimtab_[a-z0-9_]+)(?:\{[^}]*\})? (\S+)/.exec(line);
    if (match === null) continue;
    sums.set(match[1]!, (sums.get(match[1]!) ?? 0) + Number(match[2]));
  }
  return sums;
}

process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});
process.on('SIGINT', () => process.exit(130));
process.on('SIGTERM', () => process.exit(143));

writeFileSync(join(folder, 'paper.yaml'), soakPaper(days));
const paper = start(['paper', '--config', 'paper.yaml', '--port', '0', '--speed', String(speed)]);
paper.stderr!.resume();
const [line] = (await once(createInterface(paper.stdout!), 'line')) as [string];
const service = JSON.parse(line) as Record<'base_url' | 'ws_url' | 'key_id' | 'secret', string>;
const receiver = await openReceiver();
const port = await freePort();
writeFileSync(join(folder, 'bot.yaml'), soakBot({ service, port, speed }));
const bot = start(['run', 'bot.yaml', '--log-level', 'info'], {
  SOAK_SECRET: service.secret,
  SOAK_HOOK: receiver.url,
});
let lines = 0;
let last = '';
for (const stream of [bot.stdout!, bot.stderr!]) {
  createInterface(stream).on('line', (text) => {
    lines++;
    last = text;
  });
}
const ended = once(bot, 'exit').then(([code]) => {
  print(`The bot ended with ${String(code)}: ${last}`);
  process.exit(1);
});
const address = `http://127.0.0.1:${port}`;
let events = 0;
void follow(address, () => events++);
void sleep(20_000).then(() => stall(new URL(address)));
const isReady = async (): Promise<boolean> =>
  (await fetch(new URL('/readyz', address)).catch(() => undefined))?.ok === true;
while (!(await isReady())) await Promise.race([sleep(500), ended]);

print(`${days} days of ${SYMBOLS.length} markets at ${speed} times the clock, in ${folder}`);
print(HEAD);
const rows: SoakRow[] = [];
const began = performance.now();
let scrapes = 0;
for (let quarter = 1; quarter <= days * 4; quarter++) {
  let metrics = new Map<string, number>();
  while (performance.now() - began < quarter * QUARTER_MS) {
    await Promise.race([sleep(Math.min(15_000, QUARTER_MS / 4)), ended]);
    metrics = await readMetrics(address).catch(() => metrics);
    scrapes++;
  }
  const row: SoakRow = {
    days: quarter / 4,
    bot: sampleProcess(bot.pid!),
    paper: sampleProcess(paper.pid!),
    journalBytes: metrics.get('trimtab_journal_bytes') ?? NaN,
    lagSeconds: metrics.get('trimtab_event_loop_lag_seconds') ?? NaN,
    intents: metrics.get('trimtab_intents_total') ?? NaN,
    fills: metrics.get('trimtab_fills_total') ?? NaN,
    unknown:
      (metrics.get('trimtab_unknown_intents') ?? NaN) +
      (metrics.get('trimtab_unresolved_intents') ?? NaN),
    reconnects: metrics.get('trimtab_stream_reconnects_total') ?? NaN,
    killLevel: metrics.get('trimtab_kill_level') ?? NaN,
    events,
    scrapes,
    alerts: receiver.count(),
    logLines: lines,
  };
  rows.push(row);
  print(formatRow(row));
}
const grew = growth(rows);
for (const sentence of grew) print(sentence);
print(grew.length === 0 ? 'Nothing grew.' : 'Something grew.');
for (const child of children) child.kill('SIGKILL');
if (values.folder === undefined) rmSync(folder, { recursive: true, force: true });
process.exit(grew.length === 0 ? 0 : 1);
