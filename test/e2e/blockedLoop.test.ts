import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { spawn, type ChildProcess } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { root } from '../sourceFiles.ts';

const folder = mkdtempSync(join(tmpdir(), 'trimtab-blocked-'));
/** They never end by themselves, and a test that failed has not ended its own. */
const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

const plant = join(root, 'test/cli/plants/neverReturns.ts');

function bot(isolation: string): string {
  const file = join(folder, `${isolation}.yaml`);
  writeFileSync(
    file,
    `name: stuck
link: { kind: paper }
paper:
  speed: max
  warmup: 0
  budget_clock: replay
  feeds: [{ symbol: BTC, interval: 1m, generate: { seed: 8, bars: 60 } }]
journal: { path: memory }
strategies:
  - { name: loops, use: ${plant}, symbols: [BTC], isolation: ${isolation} }
`,
  );
  return file;
}

interface Child {
  process: ChildProcess;
  err(): string;
  /** Resolves once its stderr has this, rejects if it ends before. */
  until(text: string): Promise<void>;
}

function start(...args: readonly string[]): Child {
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'ignore', 'pipe'] });
  children.push(child);
  let err = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  const until = async (text: string): Promise<void> => {
    while (!err.includes(text)) {
      if (child.exitCode !== null) throw new Error(`It ended with ${child.exitCode}: ${err}`);
      await Promise.race([once(child.stderr, 'data'), once(child, 'close')]);
    }
  };
  return { process: child, err: () => err, until };
}

const trimtab = (...args: readonly string[]): Child => start('bin/trimtab.js', ...args);

