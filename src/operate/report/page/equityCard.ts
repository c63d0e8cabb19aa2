import type { LineData, MouseEventParams } from 'lightweight-charts';
import { card, toggle, type ChartCard } from './cards.ts';
import { el, gain, percent } from './format.ts';
import { data } from './pageData.ts';
import { equityChart, type CurveMode, type EquityChart } from './seriesCharts.ts';
import { tabBar } from './tabBar.ts';
import { cssColour, onTheme, strategyColour } from './theme.ts';

const MODES = [
  { name: 'money', label: 'P&L' },
  { name: 'percent', label: 'Percent' },
  { name: 'log', label: 'Equity, log' },
] as const;

let drawnEquity: EquityChart | null = null;

/** P&L and drawdown: of each strategy, in total, and the benchmark's; the worst drawdowns as bands. */
export function equityCard(): ChartCard {
  const { totals, report } = data;
  const label = `P&L over time, ${gain(totals.pnl)} at the end, with the drawdown below. The worst drawdown was ${percent(totals.max_drawdown_share, 2)} of its peak.`;
  const holder = el('div', {
    class: 'chart',
    id: 'equity-chart',
    style: 'height:400px',
    role: 'img',
    'aria-label': label,
  });
  const legend = el('div', { class: 'controls', id: 'equity-legend' });
  const modes = el('div', { class: 'controls' });
  const section = card('P&L and drawdown', [modes], legend, holder);
  if (report.drawdowns.length > 0) {
    modes.append(toggle('worst drawdowns', true, (shown) => drawnEquity?.bands.show(shown)));
  }
  return { section, draw: () => drawEquity(holder, legend, modes) };
}

function drawEquity(holder: HTMLElement, legend: HTMLElement, modes: HTMLElement): void {
  const drawn = equityChart(holder, data);
  drawnEquity = drawn;
  const { chart, rows } = drawn;
  let mode: CurveMode = 'money';
  const values = rows.map(({ name, pnl, line, drawdown }, at) => {
    const value = el('span', { class: 'value' });
    const dot = el('i', { class: 'dot' });
    const strategy = data.curves[at];
    const colour = () =>
      dot.style.setProperty(
        'background',
        strategy === undefined ? cssColour('--muted') : strategyColour(data, strategy.strategy),
      );
    colour();
    onTheme(colour);
    legend.append(
      toggle([dot, name, value], true, (visible) => {
        line.applyOptions({ visible });
        drawdown?.applyOptions({ visible });
      }),
    );
    return { value, line, pnl };
  });
  const showValues = (at?: MouseEventParams['seriesData']): void => {
    for (const { value, line, pnl } of values) {
      const point = at?.get(line) as LineData | undefined;
      const last = pnl.at(-1) ?? 0;
      const { start_equity: capital } = data.totals;
      const back = { money: 1, percent: capital / 100, log: 1 }[mode];
      const found =
        point === undefined ? last : point.value * back - (mode === 'log' ? capital : 0);
      value.textContent = mode === 'money' ? gain(found) : drawn.text(mode, found);
    }
  };
  chart.subscribeCrosshairMove(({ seriesData }) => showValues(seriesData));
  const isMode = (name: string): name is CurveMode => MODES.some((one) => one.name === name);
  const log = data.curves.every(({ pnl }) =>
    pnl.every((value) => value + data.totals.start_equity > 0),
  );
  const tabs = log ? MODES : MODES.filter(({ name }) => name !== 'log');
  const bar = tabBar({ label: 'Scale of the curves', tabs, panel: holder.id }, (name) => {
    if (!isMode(name)) return;
    mode = name;
    drawn.show(mode);
    showValues();
  });
  if (data.totals.start_equity > 0) modes.prepend(bar);
  showValues();
}

/** From a drawdown's row to its time on the chart. */
export function showOnEquity(from: number, until: number): void {
  if (drawnEquity === null) return;
  const { grid } = data;
  const at = (ms: number): number => (ms - grid.start) / grid.stepMs;
  const room = Math.max(5, (at(until) - at(from)) / 2);
  const range = { from: at(from) - room, to: at(until) + room };
  drawnEquity.chart.timeScale().setVisibleLogicalRange(range);
  document.getElementById('equity-chart')!.scrollIntoView({ behavior: 'smooth', block: 'center' });
}
