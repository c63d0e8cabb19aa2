import { rm } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkData, importData, seriesToCsv, showData } from '../../../backtest/data/index.ts';
import { counted } from '../../../src/env/index.ts';
import { holdLaw } from '../../holdLaw.ts';
import { writeFiles } from './writeFiles.ts';

const START = 1_725_148_800_000;
const MINUTE = 60_000;

/** Runs on files of these texts, and removes them. */
async function withFiles<T>(
  texts: Readonly<Record<string, string>>,
  run: (paths: string[]) => Promise<T>,
): Promise<T> {
  const paths = await writeFiles(texts);
  try {
    return await run(paths);
  } finally {
    await rm(dirname(paths[0]!), { recursive: true });
  }
}

/** Pieces of a list, cut after so many each. */
function cut<T>(all: readonly T[], sizes: readonly number[]): T[][] {
  const pieces: T[][] = [];
  let at = 0;
  for (const size of [...sizes, all.length]) {
    if (at >= all.length) break;
    pieces.push(all.slice(at, at + size));
    at += size;
  }
  return pieces;
}

const options = { keepPartial: true, symbol: 'BTC' };
const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 4 });
const some = (max: number) => fc.integer({ min: 0, max });
/** Names that are not in the order of the pieces. */
const nameOf = (at: number, turn: number): string => `${(at * 7 + turn) % 10}${at}.csv`;

test('trades in several files make the bars that one file makes, unless one instant is in two', async () => {
  const trades = fc.array(fc.tuple(some(3), fc.integer({ min: 1, max: 9 })), {
    minLength: 2,
    maxLength: 25,
    size: 'max',
  });
  await holdLaw(40, fc.tuple(trades, sizes, some(9)), async ([drawn, ends, turn]) => {
    let time = START;
    const rows = drawn.map(([wait, price]) => ({ time: (time += wait * 20_000), price }));
    const toText = (part: typeof rows): string =>
      ['time,price,qty', ...part.map((one) => `${one.time},${one.price},0.5`)].join('\n');
    const pieces = cut(rows, ends);
    const texts = pieces.map((part, at) => [nameOf(at, turn), toText(part)] as const);
    const whole = await withFiles({ 'all.csv': toText(rows) }, (paths) =>
      importData(paths, options),
    );
    const joined = await withFiles(Object.fromEntries(texts), (paths) =>
      importData(paths.toReversed(), options),
    );
    const isShared = pieces.some(
      (part, at) => at > 0 && pieces[at - 1]!.at(-1)!.time === part[0]!.time,
    );
    if (isShared)
      expect(joined).toMatchObject({ ok: false, problem: { message: /begins before/ } });
    else {
      if (!joined.ok || !whole.ok) throw new Error('refused');
      expect(joined.value.content.columns).toEqual(whole.value.content.columns);
      expect(joined.value.notes.at(-1)).toBe(whole.value.notes.at(-1));
    }
  });
});

/** Bars, or settlements: what a row looks like, and what is wrong with it. */
const KINDS = {
  bars: {
    header: 'timestamp,open,high,low,close,volume',
    step: MINUTE,
    row: (time: number, at: number) => `${time},5,9,1,${2 + (at % 5)},${at}`,
    other: (time: number, at: number) => `${time},5,9,1,${2 + (at % 5)},${at + 0.5}`,
    wrong: (time: number, at: number) =>
      [
        `${time},5,9,1,10,1`,
        `${time},0,9,0,5,1`,
        `${time},5,9,1,5,-1`,
        `${time + 1},5,9,1,5,1`,
        `${time},5,9,1,x,1`,
      ][at % 5]!,
  },
  funding: {
    header: 'timestamp,funding_rate',
    step: 60 * MINUTE,
    row: (time: number, at: number) => `${time},0.000${at % 9}`,
    other: (time: number, at: number) => `${time},-0.000${at % 9}1`,
    wrong: (time: number, at: number) =>
      [`${time},`, `${time},x`, `${time - 60 * MINUTE},0.0001`, `x,0.0001`][at % 4]!,
  },
} as const;

