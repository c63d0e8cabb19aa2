import { diag, SpanStatusCode, trace } from '@opentelemetry/api';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { Subject } from 'rxjs';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { createLiveEnv, createVirtualEnv } from '../../../src/env/index.ts';
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

/** A tracer of events that the test makes, in the test's own time. */
async function openSpans() {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  trace.setGlobalTracerProvider(provider);
  const complaints: string[] = [];
  const complain = (message: string): void => void complaints.push(message);
  diag.setLogger({ error: complain, warn: complain, info() {}, debug() {}, verbose() {} });
  onTestFinished(() => diag.disable());
  const env = createVirtualEnv({ startTime: 1_000_000 });
  const events$ = new Subject<BotEvent>();
  const cancel = (await traceIntents({ events$ }, env))!;
  onTestFinished(() => cancel());
  const intent = placeOrder.market({ symbol: 'BTC', side: 'buy', size: 1 });
  const emission = { intent, instance: 'first', wallet: 'main', cause: 'bar' };
  return {
    events$,
    cancel,
    complaints,
    /** A step of an intent, a second after the one before. */
    step(state: string, more: object = {}, key = 'key') {
      env.queue.advanceTo(env.queue.now() + 1_000);
      const event = { state, attempt: 1, key, emission, ...more };
      events$.next({ kind: 'intent', event } as never);
    },
    spans: () =>
      exporter.getFinishedSpans().map(({ attributes, status, events, startTime, endTime }) => ({
        key: attributes['trimtab.key'],
        state: attributes['trimtab.state'],
        status: status.code === SpanStatusCode.ERROR ? status.message : undefined,
        events: events.map(({ name, time }) => `${name} ${time[0] - startTime[0]}`),
        seconds: [startTime[0], endTime[0]],
      })),
  };
}

test('an intent whose answer is lost is one span until it is settled, in the bot’s own time', async () => {
  const { step, spans, complaints, cancel } = await openSpans();
  for (const state of ['emitted', 'sending', 'unknown', 'accepted']) step(state);
  // What comes for it after its end, as a repeated decision does, begins none.
  step('duplicate');
  cancel();
  expect(spans()).toEqual([
    {
      key: 'key',
      state: 'accepted',
      status: undefined,
      events: ['sending 1', 'unknown 2', 'answered 3'],
      seconds: [1_001, 1_004],
    },
  ]);
  expect(complaints).toEqual([]);
});

test.each([
  ['absent', {}, undefined, 'answered 1'],
  ['accepted', {}, undefined, 'answered 1'],
  [
    'rejected',
    { fault: { code: 'no_margin', message: 'No margin.' }, reason: 'it was refused' },
    'No margin.',
    'answered 1',
  ],
  ['denied', { reason: 'too large' }, 'too large', 'denied 1'],
  ['expired', {}, 'expired', 'expired 1'],
])(
  'an intent that is %s ends its span at once: %j is the error %s',
  async (state, more, error, last) => {
    const { step, spans } = await openSpans();
    step('emitted');
    step(state, more);
    expect(spans()).toMatchObject([
      { state, status: error, events: [last], seconds: [1_001, 1_002] },
    ]);
  },
);

test.each(['is stopped', 'ends'])(
  'when the bot %s, what has no outcome ends in its last state, once, and nothing is followed any more',
  async (how) => {
    const { step, spans, events$, cancel, complaints } = await openSpans();
    step('emitted');
    step('sending');
    step('emitted', {}, 'other');
    if (how === 'ends') events$.complete();
    else cancel();
    expect(spans().map(({ key, state, seconds }) => [key, state, seconds])).toEqual([
      ['key', 'sending', [1_001, 1_003]],
      ['other', 'emitted', [1_003, 1_003]],
    ]);
    cancel();
    step('emitted', {}, 'late');
    step('accepted', {}, 'late');
    expect(spans()).toHaveLength(2);
    expect(events$.observed).toBe(false);
    expect(complaints).toEqual([]);
  },
);
