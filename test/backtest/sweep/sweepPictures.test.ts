import { beforeAll, describe, expect, test } from 'vitest';
import { evaluateSweep } from '../../../backtest/sweep/evaluateSweep.ts';
import { formatSweep } from '../../../backtest/sweep/formatSweep.ts';
import { firstJobs } from '../../../backtest/sweep/jobsOf.ts';
import { short } from '../../../backtest/sweep/page/heatmaps.ts';
import {
  describeOutOfSample,
  outOfSampleSvg,
  stitchTests,
} from '../../../backtest/sweep/page/outOfSample.ts';
import type { PointFigures, PointResult, PointRun } from '../../../backtest/sweep/PointResult.ts';
import { renderSweep } from '../../../backtest/sweep/renderSweep.ts';
import type { SweepJob, SweepPlan } from '../../../backtest/sweep/SweepPlan.ts';
import { describeUnsteady, unsteadyPoints } from '../../../backtest/sweep/unsteadyPoints.ts';
import { createRandom } from '../../../src/env/index.ts';
import { resultsInMemory } from './inMemory.ts';
import { outcomeOf } from './outcomeOf.ts';

const DAY = 86_400_000;
const START = Date.UTC(2025, 0, 1);

/** More values than a heatmap has cells, and more points than the picture of all has lines. */
const PARAMS = [
  { name: 'a', values: Array.from({ length: 130 }, (_none, at) => String(at)) },
  { name: 'b', values: ['x', 'y', 'z'] },
  { name: 'c', values: ['1', '2'] },
];
const GRID = PARAMS[0]!.values.flatMap((a) =>
  PARAMS[1]!.values.flatMap((b) => PARAMS[2]!.values.map((c) => [a, b, c])),
);
const PLAN = {
  params: PARAMS,
  objective: 'pnl',
  walk: null,
  random: null,
  feeds: [],
  set: [],
  seed: null,
} as unknown as SweepPlan;
const FIGURES: PointFigures = {
  days: 40,
  pnl: 0,
  max_drawdown: 1,
  max_drawdown_share: 0.01,
  sharpe: null,
  sortino: null,
  calmar: null,
  profit_factor: null,
  win_rate: null,
  trades: 3,
  fills: 6,
  fees: 1,
  turnover: 1,
  time_in_market: 0.5,
  intents: 6,
  denied: 0,
  liquidations: 0,
  hash: '',
};
const runOf = (
  index: number,
  figures: Partial<PointFigures>,
  returns: number[] = [],
): PointRun => ({
  index,
  figures: { ...FIGURES, ...figures },
  returns,
  edges: [0, 0],
  trades: [],
});

/** Each of its own size, some of both signs, one of zero. */
const random = createRandom('pictures');
const pnls = GRID.map(([a, b], index) => {
  const drawn = Math.round((random.next() - 0.5) * 1e6) / 1e3;
  if (index === 17) return 0;
  // The zero is the best of its cell.
  return Number(a) < 3 && b === 'z' ? -1 - Math.abs(drawn) : drawn;
});
const jobs = GRID.map((values, index): SweepJob => ({
  index,
  values,
  range: {},
  window: null,
  part: 'all',
}));
const failed = new Set([3, 200, 500]);
const ran = jobs.filter(({ index }) => !failed.has(index));
const order = ran.toSorted((one, other) => pnls[other.index]! - pnls[one.index]!);

