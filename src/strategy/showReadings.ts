import { barCloseTime, INDICATORS } from '../contract/index.ts';
import type { Bar } from './Bar.ts';
import type { Reading, ReadingEntry } from './createReadings.ts';
import type { PlotLine, PlotSink } from './PlotLine.ts';

export interface ShownReadings {
  readings: Iterable<Reading>;
  /** False in warm-up, whose bars no report shows. */
  isLive: boolean;
}

/**
 * Gives a report what the readings of an instance computed in a turn.
 *
 * @param symbol that values without a bar are drawn on
 */
export function showReadings(
  sink: PlotSink,
  symbol: string,
  now: () => number,
): (shown: ShownReadings) => void {
  return ({ readings, isLive }) => {
    for (const reading of readings) {
      if (!reading.isNew) continue;
      reading.isNew = false;
      if (isLive) show(reading);
    }
  };

  function show(reading: Reading): void {
    const { of, entries } = reading;
    const lines = (reading.lines ??= linesOf(entries, of ?? null, symbol));
    const time = of ? barCloseTime(of.time, of.interval) : now();
    let at = 0;
    for (const [, { values }] of entries) {
      for (let series = 0; series < values.length; series++) {
        const value = values[series]!;
        // Another series of the same indicator may still be warming up.
        if (Number.isFinite(value)) sink(lines[at]!, time, value);
        at += 1;
      }
    }
  }
}

function linesOf(entries: readonly ReadingEntry[], bar: Bar | null, symbol: string): PlotLine[] {
  const place =
    bar === null ? { symbol } : ({ symbol: bar.symbol, interval: bar.interval } as const);
  return entries.flatMap(([group, { id, series }]) =>
    series.map((one) => ({
      name: series.length === 1 ? group : `${group} ${one}`,
      group,
      ...place,
      ...(isNoPrice(id, one) ? { pane: group } : {}),
    })),
  );
}

/** Of the catalogue's series it is known which are prices; of others the values decide. */
function isNoPrice(id: string, series: string): boolean {
  const known = Object.hasOwn(INDICATORS, id) ? INDICATORS[id as keyof typeof INDICATORS] : null;
  return known !== null && !(known.priceSeries as readonly string[]).includes(series);
}
