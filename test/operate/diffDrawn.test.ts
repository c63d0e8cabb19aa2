import fc from 'fast-check';
import { expect, test } from 'vitest';
import { diffInputs, diffSettings, type Recording } from '../../src/operate/recording/index.ts';
import type { RecordedLine } from '../../src/strategy/recording/index.ts';
import { holdLaw, Tried } from '../holdLaw.ts';

/** Lines of a strategy: inputs with a source and a value, intents, and what is neither. */
const line = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .tuple(
        fc.constantFrom('event', 'timer', 'failed'),
        fc.constantFrom('BTC', 'ETH'),
        fc.constantFrom(1, 2),
        fc.nat(1),
      )
      .map((given) => given as unknown as RecordedLine),
  },
  { weight: 2, arbitrary: fc.constant(['emitted', {}] as unknown as RecordedLine) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('BTC', 'ETH').map((source) => {
      return ['subscribed', source] as unknown as RecordedLine;
    }),
  },
);
const lines = fc.array(line, { maxLength: 8 });
const NAMES = ['one', 'two'] as const;
type Lines = Record<(typeof NAMES)[number], readonly RecordedLine[]>;

/** Whose line comes next is drawn. */
function recordingOf(lists: Lines, turns: readonly boolean[]): Recording {
  const left = NAMES.map((name) => [...lists[name]]);
  const rows: Array<{ instance: string; line: RecordedLine }> = [];
  for (let at = 0; left.some(({ length }) => length > 0); at++) {
    const wanted = turns[at % turns.length] === true ? 1 : 0;
    const which = left[wanted]!.length > 0 ? wanted : 1 - wanted;
    rows.push({ instance: NAMES[which]!, line: left[which]!.shift()! });
  }
  const instances = NAMES.map((name) => {
    const emissions = lists[name].filter(([kind]) => kind === 'emitted');
    return [name, { lines: lists[name].length, emissions, histories: [] }] as const;
  });
  return { instances: new Map(instances), rows: () => rows } as unknown as Recording;
}

/** Inputs before the intent of this index; all of them if there are fewer, and then none decides. */
function inputsBefore(all: readonly RecordedLine[], index: number) {
  let seen = 0;
  const end = all.findIndex(([kind]) => kind === 'emitted' && seen++ === index);
  const before = end === -1 ? all : all.slice(0, end);
  const inputs = before.filter(([kind]) => kind !== 'emitted' && kind !== 'subscribed');
  return { inputs, decidedAfter: end === -1 ? Infinity : inputs.length };
}

const drawn = fc.record({
  shared: fc.record({ one: lines, two: lines }),
  rest: fc.array(lines, { minLength: 4, maxLength: 4 }),
  turns: fc.array(fc.boolean(), { minLength: 1, maxLength: 6 }),
  others: fc.array(fc.boolean(), { minLength: 1, maxLength: 6 }),
  counts: fc.tuple(fc.constantFrom(0, 1, 2, Infinity), fc.constantFrom(0, 1, Infinity)),
});

test('the first input that differs is named, of each strategy before its own intents diverge', async () => {
  const tried = new Tried();
  await holdLaw(500, drawn, ({ shared, rest, turns, others, counts }) => {
    const [first, second] = [0, 2].map((at): Lines => ({
      one: [...shared.one, ...rest[at]!],
      two: [...shared.two, ...rest[at + 1]!],
    })) as [Lines, Lines];
    const wanted = new Map(NAMES.map((name, at) => [name as string, counts[at]!]));
    const found = diffInputs(recordingOf(first, turns), recordingOf(second, others), wanted);
    for (const [name, count] of wanted) {
      const runs = [first, second].map((run) => inputsBefore(run[name as keyof Lines], count));
      const [own, other] = runs.map(({ inputs }) => inputs) as [RecordedLine[], RecordedLine[]];
      // What came to the one after the other had decided is not the reason.
      const length = Math.min(
        Math.max(own.length, other.length),
        ...runs.map(({ decidedAfter }) => decidedAfter),
      );
      const at = Array.from({ length }, (_none, place) => place).find(
        (place) => JSON.stringify(own[place]) !== JSON.stringify(other[place]),
      );
      if (at === undefined) {
        tried.take(own.length === other.length ? 'the same' : 'one decided earlier');
        expect(found.get(name)).toBeUndefined();
        continue;
      }
      const parts = [own[at], other[at]].map((input) => {
        if (input === undefined) return 'nothing';
        return input[0] === 'timer' ? `timer ${input[1]}` : String(input[1]);
      });
      tried.take(parts.includes('nothing') ? 'one has no more' : 'another');
      const [known] = [own[at] ?? other[at]!];
      expect(found.get(name)).toMatchObject({
        time: known[2],
        source: [...new Set(parts)].join(' → '),
      });
    }
  });
  expect(tried.rare(['the same', 'one decided earlier', 'another', 'one has no more'], 30)).toEqual(
    [],
  );
});

test('how an instance was run differs by its own settings and those of the bot, not by another instance', () => {
  const header = {
    bot: 'demo',
    seed: 7,
    pacemaker_min_seconds: 30,
    instances: [
      {
        name: 'trend',
        use: './trend.ts',
        params: { fast: 3, slow: 9 },
        symbols: ['BTC'],
        wallet: 'main',
        capital_share: 0.4,
      },
      {
        name: 'carry',
        use: './carry.ts',
        params: { size: 1 },
        symbols: ['ETH'],
        wallet: 'second',
        capital_share: 0.6,
      },
    ],
    instruments: [],
  } as unknown as Recording['header'];
  const [trend, carry] = header.instances as [(typeof header.instances)[0], never];
  const differing = (change: object) =>
    ['trend', 'carry'].map((name) =>
      diffSettings(header, { ...header, ...change } as Recording['header'], name),
    );
  expect(differing({ bot: 'other' })).toEqual([[], []]);
  for (const [path, first, second] of [
    ['seed', 7, 8],
    ['pacemaker_min_seconds', 30, 10],
  ] as const) {
    const found = [{ path, first, second }];
    expect(differing({ [path]: second })).toEqual([found, found]);
  }
  // An older recording does not name what was the same for all then.
  const { pacemaker_min_seconds: _named, ...older } = header;
  for (const [seconds, count] of [
    [60, 0],
    [30, 1],
  ] as const)
    expect(
      diffSettings(older, { ...header, pacemaker_min_seconds: seconds }, 'trend'),
    ).toHaveLength(count);
  for (const [path, value] of [
    ['use', './next.ts'],
    ['wallet', 'second'],
    ['capital_share', 0.5],
  ] as const) {
    const instances = [carry, { ...trend, [path]: value }];
    const first = trend[path as keyof typeof trend];
    expect(differing({ instances })).toEqual([[{ path, first, second: value }], []]);
  }
  const instances = [{ ...trend, params: { fast: 4, slow: 9 } }, carry];
  expect(differing({ instances })).toEqual([[{ path: 'params.fast', first: 3, second: 4 }], []]);
});