describe('the page of a sweep with more values than a picture has room for', () => {
  let html: string;
  let text: string;
  beforeAll(() => {
    const results = jobs.map(({ index }): PointResult =>
      failed.has(index)
        ? { index, fault: 'it failed' }
        : runOf(index, { pnl: pnls[index]!, trades: index, hash: `hash of ${index}` }),
    );
    const evaluated = evaluateSweep(PLAN, outcomeOf(jobs, results), 50);
    html = renderSweep(PLAN, evaluated, { name: 'bot', config: 'bot.yaml', assumptions: [] });
    text = formatSweep(PLAN, evaluated, 10);
  });

  const textsOf = (part: string, tag: string): string[] =>
    [...part.matchAll(tag === 'td' ? CELL : HEAD)].map(([, text]) =>
      text!.replaceAll(/<[^>]*>/g, ''),
    );
  const CELL = /<td[^>]*>(.*?)<\/td>/g;
  const HEAD = /<th[^>]*>(.*?)<\/th>/g;
  /** The values that a cell's name covers. */
  const coveredBy = (values: readonly string[], name: string): string[] => {
    const [first, last = first] = name.split('…');
    return values.slice(values.indexOf(first!), values.indexOf(last!) + 1);
  };
  const axisOf = (name: string) => PARAMS.findIndex((param) => param.name === name);

  test('has a map of each pair, whose cells are the best of all values that their names cover, each once', () => {
    const tables = [...html.matchAll(/<table class="heat">(.*?)<\/table>/gs)].map(
      ([, body]) => body!,
    );
    const pairs = [
      ['a', 'b'],
      ['a', 'c'],
      ['b', 'c'],
    ] as const;
    expect(tables).toHaveLength(pairs.length);
    for (const [at, [x, y]] of pairs.entries()) {
      const [head, body] = tables[at]!.split('</thead>') as [string, string];
      const columns = textsOf(head, 'th');
      const rows = [...body.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row]) => row!);
      const names = rows.map((row) => textsOf(row, 'th')[0]!);
      for (const [axis, shown] of [
        [x, columns],
        [y, names],
      ] as const) {
        const { values } = PARAMS[axisOf(axis)]!;
        expect(shown.flatMap((name) => coveredBy(values, name))).toEqual(values);
      }
      const all = order.map(({ index }) => pnls[index]!);
      for (const [down, row] of rows.entries()) {
        const cells = [...row.matchAll(/<td(.*?)<\/td>/g)].map(([, cell]) => cell!);
        expect(cells).toHaveLength(columns.length);
        for (const [across, cell] of cells.entries()) {
          const [wide, high] = [
            coveredBy(PARAMS[axisOf(x)]!.values, columns[across]!),
            coveredBy(PARAMS[axisOf(y)]!.values, names[down]!),
          ];
          const best = order.find(
            ({ values }) => wide.includes(values[axisOf(x)]!) && high.includes(values[axisOf(y)]!),
          )!;
          const value = pnls[best.index]!;
          expect(cell).toContain(`>${short(value)}<`);
          expect(cell).toContain(`var(${value >= 0 ? '--gain' : '--loss'})`);
          expect(cell.includes('class="best"')).toBe(value === all[0]);
          expect(cell).toContain(`${best.index} trades`);
        }
      }
    }
    expect(html).toContain('>0.00</a>');
  });

  test('and its table count the points that failed', () => {
    expect(text).toContain('3 points failed: it failed');
  });

  test('leads from each cell and row to the point that it shows', () => {
    const cards = new Map(
      [...html.matchAll(/<section class="point" id="(point-\d+)".*?<\/section>/gs)].map(
        ([card, id]) => [id!, card],
      ),
    );
    const links = [...html.matchAll(/<a href="#(point-\d+)">([^<]*)</g)];
    expect(links.length).toBeGreaterThan(50);
    for (const [, id, text] of links) {
      const card = cards.get(id!)!;
      const index = Number(id!.slice('point-'.length)) - 1;
      const { values } = jobs[index]!;
      const named = PARAMS.map(({ name }, at) => `${name} ${values[at]}`).join(', ');
      expect(card).toContain(`Point ${index + 1}: ${named}<`);
      for (const [at, { name }] of PARAMS.entries())
        expect(card).toContain(`--param ${name}=${values[at]} `);
      expect(card).toContain(`--report point-${index + 1}.html`);
      expect(card).toContain(`· ${index} trades ·`);
      expect(card).toContain(`hash ${`hash of ${index}`.slice(0, 12)}<`);
      // A cell's own number, or a place among the best.
      const isPlace = order[Number(text) - 1]?.index === index;
      expect(isPlace || text === short(pnls[index]!), `${id} of ${text}`).toBe(true);
    }
  });

  test('draws the best points and the worst, higher where they are better, the best over the others', () => {
    const [, svg] = /<svg[^>]*aria-label="Parallel[^>]*>(.*?)<\/svg>/s.exec(html)!;
    const lines = [...svg!.matchAll(/<polyline.*?points="([^"]*)"><title>([^<]*)<\/title>/g)].map(
      ([whole, points, title]) => ({
        whole,
        title: title!,
        places: points!.split(' ').map((place) => Number(place.split(',')[1])),
      }),
    );
    expect(lines).toHaveLength(600);
    const shown = [...order.slice(0, 300), ...order.slice(-300)].toReversed();
    const heights = lines.map(({ places }) => places.at(-1)!);
    expect(heights).toEqual(heights.toSorted((one, other) => other - one));
    for (const [at, { index, values }] of shown.entries()) {
      const named = PARAMS.map(({ name }, place) => `${name} ${values[place]}`).join(', ');
      expect(lines[at]!.title).toBe(`${named}: pnl ${short(pnls[index]!)}`);
      // The first value of a parameter is at the bottom, the last one at the top.
      for (const [place, param] of PARAMS.entries()) {
        const step = param.values.indexOf(values[place]!) / (param.values.length - 1);
        const [bottom, top] = [heights[0]!, heights.at(-1)!];
        expect(lines[at]!.places[place]).toBeCloseTo(bottom + step * (top - bottom), 0);
      }
    }
    expect(lines.filter(({ whole }) => whole.includes('stroke-width="3"'))).toEqual([lines.at(-1)]);
  });
});

