import { trace } from '@opentelemetry/api';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { Subject } from 'rxjs';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { createLiveEnv } from '../../../src/env/index.ts';
import { placeOrder } from '../../../src/intents/index.ts';
import { traceIntents } from '../../../src/operate/trace/index.ts';
import type { BotEvent } from '../../../src/runtime/index.ts';
import { openTestBot } from '../../runtime/openTestBot.ts';
import { openTwoWallets, STRATEGIES } from '../watchedBot.ts';

const open: Array<{ close(): unknown }> = [];
afterEach(async () => {
  trace.disable();
  for (const item of open.splice(0).toReversed()) await item.close();
});

async function openTraced() {
  const server = await openTwoWallets();
  open.push(server);
  let isTraced = false;
  const bot = await openTestBot(server, {
    strategies: STRATEGIES,
    guards: { max_order_notional: 5_000 },
    async onBot(created) {
      const cancel = await traceIntents(created, createLiveEnv());
      isTraced = cancel !== undefined;
      onTestFinished(() => cancel?.());
    },
  });
  open.push(bot);
  return { bot, isTraced };
}

test('an intent is a span from its emission to its outcome', async () => {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  trace.setGlobalTracerProvider(provider);
  const { bot } = await openTraced();
  await bot.step(2);
  bot.propose(placeOrder.market({ symbol: 'BTC', side: 'buy', size: 0.02 }));
  bot.propose(placeOrder.market({ symbol: 'BTC', side: 'buy', size: 20 }));
  await bot.step(1);
  const spans = exporter.getFinishedSpans();
  const said = spans.map(({ name, attributes, status, events }) => ({
    name,
    state: attributes['trimtab.state'],
    guard: attributes['trimtab.guard'],
    strategy: attributes['trimtab.strategy'],
    symbol: attributes['trimtab.symbol'],
    status: status.code,
    events: events.map((event) => event.name),
  }));
  const about = { name: 'intent place_order', strategy: 'first', symbol: 'BTC' };
  expect(said).toContainEqual({
    ...about,
    state: 'accepted',
    guard: undefined,
    status: 0,
    events: ['guarded', 'sending', 'answered'],
  });
  expect(said).toContainEqual({
    ...about,
    state: 'denied',
    guard: 'max_order_notional',
    status: 2,
    events: ['denied'],
  });
  // A span's time is the process's own, in order.
  for (const { startTime, endTime } of spans)
    expect(endTime[0] * 1e9 + endTime[1]).toBeGreaterThanOrEqual(startTime[0] * 1e9 + startTime[1]);
});

test('without a provider, nothing is followed', async () => {
  const { isTraced } = await openTraced();
  expect(isTraced).toBe(false);
});

test('a step of a repeated attempt has its number, one of the first none', async () => {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  trace.setGlobalTracerProvider(provider);
  const events$ = new Subject<BotEvent>();
  const cancel = await traceIntents({ events$ }, createLiveEnv());
  onTestFinished(() => cancel?.());
  const intent = placeOrder.market({ symbol: 'BTC', side: 'buy', size: 1 });
  const emission = { intent, instance: 'first', wallet: 'main', cause: 'bar' };
  const steps = [
    ['emitted', 1],
    ['sending', 1],
    ['sending', 2],
    ['accepted', 3],
  ] as const;
  for (const [state, attempt] of steps)
    events$.next({ kind: 'intent', event: { state, attempt, key: 'key', emission } } as never);
  const [span] = exporter.getFinishedSpans();
  expect(span!.events.map(({ attributes }) => attributes?.['trimtab.attempt'])).toEqual([
    undefined,
    2,
    3,
  ]);
});
