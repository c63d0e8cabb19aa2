import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Agent, request } from 'undici';
import { onTestFinished } from 'vitest';
import type { Feed } from '../../../src/paper/index.ts';
import { signed, type Answer } from '../core/openTestService.ts';
import { busyFeeds, WARMUP, type Driver } from './busyDay.ts';

const SCRIPT = join(import.meta.dirname, 'servePaper.ts');

export interface KilledService extends Driver {
  readonly keyId: string;
  readonly secret: string;
  readonly file: string;
  control(method: string, path: string, body?: unknown): Promise<Answer>;
  /** SIGKILL: no handler runs. */
  kill(): Promise<void>;
  /** A new process on the same files. */
  start(): Promise<void>;
  /** What the process wrote so far, both streams. */
  output(): string;
}

function toCsv({ time, open, high, low, close, volume }: Feed): string {
  const rows = Array.from(time, (at, row) =>
    [at, open[row], high[row], low[row], close[row], volume[row]].join(','),
  );
  return `timestamp,open,high,low,close,volume\n${rows.join('\n')}\n`;
}

/** A real paper service in a separate process with its own files, stepped by the test. */
export async function startKilled(more = ''): Promise<KilledService> {
  const folder = mkdtempSync(join(tmpdir(), 'trimtab-state-'));
  const feeds = busyFeeds().map((feed, index) => {
    writeFileSync(join(folder, `${index}.csv`), toCsv(feed));
    return `    - { symbol: ${feed.symbol}, interval: 1m, path: ${index}.csv }`;
  });
  const config = join(folder, 'paper.yaml');
  const head = `  limits: off\n  balance: 100000\n  warmup: ${WARMUP}\n  paused: true\n  port: 0`;
  const text = `paper:\n${head}\n  state: kept/paper.state\n${more}  feeds:\n${feeds.join('\n')}\n`;
  writeFileSync(config, text);

  const agent = new Agent();
  const state = { child: undefined as ReturnType<typeof spawn> | undefined, output: '' };
  let ready = { base_url: '', key_id: '', secret: '' };
  const kill = async (): Promise<void> => {
    const { child } = state;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'close');
  };
  onTestFinished(async () => {
    await kill();
    await agent.close();
  });
  const send = async (target: string, given: ReturnType<typeof signed>): Promise<Answer> => {
    const { method, bodyText } = given;
    const headers = Object.fromEntries(
      Object.entries(given.headers).filter(([, value]) => value !== undefined),
    ) as Record<string, string>;
    const answer = await request(`${ready.base_url}${target}`, {
      dispatcher: agent,
      method: method as 'GET',
      headers,
      body: bodyText === '' ? null : bodyText,
    });
    const body = JSON.parse(await answer.body.text()) as unknown;
    return { status: answer.statusCode, headers: answer.headers as Record<string, string>, body };
  };
  const service: KilledService = {
    file: join(folder, 'kept/paper.state'),
    get keyId() {
      return ready.key_id;
    },
    get secret() {
      return ready.secret;
    },
    output: () => state.output,
    kill,
    async start() {
      const child = spawn(process.execPath, [SCRIPT, 'paper', '--config', config]);
      state.child = child;
      const closed = once(child, 'close');
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding('utf8').on('data', (part: string) => (state.output += part));
      }
      const line = once(createInterface(child.stdout), 'line').then(([first]) => first as string);
      const first = await Promise.race([line, closed.then(() => null)]);
      if (first === null) throw new Error(`It did not start: ${state.output}`);
      ready = JSON.parse(first) as typeof ready;
    },
    ask(target, asked = {}) {
      const { key_id: keyId, secret } = ready;
      return send(target, signed(target, { keyId, secret, ...asked }, Date.now()));
    },
    control(method, path, body) {
      const bodyText = body === undefined ? '' : JSON.stringify(body);
      const headers = { 'content-type': 'application/json' };
      return send(path, { method, target: path, headers, bodyText, wallTime: 0 });
    },
    async advance(bars) {
      const answer = await service.control('POST', '/paper/replay/advance', {
        bars,
        interval: '1m',
      });
      if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
    },
  };
  await service.start();
  return service;
}