describe('a walk-forward', () => {
  /** A window's training has two points, and its test is the better one's. */
  const windows = [
    { trained: [1, 3], tested: 5, returns: [0.1, -0.2] },
    { trained: [4, 2], tested: 0, returns: [0.05] },
    { trained: [null, 2], tested: -7, returns: [-0.1, 0.3] },
  ];
  const walk = { kind: 'rolling', trainMs: 40 * DAY, testMs: 2 * DAY } as const;
  const plan = {
    ...PLAN,
    params: [{ name: 'fast', values: ['5', '10'] }],
    objective: 'profit_factor',
    walk,
  } as SweepPlan;
  const trained = windows.flatMap((_one, window) =>
    [0, 1].map((step): SweepJob => {
      const values = [plan.params[0]!.values[step]!];
      return { index: 2 * window + step, values, range: {}, window, part: 'train' };
    }),
  );
  const tests = windows.map((_one, window): SweepJob => {
    const from = START + window * walk.testMs;
    const range = { from, until: from + walk.testMs };
    return { index: 6 + window, values: ['5'], range, window, part: 'test' };
  });
  const results = [
    ...windows.flatMap(({ trained: factors }, window) =>
      factors.map((factor, step) =>
        runOf(2 * window + step, { profit_factor: factor, pnl: factor ?? -1 }),
      ),
    ),
    ...windows.map(({ tested, returns }, window) =>
      runOf(
        6 + window,
        { pnl: tested, profit_factor: tested + 20, max_drawdown: 9, max_drawdown_share: 0.123 },
        returns,
      ),
    ),
  ];
  const outcome = outcomeOf([...trained, ...tests], results);

  test('shows what was trained beside what was tested, and counts as won what earned something', () => {
    const text = formatSweep(plan, evaluateSweep(plan, outcome, 2), 2);
    const rows = text.split('\n').filter((line) => /^ +\d /.test(line));
    expect(rows.map((line) => line.trim().split(/ {2,}/).slice(-4))).toEqual([
      ['3.00', '25.00', '+5.00', '12.30'],
      ['4.00', '20.00', '0.00', '12.30'],
      ['2.00', '13.00', '-7.00', '12.30'],
    ]);
    expect(text).toContain('Out of sample: -2.00 over 3 windows, 1 of them above zero.');
  });

  test('says how deep it fell', () => {
    const worths = [1.1, 1.1 * 0.8, 1.1 * 0.8 * 1.05, 1.1 * 0.8 * 1.05 * 0.9];
    const end = (worths[3]! * 1.3 - 1) * 100;
    const fall = (1 - worths[3]! / 1.1) * 100;
    expect(describeOutOfSample(stitchTests(outcome)!)).toContain(
      `${end.toFixed(2)} % over 3 windows, largest drawdown ${fall.toFixed(2)} % (`,
    );
  });

  test('whose trainings are too short for the ratio says how many the P&L chose', () => {
    const short = { ...plan, objective: 'sharpe' } as SweepPlan;
    const text = formatSweep(short, evaluateSweep(short, outcome, 2), 2);
    expect(text).toContain('The P&L chose in 3 windows: a training has fewer than the 7 whole');
  });
});