describe.concurrent('a plugin that does not return', () => {
  test.each([
    ['run', 'SIGTERM'],
    ['run', 'SIGINT'],
    ['backtest', 'SIGTERM'],
  ] as const)(
    '%s names it and its line, and %s ends the process',
    async (command, signal) => {
      const child = trimtab(command, bot('none'), '--no-report');
      await child.until('TRIMTAB_BOT_BLOCKED');
      expect(child.err()).toMatch(/^stuck: \S+Z: strategy loops has not returned for 5 s: at \//m);
      expect(child.err()).toMatch(/neverReturns\.ts:2[45]:\d+/);
      expect(child.err()).toContain('isolation: worker');
      child.process.kill(signal);
      const [code, by] = (await once(child.process, 'exit')) as [number | null, string | null];
      expect({ code, by }).toEqual({ code: null, by: signal });
    },
    30_000,
  );

  test('is in the log’s file too, in the form of its lines', async () => {
    const log = join(folder, 'blocked.log');
    const child = trimtab('run', bot('none'), '--no-report', '--log', log);
    await child.until('TRIMTAB_BOT_BLOCKED');
    const lines = readFileSync(log, 'utf8').trim().split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toContainEqual({
      level: 50,
      time: expect.any(Number) as number,
      code: 'TRIMTAB_BOT_BLOCKED',
      strategy: 'loops',
      place: expect.stringMatching(/neverReturns\.ts:2[45]:\d+$/) as string,
      msg: expect.stringMatching(/^Strategy loops has not returned for 5 s: at \//) as string,
    });
    child.process.kill('SIGKILL');
  }, 30_000);

  test('in a worker it ends alone, without such a line', async () => {
    const child = trimtab('backtest', bot('worker'), '--no-report');
    await once(child.process, 'close');
    expect(child.err()).toMatch(/TRIMTAB_STRATEGY_OVERRAN/);
    expect(child.err()).not.toContain('TRIMTAB_BOT_BLOCKED');
  }, 30_000);
});

/** The watch in a process of its own, with short bounds. */
function watched(settings: object, block: string, ...flags: readonly string[]): Child {
  const file = join(folder, `${Math.abs(hashOf(block + JSON.stringify(settings)))}.mjs`);
  const source = join(root, 'src/env/index.ts');
  writeFileSync(
    file,
    `import { execFileSync } from 'node:child_process';
import { watchEventLoop } from ${JSON.stringify(source)};
const handle = () => {};
const onBlocked = () => process.off('SIGTERM', handle);
const onBack = () => process.on('SIGTERM', handle);
onBack();
const end = watchEventLoop({
  label: 'bot', plugins: [], reportAfterSeconds: 0.5, endAfterSeconds: null, exitCode: 5, tickMs: 100,
  ...${JSON.stringify(settings)}, onBlocked, onBack,
});
const spin = (ms) => { const end = performance.now() + ms; while (performance.now() < end); };
// Its thread starts meanwhile.
await new Promise((resolve) => setTimeout(resolve, 2_000));
${block}
`,
  );
  return start(...flags, '--conditions=trimtab-source', file);
}

function hashOf(text: string): number {
  let hash = 0;
  for (const letter of text) hash = (hash * 31 + letter.charCodeAt(0)) | 0;
  return hash;
}

describe.concurrent('the watch of the event loop', () => {
  test('ends a process whose loop does not turn with its exit code', async () => {
    const child = watched({ endAfterSeconds: 1 }, 'for (;;);');
    await once(child.process, 'close');
    expect(child.process.exitCode).toBe(5);
    expect(child.err()).toMatch(/ended after 1 s in one call, with exit code 5/);
    expect(child.err()).not.toContain('debugger');
  });

  test('kills a process in a call that can’t be interrupted', async () => {
    const child = watched({ endAfterSeconds: 1 }, "execFileSync('sleep', ['20']);");
    await once(child.process, 'exit');
    expect(child.process.signalCode).toBe('SIGKILL');
    expect(child.err()).toContain('a call that can’t be interrupted');
  }, 15_000);

  test('leaves a command that was blocked its clean stop', async () => {
    const file = join(folder, 'command.mjs');
    writeFileSync(
      file,
      `import { createStop } from ${JSON.stringify(join(root, 'src/cli/process/stopOnSignals.ts'))};
const stop = createStop();
stop.listen();
const later = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
await later(2_000);
const end = performance.now() + 9_000;
while (performance.now() < end);
await later(1_000);
process.kill(process.pid, 'SIGTERM');
await later(500);
process.exit(stop.isStopped() ? 9 : 8);
`,
    );
    const child = start('--conditions=trimtab-source', file);
    await once(child.process, 'close');
    const { exitCode, signalCode } = child.process;
    expect({ exitCode, signalCode }).toEqual({ exitCode: 9, signalCode: null });
    expect(child.err()).toMatch(/TRIMTAB_BOT_BLOCKED[^]*it has returned/);
  }, 30_000);

  test('hands the signals back to a loop that turns again', async () => {
    const child = watched(
      {},
      `spin(3500);
await new Promise((resolve) => setTimeout(resolve, 1_000));
process.kill(process.pid, 'SIGTERM');
await new Promise((resolve) => setTimeout(resolve, 200));
process.exit(9);`,
    );
    await once(child.process, 'close');
    expect(child.process.exitCode).toBe(9);
    expect(child.err()).toMatch(/TRIMTAB_BOT_BLOCKED[^]*it has returned/);
  });

  test.each([
    ['under a debugger', 'spin(1500); process.exit(0);', ['--inspect=0']],
    [
      'for a loop that is slow, but turns',
      'for (let i = 0; i < 20; i++) { spin(150); await new Promise((done) => setTimeout(done, 0)); } process.exit(0);',
      [],
    ],
    ['after its end', 'end(); spin(1500); process.exit(0);', []],
    ['in a process that has ended otherwise', '', []],
  ])('is silent %s', async (_, block, flags) => {
    const child = watched({ endAfterSeconds: 1 }, block, ...flags);
    await once(child.process, 'close');
    expect(child.process.exitCode).toBe(0);
    expect(child.err()).not.toContain('TRIMTAB_BOT_BLOCKED');
  });
});
