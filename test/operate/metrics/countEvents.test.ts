import { Subject } from 'rxjs';
import { expect, test } from 'vitest';
import { countEvents } from '../../../src/operate/metrics/countEvents.ts';
import { createPrometheusMetrics } from '../../../src/operate/metrics/createPrometheusMetrics.ts';
import type { BotEvent } from '../../../src/runtime/index.ts';

function open() {
  const events$ = new Subject<BotEvent>();
  const metrics = createPrometheusMetrics('bot');
  const strategies = [{ name: 'trend', wallet: 'main', symbols: ['BTC'] }];
  const plan = { strategies } as unknown as Parameters<typeof countEvents>[1];
  countEvents({ events$ }, plan, metrics.port, () => 61_500);
  return {
    send: (event: object) => events$.next(event as BotEvent),
    lines: async () => (await metrics.render([])).text,
  };
}

const sending = (attempt: number, causeTime?: number, state = 'sending') => ({
  kind: 'intent',
  event: { state, attempt, emission: { instance: 'trend', causeTime } },
});

test('the age of a decision is taken once, at its first sending', async () => {
  const { send, lines } = open();
  send(sending(1, 60_000, 'guarded'));
  send(sending(1, 60_000));
  send(sending(2, 60_000));
  // Nothing on the market caused it.
  send(sending(1));
  const text = await lines();
  expect(text).toMatch(
    new RegExp(`decision_age_seconds_count\\{[^}]*strategy="trend"[^}]*\\} 1$`, 'm'),
  );
  expect(text).toMatch(/decision_age_seconds_sum\{[^}]*\} 1\.5$/m);
});

test('symbols of others are one value, and a rebate is no fee', async () => {
  const { send, lines } = open();
  const fill = (symbol: string, fee: number, instance?: string) =>
    send({ kind: 'fill', wallet: 'main', instance, fill: { symbol, fee } });
  fill('BTC', 2, 'trend');
  fill('BTC', -1, 'trend');
  fill('DOGE', 1);
  fill('PEPE', 1);
  const text = await lines();
  expect(text).toMatch(/fills_total\{[^}]*symbol="BTC"[^}]*\} 2$/m);
  expect(text).toMatch(/fees_total\{[^}]*symbol="BTC"[^}]*\} 2$/m);
  expect(text).toMatch(/fills_total\{[^}]*symbol=""[^}]*\} 2$/m);
  expect(text).not.toMatch(/DOGE|PEPE/);
});

test('a quarantine is counted, a restart is not', async () => {
  const { send, lines } = open();
  const count = async () => /quarantines_total\{[^}]*\} (\d+)$/m.exec(await lines())?.[1];
  expect(await count()).toBe('0');
  send({ kind: 'strategy_life', life: { instance: 'trend', state: 'quarantined' } });
  send({ kind: 'strategy_life', life: { instance: 'trend', state: 'restarted' } });
  expect(await count()).toBe('1');
});
