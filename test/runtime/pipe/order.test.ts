import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { EndpointId } from '../../../src/contract/index.ts';
import { createFairShares } from '../../../src/runtime/pipe/createFairShares.ts';
import { createSettings } from '../../../src/runtime/pipe/createSettings.ts';
import { createTargetsInFlight } from '../../../src/runtime/pipe/createTargetsInFlight.ts';
import type { SendItem } from '../../../src/runtime/pipe/PipeItem.ts';
import { sameAs } from '../../../src/runtime/pipe/sameAs.ts';
import { supersedes } from '../../../src/runtime/pipe/supersedes.ts';
import { buy, emission, order } from '../setUpPipe.ts';

const item = (
  endpoint: EndpointId,
  {
    wallet = 'main',
    instance = 'ema',
    id,
    symbol,
    body = {},
    ...more
  }: Record<string, unknown> & Partial<SendItem>,
) =>
  ({
    emission: { ...emission('d'), wallet, instance },
    request: {
      endpoint,
      pathParams: {
        ...(id === undefined ? {} : { id }),
        ...(symbol === undefined ? {} : { symbol }),
      },
      query: {},
      body: JSON.stringify(body),
    },
    lane: 'entry',
    weight: 1,
    order: 0,
    isSent: false,
    ...more,
  }) as never;

describe('a later change replaces an earlier one that waits', () => {
  const earlier = (more: object = {}) =>
    item('orders.modify', { id: 'ord_1', body: { price: 1 }, lane: 'exit', ...more });

  test('of the same thing, by the same strategy in the same wallet, if it sets all of it', () => {
    const later = (more: object = {}) =>
      item('orders.modify', { id: 'ord_1', body: { price: 2 }, lane: 'exit', ...more });
    expect(supersedes(later(), earlier())).toBe(true);
    expect(supersedes(later({ body: { price: 2, size: 3 } }), earlier())).toBe(true);
    expect(supersedes(later(), earlier({ body: { price: 1, size: 3 } }))).toBe(false);
    for (const other of [{ id: 'ord_2' }, { instance: 'other' }, { wallet: 'hedge' }]) {
      expect(supersedes(later(other), earlier())).toBe(false);
    }
  });

  test('not what may have been sent, not by something less urgent, and nothing that sets nothing', () => {
    const later = item('orders.modify', { id: 'ord_1', body: { price: 2 }, lane: 'exit' });
    expect(supersedes(later, earlier({ isSent: true }))).toBe(false);
    expect(supersedes(later, earlier({ unknownSince: 1 }))).toBe(false);
    expect(
      supersedes(
        item('orders.modify', { id: 'ord_1', body: { price: 2 }, lane: 'entry' }),
        earlier(),
      ),
    ).toBe(false);
    const cancel = item('orders.cancel', { id: 'ord_1', lane: 'exit' });
    expect(supersedes(cancel, cancel)).toBe(false);
    expect(
      supersedes(
        item('positions.attachLegs', { id: 'ord_1', body: { price: 2 }, lane: 'exit' }),
        earlier(),
      ),
    ).toBe(false);
  });
});

test('two intents are the same if strategy, wallet and request are', () => {
  const one = { ...emission('d', order), instance: 'a', wallet: 'main' };
  const of = (more: object) => ({ emission: { ...one, ...more } }) as never;
  expect(sameAs(one)(of({ decisionKey: 'other' }))).toBe(true);
  for (const other of [{ instance: 'b' }, { wallet: 'hedge' }, { intent: buy }])
    expect(sameAs(one)(of(other))).toBe(false);
});

