import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { BotConfig } from '../../../src/config/index.ts';
import type { FillMark, IntentMark } from '../../../src/operate/state/BotView.ts';
import { createCandleTrack } from '../../../src/operate/state/createCandleTrack.ts';
import { createEventList } from '../../../src/operate/state/createEventList.ts';
import { createRing } from '../../../src/operate/state/createRing.ts';
import { hashOfConfig } from '../../../src/operate/state/hashOfConfig.ts';
import { holdLaw } from '../../holdLaw.ts';

test('a ring has the newest items, oldest first, however many came', async () => {
  const course = fc.record({ most: fc.integer({ min: 1, max: 7 }), count: fc.nat({ max: 30 }) });
  await holdLaw(60, course, ({ most, count }) => {
    const ring = createRing<number>(most);
    const all = Array.from({ length: count }, (_none, at) => at);
    for (const [at, item] of all.entries()) {
      ring.add(item);
      expect(ring.list()).toEqual(all.slice(Math.max(0, at + 1 - most), at + 1));
    }
    expect(ring.list()).toHaveLength(Math.min(most, count));
  });
});

const markOf = (key: string, symbol: string, state = 'sending') =>
  ({ key, kind: 'launch', symbol, state, time: 1, strategy: 'own' }) as IntentMark;

test('a chart has what is of its symbol, an intent once with its newest state, and five hundred at most', () => {
  const track = createCandleTrack(
    new Map([
      ['BTC', 60_000],
      ['ETH', 300_000],
    ]),
  );
  const bar = { time: 1, open: 1, high: 4, low: 0.5, close: 2 };
  track.bar('BTC', bar);
  track.fill('BTC', { time: 1, price: 2 } as FillMark);
  track.intent(markOf('a', 'BTC'));
  track.intent(markOf('b', 'ETH'));
  track.intent(markOf('a', 'BTC', 'accepted'));
  expect(track.of('BTC')).toMatchObject({
    interval_ms: 60_000,
    time: [1],
    open: [1],
    high: [4],
    low: [0.5],
    close: [2],
    fills: [{ price: 2 }],
    intents: [{ key: 'a', state: 'accepted' }],
  });
  expect(track.of('ETH')).toMatchObject({ time: [], fills: [], intents: [{ key: 'b' }] });
  expect(track.of('DOGE')).toBeUndefined();
  // What is of no chart, such as a basket, takes the place of none.
  for (let at = 0; at < 600; at++) track.intent(markOf(`other ${at}`, 'DOGE'));
  for (let at = 0; at < 498; at++) track.intent(markOf(`more ${at}`, 'ETH'));
  expect(track.of('BTC')!.intents.map(({ key }) => key)).toEqual(['a']);
  track.intent(markOf('one more', 'ETH'));
  expect(track.of('BTC')!.intents).toEqual([]);
  expect(track.of('ETH')!.intents).toHaveLength(500);
});

test('the newest events come oldest first, and each once to who follows them', () => {
  let sequence = 0;
  const events = createEventList({ now: () => 1, wallNow: () => 2, sequence: () => sequence });
  for (let at = 1; at <= 600; at++) {
    sequence = at;
    events.log.info(`event ${at}`, { key: `k${at}` });
    events.log.debug('not for an operator');
  }
  const texts = (rows: readonly { text: string }[]): string[] => rows.map(({ text }) => text);
  expect(texts(events.newest(3))).toEqual(['event 598', 'event 599', 'event 600']);
  expect(texts(events.after(598))).toEqual(['event 599', 'event 600']);
  expect(events.after(600)).toEqual([]);
  expect(events.newest(10_000)).toHaveLength(500);
  expect(events.newest(1)).toMatchObject([{ key: 'k600', fields: {} }]);
});

test('bots that are configured alike have one hash, wherever their files are', () => {
  const configOf = (directory: string, rest: object = {}) =>
    ({
      file: `${directory}/bot.yaml`,
      directory,
      name: 'bot',
      strategies: [{ use: `${directory}/own.ts`, params: { period: 5 } }],
      journal: { path: `${directory}/bot.sqlite` },
      ...rest,
    }) as unknown as BotConfig;
  const hash = hashOfConfig(configOf('/bots'));
  expect(hash).toMatch(/^[0-9a-f]{64}$/);
  expect(hashOfConfig(configOf('/srv/other "bots"'))).toBe(hash);
  expect(hashOfConfig(configOf('/bots', { journalFlag: '/tmp/x.sqlite' }))).toBe(hash);
  expect(hashOfConfig(configOf('/bots', { file: 'renamed.yaml' }))).toBe(hash);
  expect(hashOfConfig(configOf('/bots', { name: 'other' }))).not.toBe(hash);
  const changed = { strategies: [{ use: '/bots/own.ts', params: { period: 6 } }] };
  expect(hashOfConfig(configOf('/bots', changed))).not.toBe(hash);
});
