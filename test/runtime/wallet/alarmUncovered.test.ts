import { expect, test } from 'vitest';
import { createVirtualEnv } from '../../../src/env/index.ts';
import { alarmUncovered, type UncoveredAlarm } from '../../../src/runtime/wallet/alarmUncovered.ts';
import { createCoverage } from '../../../src/runtime/wallet/createCoverage.ts';

const naked = { wallet: 'main', symbol: 'BTC', size: 2, covered: 0 };
const whole = { ...naked, covered: 2 };

/** Market time and the machine's timers run apart, as they do when a stream is lost. */
function setUp({ afterSeconds }: { afterSeconds?: number } = { afterSeconds: 10 }) {
  const market = createVirtualEnv().queue;
  const machine = createVirtualEnv();
  const alarms: UncoveredAlarm[] = [];
  const ignored = new Set<string>();
  const coverage = alarmUncovered(
    createCoverage({
      now: () => market.now(),
      isIgnored: (_wallet, symbol) => ignored.has(symbol),
    }),
    {
      market,
      timers: machine.timers,
      afterSeconds,
      onAlarm: (alarm) => alarms.push(alarm),
    },
  );
  return { market, machine, alarms, coverage, ignored };
}

test('a spell raises one alarm, with the current coverage', () => {
  const { market, machine, alarms, coverage } = setUp();
  coverage.see('main', [naked]);
  market.advanceTo(5_000);
  coverage.see('main', [{ ...naked, covered: 0.5 }]);
  market.advanceTo(9_999);
  expect(alarms).toEqual([]);
  market.advanceTo(10_000);
  expect(alarms).toEqual([{ ...naked, covered: 0.5, seconds: 10 }]);
  coverage.see('main', [naked]);
  market.advanceTo(99_000);
  machine.queue.advanceTo(99_000);
  expect(alarms).toHaveLength(1);
});

test('a position that the operator ignores from now on raises none, and others still do', () => {
  const { market, alarms, coverage, ignored } = setUp();
  const other = { ...naked, wallet: 'second', symbol: 'ETH' };
  coverage.see('main', [naked]);
  coverage.see('second', [other]);
  market.advanceTo(5_000);
  ignored.add('BTC');
  coverage.review();
  market.advanceTo(60_000);
  expect(alarms).toEqual([{ ...other, seconds: 10 }]);
  expect(coverage.uncovered()).toEqual([{ ...other, since: 0 }]);
  expect(coverage.longestSeconds()).toBe(60);
  coverage.see('main', [naked]);
  expect(coverage.uncovered()).toHaveLength(1);
});

test('the timer alone raises it when no frame advances market time', () => {
  const { machine, alarms, coverage } = setUp();
  coverage.see('main', [naked]);
  machine.queue.advanceTo(10_000);
  expect(alarms).toEqual([{ ...naked, seconds: 10 }]);
});

test('a position covered in time raises none, and the next spell starts over', () => {
  const { market, machine, alarms, coverage } = setUp();
  coverage.see('main', [naked]);
  market.advanceTo(9_000);
  machine.queue.advanceTo(9_000);
  coverage.see('main', [whole]);
  coverage.see('main', [naked]);
  market.advanceTo(18_999);
  machine.queue.advanceTo(18_999);
  expect(alarms).toEqual([]);
  market.advanceTo(19_000);
  expect(alarms).toHaveLength(1);
  coverage.see('main', []);
  coverage.see('main', [naked]);
  market.advanceTo(29_000);
  expect(alarms).toHaveLength(2);
});

test('wallets and symbols raise separate alarms', () => {
  const { market, alarms, coverage } = setUp();
  coverage.see('main', [naked, { ...naked, symbol: 'ETH' }]);
  coverage.see('second', [{ ...naked, wallet: 'second' }]);
  market.advanceTo(10_000);
  expect(alarms.map(({ wallet, symbol }) => `${wallet} ${symbol}`)).toEqual([
    'main BTC',
    'main ETH',
    'second BTC',
  ]);
});

test('no alarm after the end, or without a limit', () => {
  const ended = setUp();
  ended.coverage.see('main', [naked]);
  ended.coverage.stop();
  ended.market.advanceTo(99_000);
  ended.machine.queue.advanceTo(99_000);
  expect(ended.alarms).toEqual([]);
  const silent = setUp({});
  silent.coverage.see('main', [naked]);
  silent.market.advanceTo(99_000);
  expect(silent.alarms).toEqual([]);
  expect(silent.coverage.uncovered()).toHaveLength(1);
});
