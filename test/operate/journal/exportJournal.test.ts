import { expect, test } from 'vitest';
import type { JournalReader } from '../../../src/journal/index.ts';
import { exportJournal } from '../../../src/operate/journal/index.ts';

/** How a strategy of this name stands in the row of a step. */
async function cellOf(instance: string): Promise<string> {
  const intent = {
    key: 'k',
    decisionKey: 'd',
    generation: 0,
    instance,
    wallet: 'main',
    kind: 'launch',
    state: 'emitted',
    opened: 1,
    updated: 1,
    marketOpened: 1,
    intent: '{}',
  };
  const entries = [{ state: 'emitted', wallTime: 1, marketTime: -5, data: '' }];
  async function* lives() {
    yield { intent, entries };
  }
  const texts: string[] = [];
  for await (const text of exportJournal({ lives } as unknown as JournalReader, 'csv'))
    texts.push(text);
  const row = texts[1]!;
  const [before, after] = ['k,d,0,', ',main,launch,0,emitted,1,-5,\n'];
  expect([row.startsWith(before), row.endsWith(after)]).toEqual([true, true]);
  return row.slice(before.length, -after.length);
}

test('no text in a spreadsheet is a formula, and a number stays one', async () => {
  for (const sign of ['=', '+', '-', '@']) expect(await cellOf(`${sign}a1`)).toBe(`'${sign}a1`);
  for (const plain of ['trend', 'a=1', "'x"]) expect(await cellOf(plain)).toBe(plain);
});

test('what has a comma, a quote or a line break is quoted', async () => {
  expect(await cellOf('a,b')).toBe('"a,b"');
  expect(await cellOf('a"b')).toBe('"a""b"');
  expect(await cellOf('a\nb')).toBe('"a\nb"');
  expect(await cellOf('=a,"b"')).toBe(`"'=a,""b"""`);
});
