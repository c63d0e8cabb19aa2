import { describe, expect, test } from 'vitest';
import type { Exchange, OrderRecord, PositionRecord } from '../../../src/contract/index.ts';
import { createVirtualEnv } from '../../../src/env/index.ts';
import { createMemoryStore } from '../../../src/journal/index.ts';
import { createEntryGate } from '../../../src/runtime/control/createEntryGate.ts';
import { createLifted } from '../../../src/runtime/control/createLifted.ts';
import { createStandingLevel, type KillLevel } from '../../../src/runtime/control/killLevels.ts';
import { createKillSwitch } from '../../../src/runtime/control/createKillSwitch.ts';
import type { AtWork } from '../../../src/runtime/wallet/AtWork.ts';
import type { PipeOptions } from '../../../src/runtime/pipe/Pipe.ts';
import type { Emission } from '../../../src/strategy/index.ts';
import { answered, rateLimited, setUpPipe, silence } from '../setUpPipe.ts';

const orderOf = (id: string) =>
  ({ order_id: id, client_order_id: id, execution_id: null, reduce_only: false }) as OrderRecord;

function open(store = createMemoryStore(), startTime = 1_000) {
  const env = createVirtualEnv({ startTime });
  const work: AtWork = {
    wallet: 'main',
    orders: [],
    executions: [],
    positions: [],
    monitors: [],
    isOwn: () => true,
  };
  const gate = createEntryGate();
  const submitted: Emission[] = [];
  const kills = createKillSwitch({
    env,
    market: env.queue,
    store,
    gate,
    symbolsOf: () => ['BTC'],
    closable: (work) => work,
    atWork: () => [work],
    standing: createStandingLevel(),
    submit: (emission) => void submitted.push(emission),
    isPending: () => false,
    cutWire: () => {},
    onLevel: () => {},
  });
  const cancelled = (): unknown[] =>
    submitted.map(({ intent }) => (intent as { order?: unknown }).order);
  return { env, work, gate, submitted, kills, cancelled, store };
}

test('an entry found accepted under L2 is ended too', async () => {
  const { env, work, kills, cancelled } = open();
  await kills.kill('L2', 'a test');
  expect(cancelled()).toEqual([]);
  work.orders = [orderOf('late')];
  env.queue.advanceTo(6_500);
  expect(cancelled()).toEqual([{ order_id: 'late' }]);
  await kills.rearm('over');
  env.queue.advanceTo(60_000);
  expect(cancelled()).toHaveLength(1);
});

test('the next process is at the level at once, and ends what it discovers', async () => {
  const first = open();
  first.work.orders = [orderOf('one')];
  await first.kills.kill('L2', 'a test');
  const next = open(first.store, 30_000);
  next.kills.restore();
  expect([next.kills.level, next.gate.reasons()]).toEqual(['L2', ['kill level L2: a test']]);
  next.work.orders = [orderOf('two')];
  next.kills.look();
  expect(next.cancelled()).toEqual([{ order_id: 'two' }]);
  // Differs from the first process's decision, which the journal would recognise.
  expect(next.submitted[0]!.decisionKey).not.toBe(first.submitted[0]!.decisionKey);
});

test('a command before the level is recovered does not lower it', async () => {
  const first = open();
  await first.kills.kill('L3', 'a test');
  const next = open(first.store, 30_000);
  await next.kills.kill('L1', 'an order of before');
  next.kills.restore();
  expect([next.kills.level, next.store.latch('kill')?.value]).toEqual(['L3', 'L3']);
});

test('a level is among the latches of the journal, with its reason', async () => {
  const { kills, store } = open();
  await kills.kill('L2', 'a test');
  expect(store.latch('kill')).toEqual({ value: 'L2', reason: 'a test', time: 1_000 });
  await kills.rearm('over');
  expect(store.latches()).toEqual([{ name: 'kill', value: 'L0', reason: 'over', time: 1_000 }]);
});

test('a level stored by an earlier version holds until it is re-armed', async () => {
  const store = createMemoryStore();
  const level = { level: 'L3', reason: 'earlier', time: 500 };
  await store.writeState('trimtab:kill', JSON.stringify(level));
  const { kills } = open(store);
  kills.restore();
  expect(kills.level).toBe('L3');
  await kills.rearm('over');
  const next = open(store);
  next.kills.restore();
  expect(next.kills.level).toBe('L0');
});

test.each([
  ['{ "level": "L2"', 'cut off'],
  ['{}', 'without a level'],
  ['{"level":"L7","reason":"later","time":1}', 'with a level that nobody knows'],
])('with the state %s (%s) of an earlier version, no bot starts', async (retained) => {
  const store = createMemoryStore();
  await store.writeState('trimtab:kill', retained);
  const shown = JSON.stringify(retained);
  expect(() => open(store).kills.restore()).toThrow(
    `The kill level can't be read back: the state trimtab:kill of the journal holds ${shown}`,
  );
});