test('rows in several files are joined, equal ones count once, and what is wrong is refused with its place', async () => {
  const kinds = fc.constantFrom('bars' as const, 'funding' as const);
  const faults = fc.constantFrom('none', 'none', 'wrong', 'differs', 'repeated');
  const cases = fc.tuple(kinds, fc.integer({ min: 4, max: 20 }), sizes, some(3), faults, some(99));
  await holdLaw(80, cases, async ([kind, count, ends, overlap, fault, choice]) => {
    const { header, step, row, other, wrong } = KINDS[kind];
    const lines = Array.from({ length: count }, (_none, at) => row(START + at * step, at));
    const pieces = cut([...lines.keys()], ends);
    const files = pieces.map((own, at) => {
      // A later file repeats the end of the one before.
      const again = at === 0 ? [] : pieces[at - 1]!.slice(-overlap || count);
      return [...again, ...own].map((index) => ({ index, text: lines[index]! }));
    });
    const repeated = files.flat().length - count;
    const at = choice % files.length;
    const file = files[at]!;
    const line = choice % file.length;
    const { index } = file[line]!;
    const isAgain = at > 0 && line < file.length - pieces[at]!.length;
    if (fault === 'wrong') file[line]!.text = wrong(START + index * step, index);
    if (fault === 'differs') file[line]!.text = other(START + index * step, index);
    if (fault === 'repeated') file.splice(line, 0, file[line]!);
    const texts = files.map((own, place) => [
      `BTC-1m-${nameOf(place, choice)}`,
      [header, ...own.map(({ text }) => text)].join('\n'),
    ]);
    await withFiles(Object.fromEntries(texts), async (paths) => {
      const format = kind === 'bars' ? { sourceInterval: '1m' as const } : {};
      const found = await importData(choice % 2 ? paths : paths.toReversed(), {
        ...options,
        ...format,
      });
      // A row that only one file has may be another one.
      const isTwice =
        isAgain ||
        files.some((own, place) => place !== at && own.some((one) => one.index === index));
      // The first settlement of a file may be of any hour.
      const isMoved = kind === 'funding' && fault === 'wrong' && index % 4 === 2 && line === 0;
      if (isMoved) return;
      if (fault === 'none' || (fault === 'differs' && !isTwice)) {
        if (!found.ok) throw new Error(found.problem.message);
        const time = [...found.value.content.columns.time];
        expect(time).toEqual(lines.map((_line, place) => START + place * step));
        const note = `${counted(repeated, 'row')} in two files`;
        expect(found.value.notes.some((each) => each.startsWith(note))).toBe(repeated > 0);
        return;
      }
      expect(found.ok, JSON.stringify(texts)).toBe(false);
      if (found.ok || fault === 'differs') return;
      expect(basename(found.problem.file)).toBe(texts[at]![0]);
      expect(found.problem.line).toBe(line + 2 + (fault === 'repeated' ? 1 : 0));
    });
  });
});