test('the table of the best points has the figures of each in its column', () => {
  const plan = { ...PLAN, params: [{ name: 'a', values: ['1', '2', '3'] }] } as SweepPlan;
  const figures = [
    { pnl: 3, max_drawdown: 70, max_drawdown_share: 0.35, trades: 11, denied: 1 },
    { pnl: 9, max_drawdown: 50, max_drawdown_share: 0.25, trades: 12, denied: 3, liquidations: 2 },
    { pnl: -6, max_drawdown: 60, max_drawdown_share: 0.45, trades: 13, fills: 0 },
  ];
  const own = ['1', '2', '3'].map((value, index): SweepJob => ({
    index,
    values: [value],
    range: {},
    window: null,
    part: 'all',
  }));
  const runs = figures.map((each, index) => runOf(index, each));
  const text = formatSweep(plan, evaluateSweep(plan, outcomeOf(own, runs), 3), 3);
  const cells = text
    .split('\n')
    .slice(2, 5)
    .map((line) => line.trim().split(/ {2,}/));
  // Objective, P&L, drawdown and its share, trades; the probability of skill, neighbours: mean and worst, reordered.
  expect(cells).toEqual([
    ['1', '2', '9.00', '+9.00', '50.00', '25.00', '12', '–', '-1.50 -6.00', '–'],
    ['2', '1', '3.00', '+3.00', '70.00', '35.00', '11', '–', '9.00 9.00', '–'],
    ['3', '3', '-6.00', '-6.00', '60.00', '45.00', '13', '–', '9.00 9.00', '–'],
  ]);
  for (const what of [
    '1 of these 3 had no fill (column fills of the CSV).',
    '2 of these 3 had intents denied (column denied of the CSV).',
    '1 of these 3 had positions liquidated (column liquidations of the CSV).',
  ])
    expect(text).toContain(what);
});

describe('the robustness of a point', () => {
  const own = PARAMS[0]!.values.slice(0, 12);
  const plan = {
    ...PLAN,
    params: [{ name: 'a', values: own }, PARAMS[1]!],
    random: 14,
    seed: 'some',
  } as SweepPlan;
  const drawn = [...firstJobs(plan, { from: 0, until: DAY })];
  const trades = Array.from({ length: 12 }, () => random.next() - 0.4);
  const runs = drawn.map(({ index }) => ({ ...runOf(index, { pnl: pnls[index]! }), trades }));
  const bestOf = (count: number) => evaluateSweep(plan, outcomeOf(drawn, runs), count).best;

  test('of a sweep of drawn points is that of the neighbours which were drawn', () => {
    expect(drawn).toHaveLength(14);
    for (const { job, robustness } of bestOf(14)) {
      const near = drawn.filter(({ values: [a, b] }) => {
        const steps = [
          own.indexOf(a!) - own.indexOf(job.values[0]!),
          'xyz'.indexOf(b!) - 'xyz'.indexOf(job.values[1]!),
        ];
        return Math.abs(steps[0]!) + Math.abs(steps[1]!) === 1;
      });
      const values = near.map(({ index }) => pnls[index]!);
      expect(robustness.neighbours?.count ?? 0).toBe(near.length);
      if (near.length === 0) continue;
      const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
      expect(robustness.neighbours!.mean).toBeCloseTo(mean, 9);
      expect(robustness.neighbours!.worst).toBe(Math.min(...values));
    }
  });

  test('is the same however many are shown beside it', () => {
    expect(bestOf(2)).toEqual(bestOf(5).slice(0, 2));
  });
});

