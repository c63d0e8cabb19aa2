import type { DelaySetting } from '../../src/env/index.ts';
import type { PaperSettings } from '../../src/paper/index.ts';
import type { Bench } from './Bench.ts';

/** P&L of the same bot under other fill assumptions. */
export interface FillScenario {
  name: 'pessimistic' | 'as configured' | 'with 250 ms more' | 'optimistic';
  /** The assumption, in a few words. */
  assumptions: string;
  pnl: number;
  fills: number;
}

/** The decisions need not be the same: other fills lead to other decisions. */
export async function runScenarios({ tape, base, run }: Bench): Promise<FillScenario[]> {
  const scenarios: FillScenario[] = [];
  for (const { name, assumptions, settings } of scenariosOf(tape.paper)) {
    const other = { ...tape, paper: { ...tape.paper, ...settings } };
    const result = settings === null ? base : await run(`fills ${name}`, { tape: other });
    const { pnl, fills } = result.run.data.totals;
    scenarios.push({ name, assumptions, pnl, fills });
  }
  return scenarios;
}

function scenariosOf(
  paper: PaperSettings,
): ReadonlyArray<
  Omit<FillScenario, 'pnl' | 'fills'> & { settings: Partial<PaperSettings> | null }
> {
  const { half_spread_bps: half, impact_bps: impact, volume_share: share, fill_on_touch } = paper;
  const { latency } = paper;
  const words = (spread: number, taker: number, volume: number, touch: boolean): string =>
    `half spread ${spread} bps, impact ${taker} bps, ${(volume * 100).toFixed(0)} % of volume, ` +
    (touch ? 'a touch fills' : 'a trade through fills');
  const worse = [Math.max(3 * half, 1), Math.max(3 * impact, 10), share / 3] as const;
  return [
    {
      name: 'pessimistic',
      assumptions: words(...worse, false),
      settings: {
        half_spread_bps: worse[0],
        impact_bps: worse[1],
        volume_share: worse[2],
        fill_on_touch: false,
      },
    },
    {
      name: 'as configured',
      assumptions: words(half, impact, share, fill_on_touch),
      settings: null,
    },
    {
      name: 'with 250 ms more',
      assumptions: 'as configured, and 250 ms more until the service acts',
      settings: {
        latency: {
          ...latency,
          order_ms: later(latency.order_ms),
          cancel_ms: later(latency.cancel_ms),
        },
      },
    },
    {
      name: 'optimistic',
      assumptions: words(0, 0, 1, true),
      settings: { half_spread_bps: 0, impact_bps: 0, volume_share: 1, fill_on_touch: true },
    },
  ];
}

const MORE_MS = 250;

function later(delay: DelaySetting): DelaySetting {
  if (typeof delay === 'number') return delay + MORE_MS;
  return { median: delay.median + MORE_MS, p99: delay.p99 + MORE_MS };
}
