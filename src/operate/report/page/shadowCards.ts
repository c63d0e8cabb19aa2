// What a new version would have done beside the one that traded: both curves, and where the two part.
import type { ReportShadow } from '../ReportData.ts';
import { card } from './cards.ts';
import { el, gain, timeWithSeconds, whole } from './format.ts';
import { data } from './pageData.ts';
import { drawResizing, linear, svgElement, type Plane, valueAxis } from './svg.ts';
import { dataTable, type Column } from './tables.ts';
import { cssColour } from './theme.ts';

type Parting = ReportShadow['partings'][number];

const COLUMNS: Column<Parting>[] = [
  { label: 'time (UTC)', text: (row) => timeWithSeconds(row.time), sort: (row) => row.time },
  { label: 'cause', text: (row) => row.cause },
  { label: 'live', align: 'wrap', text: (row) => row.live },
  { label: 'shadow', align: 'wrap', text: (row) => row.shadow },
  { label: 'differs', align: 'wrap', text: (row) => row.differs },
];

/** One card a shadow. */
export function shadowCards(): HTMLElement[] {
  return data.shadows.map((shadow) => {
    const { strategy, state, reason, same, parted, pnl, live_pnl } = shadow;
    const why = reason === null ? '' : `: ${reason}`;
    const text =
      `The shadow (dashed) ${state}${why}. Intents: ${whole(same)} same, ${whole(parted)} parted. ` +
      `P&L: ${gain(pnl)}, live ${gain(live_pnl)}.`;
    const table = dataTable({
      columns: COLUMNS,
      rows: shadow.partings,
      caption: `Where ${strategy} and its shadow part`,
      empty: 'The two never part.',
    });
    const holder = el('div', { class: 'chart' });
    if (shadow.curve.length > 1)
      drawResizing(holder, { height: 220, label: `P&L of ${strategy} and its shadow` }, (plane) =>
        drawCurves(shadow, plane),
      );
    return card(`Shadow of ${strategy}`, [], el('p', { class: 'sub' }, text), holder, table);
  });
}

function drawCurves({ curve }: ReportShadow, plane: Plane): SVGElement[] {
  let [low, high] = [0, 0];
  for (const [, live, shadow] of curve) {
    low = Math.min(low, live, shadow);
    high = Math.max(high, live, shadow);
  }
  const x = linear([curve[0]![0], curve.at(-1)![0]], plane.left, plane.right);
  const y = linear([low, high === low ? low + 1 : high], plane.bottom, plane.top);
  const line = (of: 1 | 2): SVGElement =>
    svgElement('polyline', {
      fill: 'none',
      stroke: cssColour('--accent'),
      'stroke-width': 1.5,
      ...(of === 2 ? { 'stroke-dasharray': '5 4' } : {}),
      points: curve.map((at) => `${x(at[0]).toFixed(1)},${y(at[of]).toFixed(1)}`).join(' '),
    });
  const values = [...new Set([low, 0, high])];
  return [...valueAxis(plane, y, { values, text: gain }), line(1), line(2)];
}
