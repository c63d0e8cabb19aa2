import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { BotConfig } from '../../src/config/index.ts';
import type { Log, Timers } from '../../src/env/index.ts';
import type { BotPlan } from '../../src/runtime/index.ts';
import {
  openRecording,
  readRecording,
  writeRecording,
  type RecordingHeader,
} from '../../src/operate/recording/index.ts';
import type { RecordedLine } from '../../src/strategy/recording/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'trimtab-recording-file-'));
afterAll(() => rmSync(folder, { recursive: true }));

const HEADER = {
  format: 'trimtab-recording',
  version: 1,
  bot: 'own',
  seed: 1,
  instances: [{ name: 'one' }, { name: 'two' }],
  instruments: [],
} as unknown as RecordingHeader;
const event = (at: number, value: object = {}): RecordedLine =>
  ['event', 'BTC', at, value] as unknown as RecordedLine;

function record(name: string, count: number, close = true): string {
  const path = join(folder, name);
  const writer = writeRecording(path, HEADER, (error) => expect(error).toBeUndefined());
  for (let at = 0; at < count; at++) writer.write(at % 3 === 0 ? 'two' : 'one', event(at));
  if (close) writer.close();
  return path;
}

function linesOf(path: string): number[] {
  const read = readRecording(path);
  if (!read.ok) throw new Error(read.failure.message);
  const { instances, rows } = read.value;
  const all = [...rows()];
  for (const [name, { lines }] of instances)
    expect(all.filter(({ instance }) => instance === name)).toHaveLength(lines);
  return all.map(({ line }) => Number(line[2]));
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_none, at) => at);

test('what was written is read in its order, as far as a sum proves it', () => {
  const path = record('whole.jsonl', 2_345);
  expect(linesOf(path)).toEqual(upTo(2_345));
  const rows = readFileSync(path, 'utf8').split('\n');
  const cut = join(folder, 'cut.jsonl');
  // Without the last sum, the lines since the one before it are not proven.
  writeFileSync(cut, rows.slice(0, -2).join('\n'));
  expect(linesOf(cut)).toEqual(upTo(2_000));
  const read = readRecording(cut);
  expect(read.ok && read.value.isComplete).toBe(false);
});

test('a second recording behind the first, or a line, is refused where it begins', () => {
  const path = record('first.jsonl', 3);
  const text = readFileSync(path, 'utf8');
  const begins = text.split('\n').length;
  for (const more of [text, '[0,"event","BTC",9,{}]\n']) {
    const joined = join(folder, 'joined.jsonl');
    writeFileSync(joined, text + more);
    const read = readRecording(joined);
    expect(!read.ok && read.failure.message).toContain(
      `joined.jsonl:${begins}: the recording has ended before this line.`,
    );
  }
});

test('a secret is not in the file, whatever it is called, and what is none is', () => {
  const path = join(folder, 'secrets.jsonl');
  const writer = writeRecording(path, HEADER, () => {});
  const hidden = { token: 'aa1', webhookSecret: 'aa2', signature: 'aa3', password: 'aa4' };
  const shown = {
    note: 'the token of a secret',
    tokens: 7,
    deep: { url: 'https://x', secret: 'aa5' },
  };
  writer.write('one', event(1, { ...hidden, ...shown }));
  writer.close();
  const text = readFileSync(path, 'utf8');
  expect(text).not.toMatch(/aa\d/);
  expect(text).toContain('"note":"the token of a secret","tokens":7,"deep":{"url":"https://x"');
  expect(linesOf(path)).toEqual([1]);
});

test('a bot in real time has on the disk what it recorded until some seconds ago, with its checksum', () => {
  const path = join(folder, 'paced.jsonl');
  const due: Array<{ ms: number; run: () => void }> = [];
  let cancelled = 0;
  const timers: Timers = {
    after(ms, run) {
      due.push({ ms, run });
      return () => void cancelled++;
    },
  };
  const writer = writeRecording(path, HEADER, () => expect.fail(), timers);
  expect(due).toEqual([]);
  for (const at of [0, 1]) writer.write('one', event(at));
  // One timer for both; without anything new there is none.
  expect(due.map(({ ms }) => ms)).toEqual([5_000]);
  due[0]!.run();
  expect(linesOf(path)).toEqual([0, 1]);
  expect(due).toHaveLength(1);
  writer.write('two', event(2));
  due[1]!.run();
  expect(linesOf(path)).toEqual([0, 1, 2]);
  writer.write('two', event(3));
  writer.close();
  expect(cancelled).toBe(1);
  expect(linesOf(path)).toEqual([0, 1, 2, 3]);
});

test('a start on a service sets aside what the run before recorded, and that of a tape replaces it', () => {
  const file = join(folder, 'seen.jsonl');
  const said: string[] = [];
  const log = { info: (text: string) => void said.push(text) } as unknown as Log;
  const timers: Timers = { after: () => () => {} };
  const config = { record: file, name: 'own', strategies: [] } as unknown as BotConfig;
  const plan = {
    strategies: [],
    instruments: [],
    seed: 1,
    dialect: { limits: {} },
  } as unknown as BotPlan;
  const run = (isOnService: boolean): void => {
    const opened = openRecording(config, plan, { log, timers }, isOnService);
    if (!opened.ok) throw new Error(opened.failure.message);
    opened.value!.writeView(['view', said.length] as never);
    opened.value!.close();
  };
  run(true);
  expect([said, existsSync(join(folder, 'seen.1.jsonl'))]).toEqual([[], false]);
  const first = readFileSync(file, 'utf8');
  run(true);
  run(true);
  expect(said).toEqual(
    [1, 2].map((n) => `The recording of the run before is ${join(folder, `seen.${n}.jsonl`)}`),
  );
  expect(readFileSync(join(folder, 'seen.1.jsonl'), 'utf8')).toBe(first);
  run(false);
  expect(existsSync(join(folder, 'seen.3.jsonl'))).toBe(false);
  // Of those that nobody needs any more some may be gone: the newest still has the highest number.
  rmSync(join(folder, 'seen.1.jsonl'));
  run(true);
  expect([1, 3].map((n) => existsSync(join(folder, `seen.${n}.jsonl`)))).toEqual([false, true]);
  // A start that recorded nothing leaves nothing to set aside.
  writeFileSync(file, '');
  run(true);
  expect(existsSync(join(folder, 'seen.4.jsonl'))).toBe(false);
});

test.skipIf(!existsSync('/dev/full'))(
  'one that can’t be written ends, says so once, and throws nothing',
  () => {
    const failures: unknown[] = [];
    const opened = (): number =>
      readdirSync('/proc/self/fd').filter((name) => {
        try {
          return readlinkSync(`/proc/self/fd/${name}`) === '/dev/full';
        } catch {
          return false;
        }
      }).length;
    const before = opened();
    // It takes no byte, as a full disk.
    const writer = writeRecording('/dev/full', HEADER, (error) => failures.push(error));
    for (let at = 0; at < 5_000; at++) writer.write('one', event(at));
    writer.close();
    expect(failures).toMatchObject([{ code: 'ENOSPC' }]);
    expect(opened()).toBe(before);
  },
);
