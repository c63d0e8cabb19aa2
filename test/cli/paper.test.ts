import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, test } from 'vitest';
import { createPaperCommand } from '../../src/cli/paper.ts';

const module = new URL('../../src/cli/paper.ts', import.meta.url).href;
const program = `import(${JSON.stringify(module)}).then(({ createPaperCommand }) =>
  createPaperCommand().parseAsync(process.argv.slice(1), { from: 'user' }));`;

function start(...flags: string[]): ChildProcess {
  return spawn(process.execPath, ['-e', program, '--', ...flags]);
}

async function gather(stream: NodeJS.ReadableStream | null): Promise<string> {
  let text = '';
  for await (const chunk of stream ?? []) text += String(chunk);
  return text;
}

async function csvFile(rows: readonly string[]): Promise<string> {
  const path = join(await mkdtemp(join(tmpdir(), 'trimtab-paper-')), 'btc.csv');
  await writeFile(path, ['timestamp,open,high,low,close,volume', ...rows].join('\n'));
  return path;
}

const row = (minute: number): string => `${minute * 60_000},100,101,99,100,5`;

describe('trimtab paper', () => {
  test('prints one line of JSON when it is ready, logs to stderr, ends on SIGTERM with 0', async () => {
    const path = await csvFile(Array.from({ length: 30 }, (_none, minute) => row(minute)));
    const flags = ['--feed', `BTC@1m=${path}`, '--port', '0', '--paused', '--warmup', '10'];
    const child = start(...flags, '--balance', '777');
    const lines = createInterface({ input: child.stdout! });
    const all: string[] = [];
    lines.on('line', (line) => all.push(line));
    const errors = gather(child.stderr);
    await once(lines, 'line');
    const ready = JSON.parse(all[0] ?? '') as Record<string, string>;
    expect(Object.keys(ready)).toEqual(['base_url', 'ws_url', 'key_id', 'secret']);
    const replay = await fetch(`${ready['base_url']}/paper/replay`);
    expect(await replay.json()).toMatchObject({ time: 600_000, state: 'paused' });
    child.kill('SIGTERM');
    const [code] = (await once(child, 'exit')) as [number];
    expect([code, all.length]).toEqual([0, 1]);
    const log = await errors;
    expect(log).toContain('The paper service is listening');
    expect(log).toContain('POST /paper/replay/advance');
    expect(log).not.toContain('vs_');
  });

  test.each([
    [29, false],
    [30, true],
  ])('30 bars and a warm-up of %d: that one bar is left is said: %s', async (warmup, isSaid) => {
    const path = await csvFile(Array.from({ length: 30 }, (_none, minute) => row(minute)));
    const child = start(
      '--feed',
      `BTC@1m=${path}`,
      '--port',
      '0',
      '--paused',
      '--warmup',
      `${warmup}`,
    );
    const errors = gather(child.stderr);
    await once(createInterface({ input: child.stdout! }), 'line');
    child.kill('SIGTERM');
    await once(child, 'exit');
    const words = 'BTC has 30 bars, and warm-up takes 30: only the last one is left to replay';
    expect((await errors).includes(words)).toBe(isSaid);
  });

  test('--config reads the section paper; flags win over it', async () => {
    const feed = await csvFile(Array.from({ length: 30 }, (_none, minute) => row(minute)));
    const config = `${feed}.yaml`;
    const feeds = `[{symbol: ETH, interval: 1m, path: ./btc.csv}]`;
    await writeFile(config, `paper: {feeds: ${feeds}, warmup: 3, paused: true, speed: 9, port: 0}`);
    const child = start('--config', config, '--warmup', '5');
    const [line] = (await once(createInterface({ input: child.stdout! }), 'line')) as [string];
    const { base_url: base } = JSON.parse(line) as { base_url: string };
    const replay = await (await fetch(`${base}/paper/replay`)).json();
    expect(replay).toMatchObject({ time: 300_000, speed: 9, state: 'paused' });
    child.kill('SIGINT');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  const failing = async (...flags: string[]): Promise<string> => {
    const command = createPaperCommand().exitOverride();
    command.configureOutput({ writeErr: () => {} });
    const failure = await command
      .parseAsync(flags, { from: 'user' })
      .catch((error: unknown) => error);
    return (failure as Error).message;
  };

  test.each([
    [[], 'Did you mean BTC?'],
    [['--feed', 'TSLA@1h=/nowhere/x.csv'], 'Feeds are of: TSLA. Remove it, or add a feed.'],
    [
      ['--feed', 'TSLA@1h=x.csv', '--feed', 'GOLD@1h=y.csv', '--feed', 'SPX@1h=z.csv'],
      'Feeds are of: TSLA, GOLD, SPX. Remove it, or add a feed.',
    ],
    [
      ['--trades', 'TSLA=x.csv', '--trades', 'GOLD=y.csv', '--trades', 'SPX=z.csv'],
      'Feeds are of: TSLA, GOLD, SPX. Remove it, or add a feed.',
    ],
  ])('fees of a symbol that neither file nor %j feeds are refused', async (flags, remedy) => {
    const config = `${await csvFile([])}.yaml`;
    await writeFile(config, 'paper: { fees: { BTCC: { taker_bps: 3 } } }');
    const message = await failing('--config', config, ...flags);
    expect(message).toContain(`${config}:1:24: paper.fees.BTCC: no feed serves the symbol BTCC.`);
    expect(message).toContain(remedy);
  });

  test('a broken feed is one message with file, line, column and remedy', async () => {
    const path = await csvFile([row(0), '60000,100,x,99,100,5']);
    const message = await failing('--feed', `BTC@1m=${path}`);
    expect(message).toBe(
      `${path}:3: column high: "x" is not a number. Write a plain decimal, with a dot and without separators.`,
    );
  });

  test.each([
    [['--feed', 'BTC=x.csv'], 'SYMBOL@INTERVAL=PATH'],
    [['--feed', 'BTC@7m=x.csv'], '"7m" is not an interval; use 1m 3m 5m'],
    [['--feed', 'BTC@1m=/nowhere/x.csv'], 'no such file'],
    [['--port', 'x'], 'whole number'],
    [['--speed', 'fast'], 'a number'],
    [['--config', '/nowhere/x.yaml'], 'does not exist'],
  ])('%j is refused with a message', async (flags, words) => {
    expect(await failing(...flags)).toContain(words);
  });
});

test('a port that is taken ends the process, with a message', async () => {
  const holder = createServer();
  await new Promise<void>((resolve) => holder.listen(0, '127.0.0.1', resolve));
  const { port } = holder.address() as AddressInfo;
  try {
    const child = start('--feed', `BTC@1m=${await csvFile([row(0), row(1)])}`, '--port', `${port}`);
    const text = gather(child.stderr);
    const [code] = (await once(child, 'exit')) as [number | null];
    expect(code).toBe(1);
    expect(await text).toContain(`Port ${port} is in use`);
  } finally {
    holder.close();
  }
}, 20_000);
