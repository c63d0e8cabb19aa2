// Every figure by its group, with its formula at the pointer and the reason where there is none.
import type { PageFigure } from '../toPageFigures.ts';
import { card } from './cards.ts';
import { duration, el, money, NONE, percent, ratio, time, whole } from './format.ts';
import { data } from './pageData.ts';
import { tabBar, tabPanel } from './tabBar.ts';

type Unit = PageFigure['unit'];

const SHOWN: Readonly<Record<Unit, (value: number) => string>> = {
  ratio,
  share: (value) => percent(value, 2),
  quote: money,
  count: whole,
  ms: duration,
  time,
};

const GROUPS = [
  { name: 'returns', label: 'Returns' },
  { name: 'risk', label: 'Risk' },
  { name: 'drawdown', label: 'Drawdown' },
  { name: 'benchmark', label: 'Benchmark' },
  { name: 'trades', label: 'Trades' },
  { name: 'activity', label: 'Activity' },
] as const;

const NAMES = { round_trips: 'per round trip', lots: 'per lot' } as const;

export function figuresCard(): HTMLElement {
  const panel = tabPanel('figures-panel', 'Figures');
  const { figures } = data.report;
  const tabs = tabBar({ label: 'Figures', tabs: GROUPS, panel: panel.id }, (name) => {
    const shown = figures.filter(({ group }) => group === name);
    panel.replaceChildren(...notesOf(name), figureList(shown, name));
  });
  return card('Figures', [tabs], panel);
}

/** What the figures of a group are of. */
function notesOf(group: string): HTMLElement[] {
  const { benchmark } = data.report;
  const notes: Readonly<Record<string, string>> = {
    risk: `Of ${data.ratios}: ${whole(data.days)} whole days.`,
    benchmark:
      benchmark === null
        ? ''
        : `Against ${benchmark.name}, bought at the start and held, without fees and funding. Daily UTC returns, a year of 365 days.`,
    trades: `After fees, ${NAMES[data.report.grouping]}, and below ${NAMES[otherUnit()]} where that differs. A lot is a fill that closes, with the oldest fill that is open (FIFO).`,
  };
  const note = notes[group] ?? '';
  return note === '' ? [] : [el('p', { class: 'sub' }, note)];
}

function figureList(figures: readonly PageFigure[], group: string): HTMLElement {
  const others = group === 'trades' ? data.report.otherTrades : [];
  const rows = figures.map((figure) => {
    const { name, label, formula, source } = figure;
    const other = others.find((one) => one.name === name);
    const differs = other !== undefined && valueText(other) !== valueText(figure);
    return el(
      'div',
      { class: 'figure', title: `${formula}\n${source}` },
      el('dt', {}, label),
      el('dd', {}, ...valueOf(figure)),
      differs ? el('dd', { class: 'other' }, ...valueOf(other), ` ${NAMES[otherUnit()]}`) : null,
    );
  });
  return el('dl', { class: 'figures' }, ...rows);
}

type Value = Pick<PageFigure, 'value' | 'unit' | 'why' | 'note'>;

const otherUnit = () => (data.report.grouping === 'lots' ? 'round_trips' : 'lots');

const valueText = ({ value, unit, why = '' }: Value): string =>
  value === null ? why : SHOWN[unit](value);

function valueOf(figure: Value): (HTMLElement | string)[] {
  const { value, note = '' } = figure;
  if (value !== null)
    return note === '' ? [valueText(figure)] : [`${valueText(figure)} `, aside(note)];
  return [`${NONE} `, aside(valueText(figure))];
}

const aside = (text: string): HTMLElement => el('span', { class: 'note' }, text);
