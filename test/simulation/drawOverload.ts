import { createRandom, type Random } from '../../src/env/index.ts';
import {
  between,
  CASH,
  HOUR_MS,
  IDEMPOTENCY_MODELS,
  pick,
  type Fault,
  type Scenario,
} from './Scenario.ts';

/**
 * An hour in which a bot decides ten times its budget, with occasional storms of 429s. No other client
 * spends the budget, so each 429 of the service itself is the bot's fault.
 */
export function drawOverload(seed: string): Scenario {
  const random = createRandom(`overload ${seed}`);
  // Many small requests, or few large ones: the head of the queue decides what else fits.
  const [launches, weightPerMinute] = pick(random, [
    [0, 600],
    [0.85, 600],
    [0.85, 1_200],
    [0.85, 1_200],
  ] as const);
  const load = {
    lane: random.next() < 0.9 ? ('entry' as const) : ('exit' as const),
    rush: 10,
    calm: pick(random, [0.5, 0.5, 1.2]),
    rushMinutes: pick(random, [2, 4]),
    launches,
    closes: pick(random, [6, 20, 40]),
  };
  return {
    seed,
    service: {
      timestampToleranceSeconds: pick(random, [5, 30]),
      signQueryString: true,
      idempotency: pick(random, IDEMPOTENCY_MODELS),
      keyLifeMs: between(random, 30_000, 600_000),
      budgetWindow: pick(random, ['sliding', 'fixed']),
      weightPerMinute,
    },
    bot: {
      instances: pick(random, [1, 2, 3]),
      concurrency: pick(random, [4, 8, 16]),
      market: 'wall',
      maxPositionNotional: 1e9,
      disk: pick(random, ['sync', 'sync', 'grouped']),
      startSkewMs: 0,
      isWide: false,
      hasTwoWallets: false,
      cash: CASH,
      isScarce: false,
      hasSpot: false,
      viaSocket: 0,
      activity: 0,
    },
    faults: drawTrouble(random),
    load,
  };
}

/** Storms, lost answers, slowness and an occasional crash; no other client spends. */
function drawTrouble(random: Random): Fault[] {
  const faults: Fault[] = [];
  const add = (fault: Omit<Fault, 'id' | 'until'>, lasts: number): void => {
    const until = Math.min(fault.from + lasts, HOUR_MS);
    faults.push({ id: faults.length, ...fault, until });
  };
  const start = (): number => between(random, 60_000, HOUR_MS - 300_000);
  for (let storms = pick(random, [0, 1, 2]); storms > 0; storms--) {
    const [rate, size] = [pick(random, [0.2, 0.5, 1]), between(random, 1, 30)];
    add(
      { kind: 'storm_429', from: start(), rate, size, detail: '' },
      between(random, 10_000, 90_000),
    );
  }
  const silent = { kind: 'lose_answer', from: start(), rate: 0.02, size: 0 } as const;
  add({ ...silent, detail: pick(random, ['reset', 'silence']) }, 300_000);
  const slow = pick(random, [500, 2_000]);
  add({ kind: 'slow_answer', from: start(), rate: 0.1, size: slow, detail: '' }, 300_000);
  if (random.next() < 0.2) {
    add(
      { kind: 'crash', from: start(), rate: 1, size: between(random, 200, 20_000), detail: 'now' },
      0,
    );
  }
  return faults;
}
