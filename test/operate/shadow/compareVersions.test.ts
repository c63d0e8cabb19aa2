import { describe, expect, test } from 'vitest';
import { barCloseOf, type ComparedIntent } from '../../../src/operate/shadow/ComparedIntent.ts';
import { compareVersions, formatComparison } from '../../../src/operate/shadow/index.ts';
import { newestIntents } from '../../../src/operate/shadow/newestIntents.ts';
import type { ShadowCourse } from '../../../src/operate/shadow/ShadowView.ts';

const minute = (count: number): number => Date.UTC(2026, 0, 1) + count * 60_000;

const at = (count: number): ComparedIntent => ({
  cause: `bar:BTC:1m:${minute(count - 1)}`,
  ordinal: 0,
  time: minute(count),
  kind: 'place_order',
  symbol: 'BTC',
  side: 'buy',
  size: 1,
  outcome: 'accepted',
});

/** Both decided the same at each minute from 1 to 9; the shadow ran from 2 to 8. */
const course = (given: Partial<ShadowCourse> = {}): ShadowCourse => ({
  instance: 'turns',
  use: './new.ts',
  state: 'running',
  reason: null,
  since: minute(2),
  until: minute(8),
  intentsSince: minute(2),
  capital: 1_000,
  shadow: null,
  live: null,
  sizeSteps: {},
  barMs: 60_000,
  curve: [],
  hash: null,
  liveIntents: [1, 2, 3, 4, 5, 6, 7, 8, 9].map(at),
  shadowIntents: [1, 2, 3, 4, 5, 6, 7, 8, 9].map(at),
  ...given,
});

const timesOf = (...given: Parameters<typeof compareVersions>) =>
  compareVersions(...given).pairs.map(({ live, shadow }) => (live ?? shadow)!.time);
const minutes = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => minute(first + index));

test('decisions are compared while both ran, at or after since and before until', () => {
  expect(timesOf(course())).toEqual(minutes(2, 8));
  expect(timesOf(course(), { since: minute(4) })).toEqual(minutes(4, 8));
  expect(timesOf(course(), { since: minute(0) })).toEqual(minutes(2, 8));
  expect(timesOf(course(), { until: minute(6) })).toEqual(minutes(2, 5));
  expect(timesOf(course(), { until: minute(99) })).toEqual(minutes(2, 8));
});

test.each([
  ['bar:BTC:1m:60000', 120_000],
  ['bar:BTC:1h:3600000', 7_200_000],
  ['bar:xyz:TSLA:5m:300000', 600_000],
  ['bar:PURR/USDC:1d:0', 86_400_000],
  ['bar:BTC:7m:60000', undefined],
  ['fill:f_1', undefined],
  ['forming:BTC:1m:60000:61000', undefined],
])('the bar of %s closed at %s', (cause, close) => {
  expect(barCloseOf(cause)).toBe(close);
});

test('sizes within a step of their own symbol are the same, and of a symbol without a step none', () => {
  const [live, shadow] = [
    { BTC: 1, ETH: 1, DOGE: 100, NEW: 3 },
    { BTC: 1.0005, ETH: 1.0005, DOGE: 101, NEW: 3.0001 },
  ].map((sizes) =>
    Object.entries(sizes).map(([symbol, size], ordinal) => ({ ...at(3), ordinal, symbol, size })),
  );
  const sizeSteps = { ETH: 0.0001, DOGE: 1, BTC: 0.001 };
  const { pairs } = compareVersions(
    course({ sizeSteps, liveIntents: live!, shadowIntents: shadow! }),
  );
  expect(pairs.map((pair) => [pair.live?.symbol, ...pair.differs])).toEqual([
    ['BTC'],
    ['ETH', 'size'],
    ['DOGE'],
    ['NEW', 'size'],
  ]);
});

test('what only one of the two still has in memory did not part', () => {
  const { intents, since } = newestIntents(course().liveIntents, 5);
  const cut = course({ liveIntents: intents, intentsSince: since });
  const compared = compareVersions(cut);
  expect([compared.same, compared.parted]).toEqual([4, 0]);
  expect(compared).toMatchObject({ cut: true, compared: { from: since, until: minute(8) } });
  expect(compareVersions(cut, { since: minute(6) }).cut).toBe(false);
  expect(compareVersions(course()).cut).toBe(false);
  expect(newestIntents(course().liveIntents, 9)).toEqual({
    intents: course().liveIntents,
    since: 0,
  });
});

