import { definitions } from '../../src/operate/report/figures/index.ts';
import type { FigureDefinition } from '../../src/operate/report/figures/Figure.ts';
import { table } from './table.ts';

const TITLES: Readonly<Record<keyof typeof definitions, string>> = {
  returns: 'Returns',
  risk: 'Risk',
  drawdown: 'Drawdown',
  benchmark: 'Benchmark',
  trades: 'Trades',
  activity: 'Activity',
};

/** Every figure of a report by its group: name, meaning, unit, formula, source. */
export function figureTable(): string {
  return (Object.keys(TITLES) as (keyof typeof definitions)[])
    .map((group) => {
      const head = ['name', 'what', 'unit', 'formula', 'published by'];
      const rows = definitions[group].map(rowOf);
      return `## ${TITLES[group]}\n\n${table(head, rows)}`;
    })
    .join('\n\n');
}

function rowOf({ name, label, unit, formula, source, unless }: FigureDefinition): string[] {
  const none = unless === undefined ? '' : `; none if ${unless}`;
  return [`\`${name}\``, label, unit, formula + none, source];
}
