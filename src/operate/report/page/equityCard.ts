import type { LineData, MouseEventParams } from 'lightweight-charts';
import { card, toggle, type ChartCard } from './cards.ts';
import { equityChart } from './charts.ts';
import { el, gain } from './format.ts';
import { data } from './pageData.ts';
import { onTheme, strategyColour } from './theme.ts';

/** P&L and drawdown: of each strategy and in total. */
export function equityCard(): ChartCard {
  const holder = el('div', { class: 'chart', id: 'equity-chart', style: 'height:400px' });
  const legend = el('div', { class: 'controls' });
  const section = card('P&L and drawdown', [legend], holder);
  return { section, draw: () => drawEquity(holder, legend) };
}

function drawEquity(holder: HTMLElement, legend: HTMLElement): void {
  const { chart, rows } = equityChart(holder, data);
  const values = rows.map(({ curve, pnl, drawdown }) => {
    const value = el('span', { class: 'value' });
    const dot = el('i', { class: 'dot' });
    const colour = () => dot.style.setProperty('background', strategyColour(data, curve.strategy));
    colour();
    onTheme(colour);
    const show = (visible: boolean): void =>
      [pnl, drawdown].forEach((series) => series.applyOptions({ visible }));
    legend.append(toggle([dot, curve.strategy ?? 'total', value], true, show));
    return { value, pnl, last: curve.pnl.at(-1) };
  });
  const showValues = (at?: MouseEventParams['seriesData']): void => {
    for (const { value, pnl, last } of values) {
      const point = at?.get(pnl) as LineData | undefined;
      value.textContent = gain(point?.value ?? last);
    }
  };
  showValues();
  chart.subscribeCrosshairMove(({ seriesData }) => showValues(seriesData));
}
