/** Slots of resting orders whose service is in a test's hands. */
import type { OwnOrder } from '../../../src/index.ts';
import { createSlots } from '../../../src/strategy/resting/createSlots.ts';
import type { RestingContext } from '../../../src/strategy/resting/Slot.ts';
import type { Outcome, OutcomeState } from '../../../src/strategy/Outcome.ts';

export const OPTIONS = {
  name: 'set',
  tolerance_bps: 50,
  top_up_below: 0.5,
  post_only: true,
  retry_ms: 5_000,
};
export const LEAST = 10;
export const TICK = 0.5;

/** What is known of a ref, in the test's hands. */
interface View {
  ref: string;
  order?: OwnOrder | null;
  state: string | undefined;
  ended: boolean;
  filled: number;
  remaining: number;
}

export function openSlots() {
  const views = new Map<string, View>();
  let liveness = 'live';
  let now = 1_000;
  const logs: string[] = [];
  const byRef = (ref: string): View => {
    const known = views.get(ref) ?? {
      ref,
      state: undefined,
      ended: false,
      filled: 0,
      remaining: 0,
    };
    views.set(ref, known);
    return known;
  };
  const rounds = { up: Math.ceil, down: Math.floor, nearest: Math.round };
  const ctx = {
    now: () => now,
    liveness: () => liveness,
    log: { warn: (text: string) => void logs.push(text) },
    byRef,
    instrument: () => ({
      min_order_value: LEAST,
      size_decimals: 2,
      roundPrice: (price: number, mode: keyof typeof rounds) => rounds[mode](price / TICK) * TICK,
    }),
  } as unknown as RestingContext;
  const slots = createSlots(ctx, 'BTC', OPTIONS);
  /** The last intent becomes what the service has. */
  const accept = (intent: { ref?: string; kind: string }): void => {
    if (intent.kind === 'place_order') Object.assign(byRef(intent.ref!), { state: 'accepted' });
    slots.follow({ intent, state: 'accepted' } as unknown as Outcome);
  };
  const refuse = (intent: { ref?: string; kind: string }, state: OutcomeState = 'denied'): void =>
    slots.follow({ intent, state } as unknown as Outcome);
  return {
    slots,
    byRef,
    accept,
    refuse,
    logs,
    wait: (ms: number) => (now += ms),
    pause: (is: boolean) => (liveness = is ? 'catch_up' : 'live'),
  };
}
