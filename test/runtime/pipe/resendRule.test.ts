import { describe, expect, test } from 'vitest';
import { ENDPOINT_IDS, type EndpointId } from '../../../src/contract/index.ts';
import { createLateness } from '../../../src/runtime/pipe/createLateness.ts';
import { createResendRule } from '../../../src/runtime/pipe/createResendRule.ts';
import type { SendItem } from '../../../src/runtime/pipe/PipeItem.ts';
import { emission } from '../setUpPipe.ts';

const TEN_MINUTES = 600_000;
/** What ends one thing by its id means the same however late it arrives. */
const ENDS: readonly EndpointId[] = [
  'orders.cancel',
  'executions.stop',
  'executions.pause',
  'executions.markComplete',
  'monitors.pause',
  'monitors.stop',
];

const item = (endpoint: EndpointId, more: Partial<SendItem> = {}) =>
  ({
    emission: emission('d'),
    request: { endpoint },
    opens: false,
    unknownSince: 1_000,
    signedBy: 'vk_1',
    ...more,
  }) as never;

function setUp(over: Partial<Parameters<typeof createResendRule>[0]> = {}) {
  let now = 1_000;
  const rule = createResendRule({
    env: { clock: { monotonicNow: () => now } },
    explainTooOld: () => undefined,
    explainLifted: () => undefined,
    isPastEnd: () => false,
    keyInUse: () => 'vk_1',
    isKilled: () => false,
    isPaused: () => false,
    mayRun: () => true,
    ...over,
  });
  return { ...rule, at: (time: number) => void (now = time) };
}

describe.each(ENDPOINT_IDS)('%s without an answer', (endpoint) => {
  test('is sent again for ten minutes, over all processes; what ends one thing by its id for ever', () => {
    const { resendRefusal, isTried, at } = setUp();
    at(1_000 + TEN_MINUTES - 1);
    expect(resendRefusal(item(endpoint))).toBeUndefined();
    expect(isTried(item(endpoint))).toBe(false);
    const isOld = ENDS.includes(endpoint) ? undefined : 'it was sent too long ago';
    expect(resendRefusal(item(endpoint, { sentBeforeMs: 1 }))).toBe(isOld);
    at(1_000 + TEN_MINUTES);
    expect(resendRefusal(item(endpoint))).toBe(isOld);
    expect(isTried(item(endpoint))).toBe(true);
  });

  test('is not sent under another key if it may count twice', () => {
    const { resendRefusal } = setUp({ keyInUse: () => 'vk_2' });
    const refused = 'another API key sent it';
    expect(resendRefusal(item(endpoint, { opens: true }))).toBe(refused);
    expect(resendRefusal(item(endpoint))).toBe(
      endpoint === 'executions.launch' ? refused : undefined,
    );
    expect(setUp().resendRefusal(item(endpoint, { opens: true }))).toBeUndefined();
  });
});

test('an entry is not sent again at a kill level, paused, without its strategy, past its end or too old; an exit is', () => {
  for (const [over, reason] of [
    [{ isKilled: () => true }, 'a kill level is in force'],
    [{ isPaused: (instance: string) => instance === 'ema' }, 'its strategy is paused'],
    [{ mayRun: (instance: string) => instance !== 'ema' }, 'its strategy no longer runs'],
    [{ isPastEnd: () => true }, 'not_after has passed'],
    [{ explainTooOld: () => 'too old' }, 'too old'],
  ] as const) {
    const { resendRefusal } = setUp(over);
    expect(resendRefusal(item('orders.modify', { opens: true }))).toBe(reason);
    expect(resendRefusal(item('orders.modify'))).toBeUndefined();
    // What was never sent is none of its business.
    const { unknownSince: _none, ...fresh } = item('orders.modify', { opens: true }) as SendItem;
    expect(resendRefusal(fresh as never)).toBeUndefined();
  }
});

test('what a level or a stop asked for is not sent again once it is lifted, unless it ends one thing by its id', () => {
  const { resendRefusal } = setUp({ explainLifted: () => 'lifted' });
  for (const endpoint of ENDPOINT_IDS)
    expect(resendRefusal(item(endpoint))).toBe(ENDS.includes(endpoint) ? undefined : 'lifted');
});

describe('what waited', () => {
  const late = (over: object = {}) =>
    createLateness({
      market: { now: () => 5_000 } as never,
      entryRefusal: () => undefined,
      present: () => 5_000,
      explainTooOld: () => undefined,
      explainLifted: () => undefined,
      mayRun: () => true,
      ...over,
    });
  const waited = (more: Partial<SendItem> & { not_after?: number } = {}) => {
    const { not_after, ...rest } = more;
    const base = emission('d');
    const intent = not_after === undefined ? base.intent : { ...base.intent, not_after };
    return { emission: { ...base, intent }, opens: true, ...rest } as SendItem;
  };

  test('is too late after its end, and not at it', () => {
    const { explainTooLate, isPastEnd } = late();
    expect(explainTooLate(waited({ not_after: 5_000 }))).toBeUndefined();
    expect(explainTooLate(waited({ not_after: 4_999 }))).toEqual({
      reason: 'not_after has passed',
    });
    expect(explainTooLate(waited({ not_after: 4_999, opens: false }))).toEqual({
      reason: 'not_after has passed',
    });
    expect([isPastEnd(waited({ not_after: 4_999 })), isPastEnd(waited())]).toEqual([true, false]);
  });

  test('is refused by a gate that has closed, by its age or without its strategy, if it opens something', () => {
    for (const [over, expected] of [
      [{ entryRefusal: () => 'closed' }, { reason: 'closed' }],
      [{ explainTooOld: () => 'old' }, { reason: 'old', guard: 'max_decision_age_seconds' }],
      [
        { mayRun: (instance: string) => instance !== 'ema' },
        { reason: 'its strategy no longer runs' },
      ],
    ] as const) {
      const { explainTooLate } = late(over);
      expect(explainTooLate(waited())).toEqual(expected);
      expect(explainTooLate(waited({ opens: false }))).toBeUndefined();
      // It may have been executed: it is reconciled instead.
      expect(explainTooLate(waited({ unknownSince: 1, not_after: 1 }))).toBeUndefined();
    }
  });
});