describe('a point that is run once more, alone', () => {
  const plan = { ...PLAN, params: [{ name: 'a', values: ['1', '2', '3'] }] } as SweepPlan;
  const own = ['1', '2', '3'].map((value, index): SweepJob => ({
    index,
    values: [value],
    range: {},
    window: 4,
    part: 'test',
  }));
  const first: PointResult[] = [
    runOf(0, { hash: 'one' }),
    { index: 1, fault: 'no margin' },
    runOf(2, { hash: 'three' }),
  ];
  const again = (fresh: PointResult[]) => unsteadyPoints(own, resultsInMemory(first), fresh);

  test('is steady if it decides the same, or fails for the same reason, or was not reached', () => {
    expect(again(first)).toEqual([]);
    expect(again([])).toEqual([]);
    expect(describeUnsteady(plan, [])).toBeNull();
  });

  test('is named where it decides otherwise, or fails for another reason, and how many more are', () => {
    const others: PointResult[] = [
      runOf(0, { hash: 'one' }),
      { index: 1, fault: 'no price' },
      { index: 2, fault: 'no margin' },
    ];
    const unsteady = again(others);
    expect(unsteady.map(({ index }) => index)).toEqual([1, 2]);
    expect(describeUnsteady(plan, unsteady)).toContain(
      "can't be trusted: a=2 in window 5 (and 1 more) decided differently when run alone.",
    );
    expect(describeUnsteady(plan, [own[2]!])).toContain('a=3 in window 5 decided differently');
  });
});

test('the picture out of sample ends where the curve does, with both lines and windows to scale', () => {
  const at = (share: number): number => START + share * 10 * DAY;
  const svg = outOfSampleSvg({
    curve: [
      [at(0), 0],
      [at(0.5), 20],
      [at(1), -10],
    ],
    drawdown: [
      [at(0), 0],
      [at(0.5), 0],
      [at(1), -25],
    ],
    windows: [
      { from: at(0), until: at(0.6), window: 0 },
      { from: at(0.6), until: at(1), window: 1 },
    ],
  } as unknown as Parameters<typeof outOfSampleSvg>[0]);
  expect(svg).toMatch(/<svg [^>]*aria-label="Out of sample: [-−]10\.0 % over 2 windows"/);
  const lines = [...svg.matchAll(/<polyline[^>]* points="([^"]*)"/g)].map(([, points]) =>
    points!.split(' ').map((point) => point.split(',').map(Number) as [number, number]),
  );
  expect(lines).toHaveLength(2);
  for (const [first, middle, last] of lines as Array<[number, number][]>)
    expect((middle![0] - first![0]) / (last![0] - first![0])).toBeCloseTo(0.5, 2);
  const [[zero, high, low], [none, still, deep]] = lines as [
    [number, number][],
    [number, number][],
  ];
  expect((zero![1] - high![1]) / (low![1] - high![1])).toBeCloseTo(2 / 3, 2);
  expect([none![1] === still![1], deep![1] > still![1]]).toEqual([true, true]);
  // The drawdown is below the curve.
  expect(none![1]).toBeGreaterThan(low![1]);
  const shades = [
    ...svg.matchAll(/<rect x="([\d.]+)" y="0" width="([\d.]+)"[^>]*><title>([^<]*)/g),
  ];
  expect(shades.map(([, , , title]) => title)).toEqual([
    'window 1: 2025-01-01 00:00 to 2025-01-07 00:00',
    'window 2: 2025-01-07 00:00 to 2025-01-11 00:00',
  ]);
  const [one, other] = shades.map(([, x, width]) => ({ x: Number(x), width: Number(width) }));
  expect(other!.x).toBeCloseTo(one!.x + one!.width, 0);
  expect(one!.width / other!.width).toBeCloseTo(1.5, 1);
});
