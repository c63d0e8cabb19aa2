import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Profiler } from 'node:inspector/promises';
import { expect, onTestFinished, test } from 'vitest';
import type { WalkReport } from '../../../src/operate/directLink/index.ts';
import {
  describeProfile,
  formatProfile,
  startProfile,
  summariseProfile,
  type ProfileSummary,
} from '../../../src/operate/profile/index.ts';

const HOME = join(import.meta.dirname, 'home');
const PLUGIN = join(process.cwd(), 'bots/trend.ts');

/** A chain of calls, the outermost first, and milliseconds of the innermost. */
type Chain = readonly [ms: number, ...frames: Array<readonly [path: string, name?: string]>];

function profileOf(...chains: Chain[]): Profiler.Profile {
  const nodes: Profiler.ProfileNode[] = [];
  const samples: number[] = [];
  const timeDeltas: number[] = [];
  for (const [ms, ...frames] of chains) {
    for (const [at, [path, functionName = 'run']] of frames.entries()) {
      const url = path === '' ? '' : path.includes(':') ? path : pathToFileURL(path).href;
      const callFrame = { functionName, url, scriptId: '', lineNumber: 40, columnNumber: 0 };
      const id = nodes.length + 1;
      nodes.push({ id, callFrame, ...(at < frames.length - 1 ? { children: [id + 1] } : {}) });
    }
    samples.push(nodes.length);
    timeDeltas.push(ms * 1_000);
  }
  return { nodes, samples, timeDeltas, startTime: 0, endTime: 0 };
}

test('time belongs to the folder of the innermost frame that is not of Node or a package', () => {
  const venue = join(HOME, 'dist/src/paper/venue/applyFill.js');
  const { stations, totalMs } = summariseProfile(
    profileOf(
      [4, [venue], ['node:internal/crypto']],
      [3, [join(HOME, 'src/guards/spread.ts')], [join(HOME, 'node_modules/zod/core.js')]],
      [2, [venue], ['', '(garbage collector)']],
      [1, ['', 'toString']],
      [9, ['', '(idle)']],
      [9, ['node:inspector', 'post']],
    ),
    HOME,
  );
  expect(stations).toEqual([
    { name: 'simulated venue', ms: 4 },
    { name: 'decisions: guards, keys, queue', ms: 3 },
    { name: 'garbage collection', ms: 2 },
    { name: 'the rest', ms: 1 },
  ]);
  expect(totalMs).toBe(10);
});

test('the tape and the service around it are no part of the simulated venue', () => {
  const { stations } = summariseProfile(
    profileOf(
      [4, [join(HOME, 'src/paper/feed/openTape.ts')]],
      [2, [join(HOME, 'src/paper/server/route.ts')]],
      [1, [join(HOME, 'src/paper/book.ts')]],
    ),
    HOME,
  );
  expect(stations).toEqual([
    { name: 'loading the tape', ms: 6 },
    { name: 'simulated venue', ms: 1 },
  ]);
});

test('of a package that a project has installed, its own files are no other package’s', () => {
  const home = join(process.cwd(), 'node_modules/trimtab');
  const { stations, lines } = summariseProfile(
    profileOf(
      [4, [PLUGIN], [join(home, 'dist/src/guards/spread.js')]],
      [2, [PLUGIN], [join(process.cwd(), 'node_modules/zod/core.js')]],
      [1, [PLUGIN], [join(home, 'node_modules/zod/core.js')]],
    ),
    home,
  );
  expect(stations).toEqual([
    { name: 'decisions: guards, keys, queue', ms: 4 },
    { name: 'plugin', ms: 3 },
  ]);
  expect(lines.map(({ ms }) => ms)).toEqual([3]);
});

