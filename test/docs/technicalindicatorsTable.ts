import { adapterOf, isPattern, NAMES, REFUSED } from '../technicalindicators/catalogue.ts';
import { TEXT_ORDER, TEXT_ORDERED, TRAPS } from '../technicalindicators/traps.ts';
import { table } from './table.ts';

/** The operators of `trimtab/technicalindicators`, what is mended in each, and what has none. */
export function technicalindicatorsTable(): string {
  const names = NAMES.toSorted();
  const indicators = names
    .filter((name) => !isPattern(name))
    .map((name) => {
      const { params, series, input, barsNeeded } = adapterOf(name);
      const trap = TRAPS.find((one) => one.name === name);
      return [
        `\`${name}\``,
        Object.entries(params)
          .map(([param, value]) => `\`${param}\` ${String(value)}`)
          .join(', '),
        input === 'close' ? 'closes' : 'bars',
        series.length === 1 ? '' : series.join(', '),
        String(barsNeeded),
        trap === undefined ? '' : `${trap.fault} → ${trap.mended}`,
      ];
    });
  const counts = [1, 2, 3, 5].map((count) => [
    String(count),
    names
      .filter((name) => isPattern(name) && adapterOf(name).barsNeeded === count)
      .map((name) => `\`${name}\``)
      .join(', '),
  ]);
  const ordered = TEXT_ORDERED.map((name) => `\`${name}\``).join(', ');
  return [
    '## Indicators',
    table(['operator', 'parameters', 'reads', 'series', 'first bar', 'fault → here'], indicators),
    '## Candlestick patterns',
    'They read bars, have no parameters, and are 1 at a bar that completes the pattern, else 0.',
    table(['bars', 'operators'], counts),
    `In ${ordered}, ${TEXT_ORDER.fault} → ${TEXT_ORDER.mended}.`,
    '## Without an operator',
    table(
      ['function', 'reason'],
      Object.entries(REFUSED).map(([name, reason]) => [`\`${name}\``, reason]),
    ),
  ].join('\n\n');
}
