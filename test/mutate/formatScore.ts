import { failuresOf } from './failuresOf.ts';
import type { Entry } from './ledger.ts';
import { nameOf, type Patch } from './Patch.ts';

/** A line a station, and what fails the run. */
export function formatScore(patches: readonly Patch[], results: readonly Entry[]): string {
  const excused = new Map(
    patches.flatMap((patch) => (patch.equivalent ? [[nameOf(patch), patch.equivalent]] : [])),
  );
  const lines = [...Map.groupBy(results, ({ station }) => station)]
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([station, entries]) => lineOf(station, entries, excused));
  return [
    '',
    ...lines,
    lineOf('all', results, excused),
    ...failuresOf(patches, results).map(({ result, patch }) => `${result}: ${patch}`),
  ].join('\n');
}

function lineOf(
  station: string,
  entries: readonly Entry[],
  excused: ReadonlyMap<string, string>,
): string {
  const found = entries.filter(({ result }) => result === 'found').length;
  const equivalent = entries.filter(
    ({ result, patch }) => result === 'survived' && excused.has(patch),
  ).length;
  const of = entries.length - equivalent;
  const percent = of === 0 ? 100 : (found / of) * 100;
  const seconds = entries.reduce((sum, entry) => sum + entry.seconds, 0) / entries.length;
  const reasoned = equivalent === 0 ? '' : `, ${equivalent} equivalent`;
  return (
    `${station.padEnd(22)} ${String(found).padStart(4)} of ${String(of).padStart(4)} found, ` +
    `${percent.toFixed(0).padStart(3)} %, ${seconds.toFixed(1)} s each${reasoned}`
  );
}
