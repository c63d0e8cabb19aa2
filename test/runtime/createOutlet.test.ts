import { expect, test } from 'vitest';
import { defaultDialect } from '../../src/contract/index.ts';
import {
  cancelOrder,
  closePosition,
  controlExecution,
  modifyOrder,
  placeOrder,
  type Intent,
} from '../../src/intents/index.ts';
import { INTENT_STATES } from '../../src/journal/index.ts';
import { createOutlet, STOPPING } from '../../src/runtime/createOutlet.ts';
import { WIRE_CUT } from '../../src/runtime/control/createKillSwitch.ts';
import type { KillLevel } from '../../src/runtime/control/killLevels.ts';
import { OPERATOR } from '../../src/runtime/operator.ts';
import type { PersistedIntent } from '../../src/runtime/pipe/PersistedIntent.ts';
import type { PipeEvent } from '../../src/runtime/PipeEvent.ts';
import { LIST_LAG_MS } from '../../src/runtime/wallet/index.ts';
import { setUpParts } from './setUpParts.ts';
import { buy, emission } from './setUpPipe.ts';

function setUp({ isOver = false } = {}) {
  const parts = setUpParts();
  const { books, control } = parts;
  return { ...parts, outlet: createOutlet(books, control, (name) => isOver && name === 'ema') };
}

const follows = (
  { follow }: ReturnType<typeof setUp>['outlet'],
  intent: Intent,
  event: Pick<PipeEvent, 'state' | 'key'> & Partial<PipeEvent>,
): void => follow({ emission: emission(event.key, intent), attempt: 1, ...event });

const order = placeOrder.limit({ symbol: 'BTC', side: 'buy', size: 1, price: 1 }, { ref: 'entry' });

test.each([...INTENT_STATES, 'duplicate'] as const)(
  'an intent that is %s counts as exposure and keeps its ref, unless nothing can come of it any more',
  (state) => {
    const { books, outlet } = setUp();
    const entries = [{ symbol: 'BTC', side: 'buy', size: 1 }] as const;
    for (const key of ['first', 'second']) {
      outlet.refs.named('ema', order, key);
      books.exposure.add(key, 'main', { entries });
    }
    follows(outlet, order, { state, key: 'second', record: { order_id: 'ord_1' } });
    const isOver = ['denied', 'rejected', 'expired', 'absent'].includes(state);
    expect(books.exposure.pending('main', 'BTC', 'buy')).toBe(isOver ? 1 : 2);
    expect(outlet.refs.resolverOf('ema')('order', 'entry')).toBe(
      isOver ? 'client:first' : 'client:second',
    );
  },
);

test.each<[string, boolean, Intent, object]>([
  ['a changed order', true, modifyOrder({ order_id: 'id' }, { size: 2 }), { order_id: 'id' }],
  [
    'a resumed execution',
    true,
    controlExecution.resume({ execution_id: 'id' }),
    { execution_id: 'id' },
  ],
  ['a placed order', false, order, { order_id: 'id' }],
  ['a launched execution', false, buy, { execution_id: 'id' }],
  ['a cancelled order', false, cancelOrder({ order_id: 'id' }), { order_id: 'id' }],
])('a frame of before the answer shows %s: %s is not', (_what, isChange, intent, ids) => {
  for (const [time, isShown] of [
    [99, !isChange],
    [100, true],
    [101, true],
  ] as const) {
    const { books, outlet } = setUp();
    const { exposure } = books;
    exposure.add('key', 'main', { entries: [{ symbol: 'BTC', side: 'buy', size: 1 }] });
    const record = { ...ids, size: 2, updated_time: 100 };
    follows(outlet, intent, { state: 'accepted', key: 'key', record });
    exposure.seen('id', { size: 2, updated_time: time });
    expect([time, exposure.pending('main', 'BTC', 'buy')]).toEqual([time, isShown ? 0 : 1]);
  }
});

test('what the service shows under another id is known by its client id, and a list of one kind shows that kind', () => {
  for (const kind of ['order', 'execution', 'monitor'] as const) {
    const { books, outlet } = setUp();
    const { exposure } = books;
    exposure.add('key', 'main', { entries: [{ symbol: 'BTC', side: 'buy', size: 1 }] });
    const record = { [`${kind}_id`]: 'id', [`client_${kind}_id`]: 'key' };
    follows(outlet, order, { state: 'accepted', key: 'key', record });
    for (const one of ['order', 'execution', 'monitor'] as const)
      expect(exposure.unshown('main', one)).toEqual(one === kind ? ['id'] : []);
    if (kind === 'monitor') continue;
    exposure.seen('client:key');
    expect(exposure.pending('main', 'BTC', 'buy')).toBe(0);
  }
});

test('a scope that an answer refuses is known to the guards', () => {
  const { control, outlet } = setUp();
  const fault = {
    code: 'insufficient_scope',
    message: '',
    details: { required_scope: 'trade' },
  } as const;
  follows(outlet, order, { state: 'rejected', key: 'key', fault });
  expect([...control.refusedScopes]).toEqual(['trade']);
});

