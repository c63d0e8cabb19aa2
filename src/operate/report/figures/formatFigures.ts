import { formatColumns, type Align } from '../../progress/formatColumns.ts';
import {
  formatDuration,
  formatFixed,
  formatMoney,
  formatTime,
  formatWhole,
} from '../../progress/formatNumbers.ts';
import { FIGURE_GROUPS, type Figure, type FigureUnit } from './Figure.ts';
import { formatGroups } from './formatGroups.ts';
import type { NamedRun } from './figuresJson.ts';
import { reportFigures } from './reportFigures.ts';

const SHOWN: Readonly<Record<FigureUnit, (value: number) => string>> = {
  ratio: (value) => formatFixed(value, 3),
  share: (value) => `${formatFixed(value * 100, 2)} %`,
  quote: formatMoney,
  count: formatWhole,
  ms: formatDuration,
  time: formatTime,
};

/**
 * Every figure of some runs as text for a terminal, a column a run; of a single one with the reason
 * where there is none, and its trades by what opened and closed them.
 */
export function formatFigures(runs: readonly NamedRun[]): string {
  const reports = runs.map(({ data }) => reportFigures(data));
  const all = reports.map(({ figures }) => figures);
  const [first = []] = all;
  const isOne = runs.length === 1;
  const rows = FIGURE_GROUPS.flatMap((group) => [
    [group.toUpperCase()],
    ...first.flatMap((figure, at) =>
      figure.group === group
        ? [
            [
              `  ${figure.label}`,
              ...all.map((run) => shown(run[at]!)),
              isOne ? (figure.why ?? figure.note ?? '') : '',
            ],
          ]
        : [],
    ),
  ]);
  const head = ['', ...runs.map(({ name }) => name), ''];
  const align: Align[] = ['left', ...all.map((): Align => 'right'), 'left'];
  const groups = isOne ? formatGroups(reports[0]!) : '';
  return `${formatColumns([head, ...rows], align)}\n${groups}`;
}

const shown = ({ value, unit }: Figure): string => (value === null ? '–' : SHOWN[unit](value));