describe('on a service, whose fills come after the close by which the shadow has them', () => {
  const LATE = 150;
  const fill = (id: string, time: number): ComparedIntent => ({
    ...at(0),
    cause: `fill:${id}`,
    time,
  });
  /** Both decide on the fill of what they ordered at each close. */
  const live = [2, 3, 4, 5, 6, 7, 8].map((count) => fill(`f_${count}`, minute(count) + LATE));
  const shadow = [2, 3, 4, 5, 6, 7, 8].map((count) => fill(`p_${count}`, minute(count)));

  test('decisions on them are the same, the newest too', () => {
    const compared = compareVersions(course({ liveIntents: live, shadowIntents: shadow }));
    expect([compared.same, compared.parted]).toEqual([7, 0]);
    expect(compared.counts).toMatchObject({ live: { intents: 7 }, shadow: { intents: 7 } });
  });

  test('what one of the two lacks at the newest close has parted with the next, or at the end', () => {
    const newest = { liveIntents: live.slice(0, -1), shadowIntents: shadow };
    expect(compareVersions(course(newest))).toMatchObject({ same: 6, parted: 0 });
    expect(compareVersions(course({ ...newest, state: 'ended' })).parted).toBe(1);
    const before = { liveIntents: live, shadowIntents: shadow.slice(0, -2) };
    expect(compareVersions(course(before)).parted).toBe(1);
    // After what the shadow has reached nothing has parted.
    const later = [...live, fill('f_9', minute(8) + 30_000)];
    expect(
      compareVersions(course({ liveIntents: later, shadowIntents: shadow, state: 'ended' })).parted,
    ).toBe(0);
  });

  test('a cut between the two of them is no parting', () => {
    const dropped = newestIntents(shadow, 4);
    expect(dropped.since).toBe(minute(4) + 1);
    const compared = compareVersions(
      course({
        liveIntents: live,
        shadowIntents: dropped.intents,
        intentsSince: dropped.since,
      }),
    );
    expect([compared.same, compared.parted]).toEqual([4, 0]);
    const whole = course({ liveIntents: live, shadowIntents: shadow });
    // By the earlier of the two, so that each pair is in one range alone.
    const [early, late] = [
      compareVersions(whole, { until: minute(5) }),
      compareVersions(whole, { since: minute(5) }),
    ];
    expect([early.same, early.parted, late.same, late.parted]).toEqual([3, 0, 4, 0]);
  });

  test('those of two bars are not the same', () => {
    const shadowIntents = shadow.map((one) => ({ ...one, time: one.time - 60_000 }));
    const compared = compareVersions(
      course({ liveIntents: live.slice(3, 4), shadowIntents: shadowIntents.slice(4, 6) }),
    );
    expect(compared.pairs.map(({ differs }) => differs)).toEqual([[], ['shadow only']]);
  });
});

test('of what came late, all that a list has dropped is left out', () => {
  const { intents, since } = newestIntents([at(5), at(2), at(3), at(6)], 2);
  expect(intents).toEqual([at(3), at(6)]);
  expect(since).toBe(minute(5) + 1);
});

const RANGE = 'Intents compared: ';
const FIGURES = 'since the shadow began:';

test('a range is named, and the figures say that they are of all the time', () => {
  const whole = formatComparison(compareVersions(course()));
  expect(whole).toContain('They never part: 7 intents are the same.');
  expect(whole).not.toContain(RANGE);
  expect(whole).not.toContain(FIGURES);
  const narrow = formatComparison(
    compareVersions(course(), { since: minute(4), until: minute(6) }),
  );
  expect(narrow).toContain(`${RANGE}2026-01-01 00:04 to 2026-01-01 00:06 UTC\n`);
  expect(narrow).toContain('They never part in this range: 2 intents are the same.');
  expect(narrow.indexOf(FIGURES)).toBeGreaterThan(narrow.indexOf('denied by guards'));
  expect(narrow.indexOf(FIGURES)).toBeLessThan(narrow.indexOf('fills'));
  const parted = course({ shadowIntents: [], intentsSince: minute(3) });
  const cut = formatComparison(compareVersions(parted));
  expect(cut).toContain('00:08 UTC; older ones of one version are no longer kept\n');
  expect(cut).toMatch(/They part first in this range at 2026-01-01 00:03/);
  const none = formatComparison(compareVersions(course(), { until: minute(1) }));
  expect(none).toContain(`${RANGE}none, since both ran at no time of this range\n`);
});

test('each version has its own counts, and the shadow what it would have earned more', () => {
  const denied = { outcome: 'denied', refusedBy: 'max_order_notional' };
  const figures = {
    fills: 3,
    realizedPnl: 40,
    unrealizedPnl: -15,
    fees: 2,
    funding: 0.5,
    netPnl: 22.5,
    maxDrawdown: 9,
    maxDrawdownShare: 0.009,
    capital: 1_000,
  };
  const compared = compareVersions(
    course({
      liveIntents: [at(3), { ...at(4), ...denied }, { ...at(5), outcome: 'rejected' }],
      shadowIntents: [{ ...at(3), ...denied }, { ...at(4), ...denied }, at(5), at(6)],
      live: {
        ...figures,
        fills: 2,
        netPnl: -7.5,
        realizedPnl: 7,
        unrealizedPnl: -11,
        fees: 3,
        funding: 0.25,
        maxDrawdown: 12,
      },
      shadow: figures,
    }),
  );
  expect(compared.counts).toEqual({
    live: { intents: 3, denied: 1 },
    shadow: { intents: 4, denied: 2 },
  });
  const lines = formatComparison(compared).split('\n');
  expect(lines.at(-1)).toBe(
    'The shadow would have earned +22.50 with 1,000.00, +30.00 beside the live version.',
  );
  const row = (name: string) => lines.find((line) => line.startsWith(name))!.split(/ {2,}/);
  expect(row('intents ')).toEqual(['intents', '3', '4']);
  expect(row('denied by guards')).toEqual(['denied by guards', '1', '2']);
  expect(row('fills ')).toEqual(['fills', '2', '3']);
  expect(row('realised')).toEqual(['realised', '+7.00', '+40.00']);
  expect(row('unrealised')).toEqual(['unrealised', '-11.00', '-15.00']);
  expect(row('fees')).toEqual(['fees', '3.00', '2.00']);
  expect(row('funding paid')).toEqual(['funding paid', '0.25', '0.50']);
  expect(row('P&L')).toEqual(['P&L', '-7.50', '+22.50']);
  expect(row('max drawdown')).toEqual(['max drawdown', '12.00', '9.00']);
  const intents = lines.filter((line) => line.includes('place_order'));
  expect(intents[0]).toContain('place_order buy 1 BTC  ');
  expect(intents[0]).toContain('place_order buy 1 BTC (denied by max_order_notional)');
  expect(intents[2]).toContain('place_order buy 1 BTC (rejected)');
});
