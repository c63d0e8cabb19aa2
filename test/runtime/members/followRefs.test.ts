import { Subject } from 'rxjs';
import { expect, test } from 'vitest';
import { followRefs } from '../../../src/runtime/members/followRefs.ts';

const CHANNELS = [
  'account$',
  'orders$',
  'executions$',
  'executionsModel$',
  'monitors$',
  'monitorsModel$',
];

/** Strategies of two wallets on the same symbols, and what the log of each one's refs is shown. */
function open(wallet: string) {
  const strategies = [
    { name: 'other', wallet: 'side', symbols: ['BTC', 'ETH', 'SOL'] },
    { name: 'first', wallet: 'main', symbols: ['BTC'] },
    { name: 'second', wallet: 'main', symbols: ['ETH', 'BTC'] },
  ];
  const shown: string[] = [];
  const refLogs = new Map(
    strategies.map(({ name }) => {
      const take = (what: string) => () => void shown.push(`${name} ${what}`);
      const kinds = ['order', 'fill', 'execution', 'monitor', 'gone'];
      return [name, Object.fromEntries(kinds.map((kind) => [kind, take(kind)]))];
    }),
  );
  const source = Object.fromEntries(CHANNELS.map((name) => [name, new Subject<unknown>()]));
  const fills = new Subject<unknown>();
  const asked: string[] = [];
  const of =
    <T>(one: T) =>
    (name: string) => (asked.push(name), one);
  const options = {
    plan: { strategies },
    streams: { wallet: of(source) },
    refLogs,
    fillsOf: of(fills),
  };
  followRefs(wallet, options as unknown as Parameters<typeof followRefs>[1]);
  const say = (channel: string, value: unknown): string[] => {
    shown.length = 0;
    (channel === 'fills' ? fills : source[channel]!).next(value);
    return shown.toSorted();
  };
  return { asked, say };
}

test.each([
  ['BTC', ['first']],
  ['ETH', ['second']],
  ['SOL', []],
])('what a wallet shows of %s is for its own strategies alone', (symbol, names) => {
  const { asked, say } = open('main');
  expect(new Set(asked)).toEqual(new Set(['main']));
  const of = (kind: string): string[] => names.map((name) => `${name} ${kind}`);
  expect(say('fills', { symbol })).toEqual(of('fill'));
  expect(say('orders$', { order_id: 'ord_1', symbol })).toEqual(of('order'));
  const execution = { execution_id: 'exe_1', symbol };
  expect(say('executions$', { event: 'progress', execution })).toEqual(of('execution'));
  const monitor = { monitor_id: 'mon_1', action: { request: { symbol } } };
  expect(say('monitors$', { event: 'armed', monitor })).toEqual(of('monitor'));
  // What is gone is so for whichever of them made it.
  say('executionsModel$', new Map([['exe_1', execution]]));
  expect(say('executionsModel$', new Map())).toEqual(['first gone', 'second gone']);
});
