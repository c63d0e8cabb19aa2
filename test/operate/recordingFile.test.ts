import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import {
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

test.skipIf(!existsSync('/dev/full'))(
  'one that can’t be written ends, says so once, and throws nothing',
  () => {
    const failures: unknown[] = [];
    // It takes no byte, as a full disk.
    const writer = writeRecording('/dev/full', HEADER, (error) => failures.push(error));
    for (let at = 0; at < 5_000; at++) writer.write('one', event(at));
    writer.close();
    expect(failures).toMatchObject([{ code: 'ENOSPC' }]);
  },
);
