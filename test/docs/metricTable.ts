import { METRICS, PREFIX } from '../../src/operate/metrics/metricCatalogue.ts';
import { table } from './table.ts';

/** Every metric of a bot: name, type, labels, meaning. */
export function metricTable(): string {
  const head = ['name', 'type', 'labels', 'what'];
  const rows = METRICS.map(({ name, type, labels, help }) => [
    `\`${PREFIX}${name}\``,
    type,
    labels.map((label) => `\`${label}\``).join(', '),
    help,
  ]);
  return table(head, rows);
}