test('a level of a later version is refused, not ignored', async () => {
  const store = createMemoryStore();
  await store.setLatch('kill', { value: 'L5', reason: 'later', time: 500 });
  expect(() => open(store).kills.restore()).toThrow('the latch kill of the journal holds "L5"');
});

test('a cut wire stays cut in this process, re-armed or not, and reports it', async () => {
  const first = open();
  await first.kills.kill('L4', 'a test');
  await first.kills.rearm('over');
  expect(first.kills.level).toBe('L0');
  expect(first.gate.reasons()).toEqual([
    'the wire was cut, and nothing is sent until the bot is restarted',
  ]);
  const next = open(first.store);
  next.kills.restore();
  expect(next.gate.reasons()).toEqual([]);
});

test('the gate is closed at every moment between two levels', async () => {
  const { kills, gate } = open();
  await kills.kill('L1', 'first');
  const counts: number[] = [];
  gate.listen((reasons) => void counts.push(reasons.length));
  for (const level of ['L2', 'L3', 'L4'] as const) await kills.kill(level, 'worse');
  await kills.rearm('over');
  expect(counts.length).toBeGreaterThan(3);
  expect(Math.min(...counts)).toBeGreaterThan(0);
});

/** A store whose latches are written when the test reports it, or fail. */
function openSlow() {
  const store = createMemoryStore();
  const waiting: Array<PromiseWithResolvers<void>> = [];
  const setLatch: typeof store.setLatch = async (name, latch) => {
    const turn = Promise.withResolvers<void>();
    waiting.push(turn);
    await turn.promise;
    await store.setLatch(name, latch);
  };
  const parts = open({ ...store, setLatch });
  const written = () => store.latch('kill')?.value;
  return { ...parts, waiting, written };
}

test.each(['L3', 'L2'] as const)(
  'a kill at %s during a rearm holds, here and in the journal',
  async (level) => {
    const { kills, gate, waiting, written } = openSlow();
    const first = kills.kill('L2', 'a test');
    waiting[0]!.resolve();
    await first;
    const rearmed = kills.rearm('over').catch(String);
    const killed = kills.kill(level, 'no, not yet');
    for (let at = 1; at < 4; at++) {
      waiting[at]?.resolve();
      await new Promise(setImmediate);
    }
    await killed;
    expect(await rearmed).toBe(`Error: a kill arrived meanwhile, and level ${level} is in force`);
    expect([kills.level, written()]).toEqual([level, level]);
    expect(gate.reasons()).toHaveLength(1);
  },
);

test('a kill at the level in force is acknowledged once it stands behind a rearm that is being written', async () => {
  const { kills, waiting, written } = openSlow();
  const first = kills.kill('L2', 'a test');
  waiting[0]!.resolve();
  await first;
  const rearmed = kills.rearm('over').catch(String);
  let isAcknowledged = false;
  const killed = kills.kill('L2', 'no').then(() => (isAcknowledged = true));
  waiting[1]!.resolve();
  await new Promise(setImmediate);
  // A process that ended here would begin at L0.
  expect([isAcknowledged, written()]).toEqual([false, 'L0']);
  for (let at = 2; at < 4; at++) {
    waiting[at]?.resolve();
    await new Promise(setImmediate);
  }
  await killed;
  expect(await rearmed).toContain('a kill arrived meanwhile');
  expect([kills.level, written()]).toEqual(['L2', 'L2']);
});

test('a rearm that could not be written leaves the level to be written again', async () => {
  const { kills, waiting, written } = openSlow();
  const first = kills.kill('L2', 'a test');
  waiting[0]!.resolve();
  await first;
  const rearmed = kills.rearm('over');
  waiting[1]!.reject(new Error('the answer was lost'));
  await expect(rearmed).rejects.toThrow('the answer was lost');
  const second = kills.kill('L2', 'once more');
  expect(waiting).toHaveLength(3);
  waiting[2]!.resolve();
  await second;
  expect([kills.level, written()]).toEqual(['L2', 'L2']);
});

test('an unpersisted level holds, and is persisted on the next request', async () => {
  const { kills, waiting, written } = openSlow();
  const first = kills.kill('L3', 'a test');
  waiting[0]!.reject(new Error('the database is away'));
  await expect(first).rejects.toThrow('the database is away');
  expect([kills.level, written()]).toEqual(['L3', undefined]);
  const second = kills.kill('L2', 'once more');
  waiting[1]!.resolve();
  await second;
  expect([kills.level, written()]).toEqual(['L3', 'L3']);
});