test('old refs are forgotten when nothing of them is open, and never while the gate is closed', () => {
  const { control, outlet } = setUp();
  const { gate } = control;
  const { refs } = outlet;
  const resolve = refs.resolverOf('ema');
  const nameAll = (name: string): void => {
    for (let at = 0; at < 1_200; at++) {
      const { request } = placeOrder.limit({ symbol: 'BTC', side: 'buy', size: 1, price: 1 });
      const intent = { kind: 'place_order', request, ref: `${name}${at}` } as const;
      refs.named('ema', intent, `${name}${at}`);
    }
  };
  gate.close('the stream is lost');
  nameAll('a');
  expect(resolve('order', 'a0')).toBe('client:a0');
  gate.open('the stream is lost');
  nameAll('b');
  expect([resolve('order', 'a0'), resolve('order', 'b1199')]).toEqual([undefined, 'client:b1199']);
});

const ENTRY = { lane: 'entry', emission: emission('before', buy), endpoint: 'executions.launch' };
const EXIT = {
  lane: 'exit',
  emission: emission('before', closePosition.atMarket('BTC')),
  endpoint: 'positions.close',
};
const asked = (cause: string) => ({
  ...EXIT,
  emission: { ...EXIT.emission, instance: OPERATOR, cause },
});

/** What an earlier process sent without an answer, and what is sent again of it within so many seconds. */
async function resume(
  { emission: of, lane, endpoint }: typeof ENTRY,
  act: (control: ReturnType<typeof setUp>['control']) => void,
  { isOver = false, seconds = 10 } = {},
) {
  const { env, control, outlet, books, sent, store, pass } = setUp({ isOver });
  const [key, { decisionKey, instance, wallet, intent }] = ['key-1', of];
  const row = { key, decisionKey, generation: 0, instance, wallet };
  void store.append({
    intent: { ...row, kind: intent.kind, intent: '{}' },
    entries: (['emitted', 'guarded', 'sending'] as const).map((state) => ({
      key,
      state,
      wallTime: 0,
      marketTime: 0,
      data: '{}',
    })),
  });
  const ends = new Map<string, number>();
  books.events$.subscribe((event) => {
    if (event.kind === 'intent') ends.set(event.event.state, env.queue.now());
  });
  act(control);
  const persisted = { stage: 'sent', emission: of, key, lane, generation: 0, attempt: 1 } as const;
  outlet.pipe.resume({
    ...persisted,
    state: 'sending',
    weight: 20,
    sentForMs: 1_000,
    request: { endpoint, pathParams: {}, query: {}, body: '{}', idempotencyKey: key },
  } as PersistedIntent);
  await pass(seconds);
  await outlet.pipe.close();
  return { ends, isSent: sent.some((request) => request.endpoint === endpoint) };
}

type Act = Parameters<typeof resume>[1];
const nothing: Act = () => {};
const stops: Act = ({ gate }) => gate.close(STOPPING);
const cut: Act = ({ gate }) => gate.close(WIRE_CUT);
const lost: Act = ({ gate }) => gate.close('the stream is lost');
const paused =
  (instance: string): Act =>
  ({ gate }) =>
    gate.closeStrategy(instance, 'tired');
const level =
  (one: KillLevel): Act =>
  ({ standing }) =>
    standing.set(one);

test.each<[string, Act, boolean, boolean, { isOver: boolean }?]>([
  ['while nothing speaks against it', nothing, true, true],
  ['while the stream is lost', lost, true, true],
  ['while another strategy is paused', paused('other'), true, true],
  ['while its strategy is paused', paused('ema'), false, true],
  ['after its strategy has ended', nothing, false, true, { isOver: true }],
  ['while the bot stops', stops, false, true],
  ['at level L1', level('L1'), false, true],
  ['at level L3', level('L3'), false, true],
  ['at level L4', level('L4'), false, false],
  ['once the wire was cut', cut, false, false],
])('without an answer, %s, is sent again', async (_when, act, entry, exit, over) => {
  expect((await resume(ENTRY, act, over)).isSent).toBe(entry);
  expect((await resume(EXIT, act, over)).isSent).toBe(exit);
});

test('what a stop or a kill level asked for is sent again as long as that is in force', async () => {
  const [ofStop, ofLevel] = [asked('stop:flatten:1'), asked('kill:L3:1')];
  for (const [act, stop, kill] of [
    [nothing, false, false],
    [stops, true, false],
    [level('L2'), false, false],
    [level('L3'), false, true],
  ] as const) {
    expect((await resume(ofStop, act)).isSent).toBe(stop);
    expect((await resume(ofLevel, act)).isSent).toBe(kill);
  }
});

test('an entry is absent once no signature of it is valid any more and lists would show it', async () => {
  const { ends } = await resume(ENTRY, level('L1'), { seconds: 200 });
  const validMs = 2 * defaultDialect.signing.timestampToleranceSeconds * 1_000;
  expect(ends.get('absent')).toBeGreaterThanOrEqual(validMs + LIST_LAG_MS - 1_000);
  expect(ends.get('absent')).toBeLessThan(validMs + LIST_LAG_MS + 60_000);
});
