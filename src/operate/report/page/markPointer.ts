// Pointer and keyboard on the marks of the candles: a tooltip describes the mark, and a click opens its row.
import type * as Library from 'lightweight-charts';
import type { CandleChart } from './candleChart.ts';
import type { Mark, Marks } from './candleMarks.ts';
import { el } from './format.ts';

interface PointerParts {
  /** Holds the chart; takes the focus. */
  holder: HTMLElement;
  chart: CandleChart;
  marks: () => Marks;
  /** The price at which a bar's mark is drawn, near which its tooltip is shown. */
  priceOf: (bar: number) => number | undefined;
  onOpen: (mark: Mark) => void;
}

export interface MarkPointer {
  /** Goes on to the next mark, or back. */
  step: (by: 1 | -1) => void;
  forget: () => void;
}

const HELP =
  'Candles with marks. Left and right arrow step through fills, executions and intents that were not accepted; Enter goes to the row.';

export function createMarkPointer(parts: PointerParts): MarkPointer {
  const { holder, chart } = parts;
  const tip = el('div', { class: 'tip', id: 'mark-tip', role: 'status', 'aria-live': 'polite' });
  tip.hidden = true;
  holder.append(tip);
  let current: Mark | null = null;
  holder.tabIndex = 0;
  holder.setAttribute('role', 'application');
  holder.setAttribute('aria-label', HELP);

  function showTip(mark: Mark | null, x = 0, y = 0): void {
    tip.hidden = mark === null;
    if (mark === null) return;
    tip.textContent = mark.text();
    // The style sheet keeps it within the chart.
    tip.style.setProperty('--x', `${x}px`);
    tip.style.top = `${Math.max(4, y - 12 - tip.offsetHeight)}px`;
  }

  const markAt = ({ hoveredInfo }: Library.MouseEventParams): Mark | undefined =>
    hoveredInfo?.objectId === undefined ? undefined : parts.marks().find(hoveredInfo.objectId);

  chart.chart.subscribeCrosshairMove((event) => {
    // Moves that a step of the keyboard causes have no pointer.
    if (event.sourceEvent === undefined) return;
    const mark = markAt(event);
    showTip(mark ?? null, event.point?.x, event.point?.y);
    if (mark !== undefined) current = mark;
  });
  chart.chart.subscribeClick((event) => {
    const mark = markAt(event);
    if (mark !== undefined) parts.onOpen((current = mark));
  });

  function step(by: 1 | -1): void {
    const { list } = parts.marks();
    if (list.length === 0) return;
    const at = current === null ? -1 : list.indexOf(current);
    const next = at === -1 ? firstInView(list, by) : (at + by + list.length) % list.length;
    show((current = list[next]!));
  }

  function firstInView(list: readonly Mark[], by: 1 | -1): number {
    const view = chart.chart.timeScale().getVisibleLogicalRange();
    const found = list.findIndex(({ bar }) => view === null || bar >= view.from);
    return found === -1 ? (by === 1 ? 0 : list.length - 1) : found;
  }

  function show(mark: Mark): void {
    const timeScale = chart.chart.timeScale();
    const view = timeScale.getVisibleLogicalRange();
    if (view !== null && (mark.bar < view.from || mark.bar > view.to)) {
      const half = (view.to - view.from) / 2;
      timeScale.setVisibleLogicalRange({ from: mark.bar - half, to: mark.bar + half });
    }
    const price = parts.priceOf(mark.bar);
    const x = timeScale.logicalToCoordinate(mark.bar as Library.Logical) ?? 0;
    const y = price === undefined ? null : chart.series.priceToCoordinate(price);
    showTip(mark, x, y ?? holder.clientHeight / 3);
  }

  holder.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowRight') step(1);
    else if (event.key === 'ArrowLeft') step(-1);
    else if (event.key === 'Escape') showTip(null);
    else if (event.key === 'Enter' && current !== null) parts.onOpen(current);
    else return;
    event.preventDefault();
  });
  holder.addEventListener('blur', () => showTip(null));

  return {
    step,
    forget: () => {
      current = null;
      showTip(null);
    },
  };
}