test('what is shown and checked of a file is of all its rows, whatever their order', async () => {
  const rows = fc.uniqueArray(some(30), { minLength: 3, maxLength: 14 });
  await holdLaw(40, fc.tuple(rows, some(5), fc.boolean()), async ([minutes, head, isOrdered]) => {
    const order = isOrdered ? minutes.toSorted((a, b) => a - b) : minutes;
    const lines = order.map(
      (minute) => `${START + minute * MINUTE},5,${9 + minute},1,5,${minute % 3}`,
    );
    const text = ['timestamp,open,high,low,close,volume', ...lines].join('\n');
    await withFiles({ 'BTC-1m.csv': text }, async ([path]) => {
      const checked = await checkData(path!, { outlier: 9, allowGaps: true, sourceInterval: '1m' });
      const shown = await showData(path!, { head, sourceInterval: '1m' });
      if (!checked.ok || !shown.ok) throw new Error('refused');
      const [least, most] = [Math.min(...minutes), Math.max(...minutes)];
      const ends = { from: START + least * MINUTE, until: START + most * MINUTE };
      expect(checked.value[0]).toMatchObject({ ...ends, rows: minutes.length });
      const [about] = shown.value;
      expect(about).toMatchObject({ ...ends, lowest: 1, highest: 9 + most });
      const times = order.map((minute) => START + minute * MINUTE);
      expect(about!.first.map((one) => one['time'])).toEqual(times.slice(0, head));
      const rest = times.slice(head);
      expect(about!.last.map((one) => one['time'])).toEqual(head === 0 ? [] : rest.slice(-head));
      const sorted = minutes.toSorted((a, b) => a - b);
      const holes = sorted
        .slice(1)
        .flatMap((one, at) => (one - sorted[at]! > 1 ? [one - sorted[at]! - 1] : []));
      const backwards = times.filter(
        (time, at) => at > 0 && time < Math.max(...times.slice(0, at)),
      ).length;
      expect([about!.gaps, about!.missing]).toEqual([
        holes.length,
        holes.reduce((sum, one) => sum + one, 0),
      ]);
      if (backwards === 0) expect([about!.faults, checked.value[0]!.ok]).toEqual([0, true]);
      else expect(checked.value[0]!.ok).toBe(false);
    });
  });
});

test('a long series is written whole, in pieces', async () => {
  for (const count of [1, 9_999, 10_000, 10_001, 20_000, 20_001]) {
    const column = (factor: number): Float64Array =>
      Float64Array.from({ length: count }, (_none, at) => at * factor);
    const columns = {
      time: column(MINUTE),
      open: column(1),
      high: column(2),
      low: column(0.5),
      close: column(1.5),
      volume: column(3),
    };
    const lines = [...seriesToCsv({ kind: 'bars', columns } as never)]
      .join('')
      .trimEnd()
      .split('\n');
    expect(lines[0]).toBe('timestamp,open,high,low,close,volume');
    expect(lines).toHaveLength(count + 1);
    for (const at of [0, 9_999, 10_000, 10_001, 20_000].filter((one) => one < count)) {
      expect(lines[at + 1]).toBe(
        [MINUTE, 1, 2, 0.5, 1.5, 3].map((factor) => at * factor).join(','),
      );
    }
  }
});

test('a symbol that is given counts before the file’s own, and a mark before JSON is no part of it', async () => {
  const trades = 'symbol,time,price,qty\nBTCUSDT,1725148800000,5,1\nBTCUSDT,1725148860000,5,1\n';
  const json = '\uFEFF[[1725148800000,5,9,1,5,1],[1725148860000,5,9,1,5,1]]';
  await withFiles({ 'x.csv': trades, 'y.json': json }, async ([csv, ccxt]) => {
    for (const [path, symbol, expected] of [
      [csv!, undefined, 'BTCUSDT'],
      [csv!, 'BTC', 'BTC'],
      [ccxt!, 'ETH', 'ETH'],
    ] as const) {
      const found = await importData([path], { keepPartial: true, symbol });
      expect(found).toMatchObject({ ok: true, value: { content: { symbol: expected } } });
    }
  });
});

test('a rate of either sign may be in percent, and a cell of blanks is empty', async () => {
  const funding = [
    'timestamp,funding_rate',
    `${START},0.06`,
    `${START + 60 * MINUTE},-0.06`,
    `${START + 120 * MINUTE}, `,
  ];
  await withFiles({ 'BTC-funding.csv': funding.join('\n') }, async ([path]) => {
    const found = await checkData(path!, { outlier: 9, allowGaps: true });
    if (!found.ok) throw new Error('refused');
    expect(found.value[0]!.findings.map(({ line, kind, detail }) => [line, kind, detail])).toEqual([
      [2, 'impossible', '0.06 is over 5 % at once: is it in percent?'],
      [3, 'impossible', '-0.06 is over 5 % at once: is it in percent?'],
      [4, 'not_a_number', 'funding_rate is empty'],
    ]);
  });
});
