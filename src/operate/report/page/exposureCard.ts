import { card, type ChartCard } from './cards.ts';
import { exposureChart } from './seriesCharts.ts';
import { el, money, ratio } from './format.ts';
import { data } from './pageData.ts';

/** What was held over time, and its share of the equity. */
export function exposureCard(): ChartCard {
  const { gross, leverage } = data.report.exposure;
  const most = gross.reduce((high, value) => Math.max(high, value), 0);
  const levered = leverage.reduce<number>((high, value) => Math.max(high, value ?? 0), 0);
  const text = `At most ${money(most)}, which was ${ratio(levered)} times the equity or less. Above: gross (filled) and net. Below: leverage.`;
  const label = `Exposure and leverage over time. ${text}`;
  const holder = el('div', {
    class: 'chart',
    id: 'exposure-chart',
    style: 'height:260px',
    role: 'img',
    'aria-label': label,
  });
  return {
    section: card('Exposure and leverage', [], el('p', { class: 'sub' }, text), holder),
    draw: () => exposureChart(holder, data.report.exposure),
  };
}