test('time in a chunk of a build belongs to the module that its line comes from', () => {
  const home = mkdtempSync(join(tmpdir(), 'trimtab-chunk-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const chunk = join(home, 'dist/src/chunks/runtime.js');
  mkdirSync(dirname(chunk), { recursive: true });
  // The function's line is the 41st.
  const lines = Array.from({ length: 60 }, () => '');
  lines[0] = '// src/strategy/createContext.js';
  lines[39] = '// src/paper/venue/applyFill.js';
  lines[41] = '// src/guards/spread.js';
  writeFileSync(chunk, lines.join('\n'));
  expect(summariseProfile(profileOf([4, [chunk]]), home).stations).toEqual([
    { name: 'simulated venue', ms: 4 },
  ]);
  lines[40] = '// backtest/sweep/rank.js';
  writeFileSync(chunk, lines.join('\n'));
  expect(summariseProfile(profileOf([4, [chunk]]), home).stations).toEqual([
    { name: 'replay', ms: 4 },
  ]);
});

test("a plugin's function is named by its place and the operator that called it", () => {
  const rxjs = (operator: string): string =>
    join(HOME, `node_modules/rxjs/dist/cjs/internal/operators/${operator}.js`);
  const zod = join(process.cwd(), 'node_modules/zod/core.js');
  const { stations, lines } = summariseProfile(
    profileOf(
      [2, [rxjs('tap')], [`${pathToFileURL(PLUGIN).href}?version=2`, 'look']],
      [1, [rxjs('tap')], [PLUGIN, 'look'], [zod]],
      [5, [rxjs('scanInternals')], [PLUGIN, '']],
      [1, [join(HOME, 'strategies/emaTrend.ts'), 'setup']],
    ),
    HOME,
  );
  expect(stations).toEqual([{ name: 'plugin', ms: 9 }]);
  expect(lines.slice(0, 2)).toEqual([
    { place: 'bots/trend.ts:41', name: '', operator: 'scan', ms: 5 },
    { place: 'bots/trend.ts:41', name: 'look', operator: 'tap', ms: 3 },
  ]);
});

test('a function that two operators call is a line for each, and the twelve longest are shown', () => {
  const rxjs = (operator: string): string =>
    join(HOME, `node_modules/rxjs/dist/cjs/internal/operators/${operator}.js`);
  const other = Array.from({ length: 12 }, (_none, at): Chain => [20 + at, [PLUGIN, `other${at}`]]);
  const summary = summariseProfile(
    profileOf(
      [9, [rxjs('tap')], [PLUGIN, 'look']],
      [8, [rxjs('map')], [PLUGIN, 'look']],
      ...other.slice(1),
    ),
    HOME,
  );
  expect(summary.lines.slice(-2).map(({ operator, ms }) => [operator, ms])).toEqual([
    ['tap', 9],
    ['map', 8],
  ]);
  const walked: WalkReport = { stepped: 0, spans: [], spanned: 0, lanes: [], readers: [] };
  const shown = describeProfile(summary, walked).lines;
  expect(shown).toHaveLength(12);
  expect(shown.at(-1)).toEqual({ name: 'bots/trend.ts:41 look in tap', ms: 9 });
});

test('a run that was over before the first sample has shares of nothing, and not of no number', () => {
  const walked: WalkReport = { stepped: 0, spans: [], spanned: 0, lanes: [], readers: [] };
  const summary = { totalMs: 0, stations: [{ name: 'replay', ms: 0 }], lines: [] };
  expect(formatProfile(describeProfile(summary, walked))).toMatch(/replay +0 +0\.0 %/);
});

const lane = { symbol: 'BTC', interval: '1m' } as const;
const WALKED: WalkReport = {
  stepped: 7,
  spans: [3, 0, 1],
  spanned: 9,
  lanes: [{ ...lane, bars: 9, taken: 8 }],
  readers: [],
};
const textOf = (walked: WalkReport, stations: ProfileSummary['stations'] = []): string =>
  formatProfile(describeProfile({ totalMs: 2, stations, lines: [] }, walked));

test('the text has the time of each part and the lengths of spans', () => {
  const text = textOf(WALKED, [{ name: 'RxJS', ms: 1 }]);
  expect(text).toMatch(/RxJS +1 +50.0 %/);
  expect(text).toMatch(/^1 +3$/m);
  expect(text).toMatch(/^4 to 7 +1$/m);
  expect(text).toContain('walked: 9 bars in 4 spans, 7 one by one');
});

test('the text names who reads bars one by one', () => {
  expect(textOf(WALKED)).toContain(
    'BTC 1m: 8 of 9 bars in spans went to a plugin: only withIndicators, shareRows,',
  );
  const few = { ...WALKED, lanes: [{ ...lane, bars: 9, taken: 1 }] };
  expect(textOf(few)).not.toContain('withIndicators');
  const stack = `Error\n    at Object.setup (${pathToFileURL(PLUGIN).href}:41:9)`;
  const readers = [
    { ...lane, stack, operator: 'tap' },
    { ...lane, stack, operator: undefined },
    { ...lane, symbol: 'ETH', stack, operator: 'map' },
  ];
  const named = textOf({ ...WALKED, readers });
  expect(named).toMatch(
    /^ {2}bots\/trend\.ts:41:9: tap takes each; only withIndicators, shareRows,/m,
  );
  expect(named).toMatch(/^ {2}bots\/trend\.ts:41:9: it takes each; only/m);
  expect(named).not.toContain('map');
  expect(textOf({ ...few, readers })).not.toContain('tap');
  // Half of them is not most of them.
  const half = { ...WALKED, lanes: [{ ...lane, bars: 8, taken: 4 }] };
  expect(textOf({ ...half, readers })).not.toContain('tap');
  // Nor does it say anything of a lane without bars, or of the same symbol’s other bars.
  const none = { ...WALKED, lanes: [{ ...lane, bars: 0, taken: 0 }] };
  expect(textOf({ ...none, readers })).not.toContain('BTC 1m');
  const hours = { ...WALKED, lanes: [{ ...lane, interval: '1h' as const, bars: 9, taken: 9 }] };
  expect(textOf({ ...hours, readers })).not.toContain('tap');
});

test('samples are of this process', async () => {
  const profile = await startProfile();
  const end = performance.now() + 60;
  let sum = 0;
  while (performance.now() < end) sum += Math.sqrt(sum + 1);
  const measured = await profile.stop();
  expect(summariseProfile(measured, HOME).totalMs).toBeGreaterThan(20);
});
