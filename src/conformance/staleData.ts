import {
  INTERVAL_MS,
  LIMITS,
  type CandleRecord,
  type InstrumentRecord,
} from '../contract/index.ts';
import { check, type Check } from './Check.ts';
import type { Json } from './kit/Answer.ts';
import { accepted, equal, that } from './kit/claims.ts';
import type { Actor } from './kit/createActor.ts';
import type { Stage } from './kit/Stage.ts';
import { launch, priceAt, sizeFor } from './kit/trading.ts';
import { Inconclusive } from './kit/Inconclusive.ts';

/** How far the tape is searched for a gap that is long enough to pause. */
const MOST_BARS = 900;
const MINUTE_MS = INTERVAL_MS['1m'];

/** A launch that runs for a day and never trades, on one symbol. */
async function idler(stage: Stage, me: Actor, instrument: InstrumentRecord): Promise<Json> {
  const { symbol } = instrument;
  const { mark } = accepted(await me.call('market.price', { params: { symbol } }), 'the price');
  const limit_price = priceAt(instrument, mark, 0.2);
  const params = { duration_seconds: 86_400, slices: 2, limit_price };
  const total_size = sizeFor(instrument, 5_000, mark);
  const body = { algo: 'pacemaker', symbol, side: 'buy', total_size, params };
  return accepted(await launch(stage, me, body), `a launch on ${symbol}`);
}

async function barsOf(me: Actor, symbol: string): Promise<CandleRecord[]> {
  const query = { interval: '1m', limit: MOST_BARS + 10 };
  const answer = await me.call('market.candles', { params: { symbol }, query });
  return accepted(answer, 'candles').candles;
}

/** When the bar that is missing at `time` should have closed. */
function missingSince(bars: readonly CandleRecord[], time: number): number {
  const last = bars.findLast((bar) => bar.time + MINUTE_MS <= time);
  return (last?.time ?? Number.NaN) + 2 * MINUTE_MS;
}

/** Gaps that begin after `from`, end by the last bar and are longer than the delay of a warning. */
function gapsIn(bars: readonly CandleRecord[], from: number): number[] {
  return bars.flatMap((bar, at) => {
    const next = bars[at + 1];
    const since = bar.time + 2 * MINUTE_MS;
    const isLong = next !== undefined && next.time > since + LIMITS.staleWarnMs;
    return isLong && bar.time >= from ? [since] : [];
  });
}

const stale = check(
  'EXE-9',
  'paper',
  'a gap warns after 30 s, pauses after 5 min',
  async (stage) => {
    const me = await stage.cast({ balance: 1_000_000 });
    const probe = await stage.stream(me);
    await probe.subscribe('executions');
    const start = await stage.tape.now();
    const records = new Map<string, Json>();
    for (const instrument of stage.instruments) {
      const record = await idler(stage, me, instrument);
      records.set(record.execution_id, record);
    }
    const paused = (): Json =>
      probe.of('executions', 'status').find(({ data }) => data.reason === 'stale_data');
    for (let bar = 0; bar < MOST_BARS && paused() === undefined; bar += 5) {
      await stage.tape.bars(5);
      await probe.settle();
    }
    const warnings = probe.of('executions', 'stale_warning');
    for (const { data, ts } of warnings) {
      const since = missingSince(await barsOf(me, data.symbol), ts);
      equal(
        (ts - since) / 1_000,
        LIMITS.staleWarnMs / 1_000,
        `seconds until ${data.symbol} warned`,
      );
    }
    for (const { execution_id: id, symbol } of records.values()) {
      if (id === paused()?.data.execution_id) continue;
      const warned = warnings.filter(({ data }) => data.execution_id === id);
      const gaps = gapsIn(await barsOf(me, symbol), start);
      equal(warned.length, gaps.length, `warnings for the ${gaps.length} gaps of ${symbol}`);
    }
    const pause = paused();
    if (pause === undefined) {
      const seen = `${warnings.length} gaps warned`;
      throw new Inconclusive(`In ${MOST_BARS} bars no symbol was silent for long enough; ${seen}.`);
    }
    const { data, ts } = pause;
    const since = missingSince(await barsOf(me, data.symbol), ts);
    equal((ts - since) / 1_000, LIMITS.stalePauseMs / 1_000, 'seconds until it paused');
    equal(data.status, 'paused', 'status after 5 min');
    const own = warnings.filter((frame) => frame.data.execution_id === data.execution_id);
    that(own.length > 0, 'a warning before the pause', warnings.length);
  },
);

export const staleDataChecks: readonly Check[] = [stale];
