/** Results of the rounds of one scene. */
export interface Row {
  name: string;
  rounds: number;
  /** Rounds in which the process reached the boundary; without one the scene proves nothing. */
  hits: number;
  doubled: number;
  lost: number;
  /** Rounds whose journal differs from the service, or that did not end. */
  wrong: number;
}

const COLUMNS = ['rounds', 'hits', 'doubled', 'lost', 'wrong'] as const;
const NAME_WIDTH = 39;

export const HEAD = `${''.padEnd(NAME_WIDTH)}${COLUMNS.map((name) => name.padStart(9)).join('')}`;

export const formatRow = (row: Row): string =>
  `${row.name.padEnd(NAME_WIDTH)}${COLUMNS.map((name) => String(row[name]).padStart(9)).join('')}`;

export const isGood = ({ rounds, hits, doubled, lost, wrong }: Row): boolean =>
  rounds > 0 && hits === rounds && doubled + lost + wrong === 0;
