import { indicatorRecords } from '../../src/contract/index.ts';
import { table } from './table.ts';

/** The catalogue of indicators as a table. */
export function indicatorTable(): string {
  const rows = indicatorRecords().map(({ id, name, params, series, price_series: prices }) => [
    `\`${id}\``,
    name,
    params
      .map((param) => `\`${param.name}\` ${param.default} (${param.min} to ${param.max})`)
      .join(', '),
    series.map((line) => (prices.includes(line) ? `**${line}**` : line)).join(', '),
  ]);
  return table(['id', 'name', 'parameters, default (range)', 'series'], rows);
}