/** L2 over a real pipe, with an order that the books continue showing: frames are lost. */
async function openOverPipe(
  script: Exchange[],
  over: Partial<PipeOptions> = {},
  level: KillLevel = 'L2',
) {
  const gate = createEntryGate();
  const standing = createStandingLevel();
  const isStopping = (): boolean => false;
  const explainLifted = createLifted({ level: standing.level, isStopping });
  const parts = setUpPipe(script, { concurrency: 8, explainLifted, ...over });
  const { env, pipe, events } = parts;
  const work: AtWork = {
    wallet: 'main',
    orders: [orderOf('one')],
    executions: [],
    positions: [],
    monitors: [],
    isOwn: () => true,
  };
  const kills = createKillSwitch({
    env,
    market: env.queue,
    store: createMemoryStore(),
    gate,
    symbolsOf: () => ['BTC'],
    closable: (work) => work,
    atWork: () => [work],
    standing,
    submit: pipe.submit,
    isPending: pipe.isPending,
    cutWire: () => {},
    onLevel: () => {},
  });
  gate.listen(() => pipe.reconsider());
  await kills.kill(level, 'a test');
  const asked = () => events.filter(({ state }) => state === 'guarded').length;
  return { ...parts, kills, asked, work };
}

describe('cancels that L2 repeats while the order is shown', () => {
  test('is requested once while it waits, so that it spends once after a storm of 429s', async () => {
    const storm = Array.from({ length: 60 }, () => rateLimited);
    const { sent, run, asked, states } = await openOverPipe([...storm, answered(200)]);
    await run(290_000);
    expect(asked()).toBe(1);
    expect(sent.length).toBeGreaterThan(40);
    expect(states()).not.toContain('accepted');
    await run(400_000);
    expect(states()).toContain('accepted');
    const minute = sent.filter(({ time }) => time > 300_000 && time <= 360_000);
    expect(minute.length).toBeLessThanOrEqual(15);
  });

  test('is not multiplied by a service that does not respond', async () => {
    const { sent, run, asked } = await openOverPipe([silence]);
    await run(500_000);
    expect(asked()).toBe(4);
    // Tried all the while, and not as if the budget were its own.
    expect(sent.length).toBeGreaterThan(100);
    expect(sent.length).toBeLessThan(400);
  });

  test('is requested again if its request hangs on a dead connection', async () => {
    const { run, asked } = await openOverPipe([], { send: () => new Promise(() => {}) });
    await run(16_000);
    expect(asked()).toBe(4);
  });
});

describe('what a level asked for and could not send', () => {
  const held: PositionRecord = { symbol: 'BTC', side: 'long', size: 1, entry_price: 100 } as never;
  const away: Exchange = { kind: 'not_sent', reason: 'ECONNREFUSED' };

  test('is not sent once it is re-armed, whether it rests or waits for its turn', async () => {
    const answers: Exchange[] = [away];
    const { kills, sent, run, states, work } = await openOverPipe(answers, {}, 'L3');
    work.positions = [held];
    await run(20_000);
    const before = sent.length;
    expect(before).toBeGreaterThan(1);
    // One that waits behind a 429, beside those that rest.
    answers[0] = rateLimited;
    await run(26_000);
    await kills.rearm('closed by hand');
    const asked = sent.length;
    answers[0] = answered(200);
    await run(900_000);
    expect(sent).toHaveLength(asked);
    expect(states()).not.toContain('accepted');
    const open = states().filter((state) => state === 'guarded').length;
    expect(states().filter((state) => state === 'expired')).toHaveLength(open);
  });

  test('is not repeated after an unanswered attempt, and is left to the operator', async () => {
    const answers: Exchange[] = [silence];
    const { kills, sent, run, work, events } = await openOverPipe(answers, {}, 'L3');
    work.positions = [held];
    await run(6_000);
    const closes = () => sent.filter(({ request }) => request.endpoint === 'positions.close');
    await kills.rearm('closed by hand');
    const asked = closes().length;
    expect(asked).toBeGreaterThan(0);
    answers[0] = answered(200);
    await run(900_000);
    expect(closes()).toHaveLength(asked);
    const ends = events.filter(({ state }) => ['accepted', 'unresolved'].includes(state));
    expect(new Set(ends.map(({ emission, state }) => `${emission.intent.kind} ${state}`))).toEqual(
      new Set(['cancel_order accepted', 'close_position unresolved']),
    );
  });

  test('goes out while the level, or a higher one, is in force', async () => {
    const answers: Exchange[] = [away];
    const { kills, sent, run, states, work } = await openOverPipe(answers, {}, 'L2');
    await run(20_000);
    await kills.kill('L3', 'worse');
    work.positions = [held];
    await run(40_000);
    answers[0] = answered(200);
    const before = sent.length;
    await run(90_000);
    expect(sent.length).toBeGreaterThan(before);
    expect(states()).not.toContain('expired');
    expect(states()).toContain('accepted');
  });
});