describe('what was set last stays set', () => {
  const KINDS: ReadonlyArray<readonly [EndpointId, string, readonly string[]]> = [
    ['orders.modify', 'order', ['price', 'size']],
    ['positions.attachLegs', 'legs', ['take_profit', 'stop_loss']],
    ['positions.retireLegs', 'legs', []],
    ['leverage.set', 'leverage', ['leverage']],
    ['executions.pause', 'course', []],
    ['executions.resume', 'course', []],
    ['orders.place', 'nothing', ['price']],
  ];
  const drawn = fc.record({
    kind: fc.constantFrom(...KINDS),
    fields: fc.subarray([0, 1]),
    wallet: fc.constantFrom('main', 'hedge'),
    target: fc.constantFrom('one', 'two'),
    isRefused: fc.boolean(),
  });

  test('against each earlier request, of which only what nobody set since is left', () => {
    fc.assert(
      fc.property(fc.array(drawn, { maxLength: 14 }), (requests) => {
        const settings = createSettings();
        const left: Array<{ order: number; slots: readonly string[] }> = [];
        const all = requests.map(
          ({ kind: [endpoint, group, names], fields, wallet, target, isRefused }, at) => {
            const set = names.filter((_name, index) => fields.includes(index));
            const body = Object.fromEntries(set.map((name) => [name, 1]));
            const bySymbol = /positions|leverage/.test(endpoint);
            const made = item(endpoint, {
              wallet,
              body,
              order: at,
              ...(bySymbol ? { symbol: target } : { id: target }),
            });
            const whole = endpoint === 'positions.retireLegs' ? ['take_profit', 'stop_loss'] : set;
            const named = ['course', 'leverage'].includes(group) ? [group] : whole;
            const isWhole = named !== set;
            const slots =
              group === 'nothing'
                ? []
                : named.map((name) => `${group}/${wallet}/${target}/${name}`);
            return { made, order: at, slots, isRefused, set, isWhole };
          },
        );
        for (const one of all) {
          settings.leaves(one.made);
          if (one.isRefused) settings.unset(one.made);
          else left.push(one);
          for (const other of all) {
            // Two before are remembered, which is enough for what is refused at once.
            const later = left.filter(({ order }) => order > other.order);
            const isSet = other.slots.map((slot) =>
              later.some(({ slots }) => slots.includes(slot)),
            );
            const rest = other.set.filter((_name, index) => isSet[index] !== true);
            const isGone = isSet.includes(true) && (other.isWhole || rest.length === 0);
            const body = JSON.stringify(Object.fromEntries(rest.map((name) => [name, 1])));
            const { request } = other.made as SendItem;
            const found = settings.remaining(other.made);
            if (isGone) expect(found).toBeUndefined();
            else if (!isSet.includes(true)) expect(found).toBe(request);
            else expect(found).toEqual({ ...request, body });
          }
        }
      }),
    );
  });
});

test('requests that set the same leave one after the other, half a second apart at most', () => {
  const waits: Array<() => void> = [];
  const freed: number[] = [];
  const targets = createTargetsInFlight({
    concurrency: 4,
    after: (ms, run) => (
      expect(ms).toBe(500),
      waits.push(run),
      () => void waits.splice(waits.indexOf(run), 1)
    ),
    onFree: () => freed.push(1),
  });
  const change = item('orders.modify', { id: 'ord_1', body: { price: 1 } });
  const other = item('orders.modify', { id: 'ord_2', body: { price: 1 } });
  const place = item('orders.place', { body: {} });
  const release = targets.reserve(change);
  expect([
    targets.isFree(change),
    targets.isFree(other),
    targets.isFree(place),
    targets.isEmpty(),
  ]).toEqual([false, true, true, false]);
  waits[0]!();
  expect([targets.isFree(change), freed.length]).toEqual([true, 1]);
  // The next one took the target: an answer to the first does not free it.
  const releaseNext = targets.reserve(change);
  release();
  expect(targets.isFree(change)).toBe(false);
  releaseNext();
  expect([targets.isFree(change), targets.isEmpty()]).toEqual([true, true]);
  targets.reserve(place)();
});

describe('turns within a lane', () => {
  const shares: Record<string, number> = { small: 1, large: 3 };
  const of = (instance: string, weight = 1, lane: 'entry' | 'exit' = 'entry') =>
    item('orders.place', { instance, weight, lane });

  test('go by weight and share, whatever waits behind', () => {
    const fair = createFairShares((instance) => shares[instance]!);
    const spent: Record<string, number> = { small: 0, large: 0 };
    for (let turn = 0; turn < 400; turn++) {
      const next = fair.first([of('small', 5), of('small', 5), of('large', 2)]);
      const {
        weight,
        emission: { instance },
      } = next;
      spent[instance]! += weight;
      fair.charge(next);
    }
    expect(spent['large']! / spent['small']!).toBeCloseTo(3, 0);
  });

  test('are not saved up by who was idle', () => {
    const fair = createFairShares(() => 1);
    for (let turn = 0; turn < 50; turn++) fair.charge(of('busy'));
    const order: string[] = [];
    for (let turn = 0; turn < 6; turn++) {
      const next = fair.first([of('busy'), of('idle')]);
      order.push(next.emission.instance);
      fair.charge(next);
    }
    expect(order.filter((name) => name === 'idle').length).toBeLessThanOrEqual(4);
    expect(order.filter((name) => name === 'busy').length).toBeGreaterThanOrEqual(2);
  });

  test('of equals go to the one that came first, each lane by itself', () => {
    const fair = createFairShares(() => 1);
    expect(fair.first([of('a'), of('b')]).emission.instance).toBe('a');
    fair.charge(of('a', 10, 'exit'));
    expect(fair.first([of('a'), of('b')]).emission.instance).toBe('a');
  });
});
