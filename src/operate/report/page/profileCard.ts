// Where the time of a backtest went: by part of Trimtab, by line of the plugin, and by how its bars were walked.
import { card, type ChartCard } from './cards.ts';
import { el, percent, whole } from './format.ts';
import { data } from './pageData.ts';
import { drawnBar, drawNamedBars } from './shapeCards.ts';
import { drawResizing, linear, svgElement } from './svg.ts';

type Profile = NonNullable<typeof data.profile>;
type Part = Profile['stations'][number];

/** A text and a bar below it. */
const ROW = 26;

/** Null if the time was not measured. */
export function profileCard(): ChartCard | null {
  const { profile } = data;
  if (profile === null) return null;
  const { stations, lines, spans, walk } = profile;
  const place = (id: string): HTMLElement => el('div', { class: 'chart', id });
  const [parts, own, lengths] = [
    place('profile-parts'),
    place('profile-lines'),
    place('profile-spans'),
  ];
  const part = (title: string, holder: HTMLElement): HTMLElement =>
    el('div', {}, el('p', { class: 'sub' }, title), holder);
  const body = [
    part('By part of Trimtab', parts),
    ...(lines.length === 0 ? [] : [part('By function of the plugin', own)]),
    ...(spans.length === 0 ? [] : [part('Stretches walked as a whole, by their bars', lengths)]),
    ...walk.map((line) => el('p', { class: 'sub' }, line.trim())),
  ];
  const draw = (): void => {
    drawParts(parts, stations, profile);
    if (lines.length > 0) drawParts(own, lines, profile);
    if (spans.length > 0) drawSpans(lengths, spans);
  };
  return { section: card('Where the time went', [], ...body), draw };
}

/** A bar for each, as long as its time, under its name. */
function drawParts(holder: HTMLElement, parts: readonly Part[], { totalMs }: Profile): void {
  const texts = parts.map(
    ({ name, ms }) => `${name}: ${whole(ms)} ms, ${percent(ms / totalMs, 1)}`,
  );
  const most = Math.max(...parts.map(({ ms }) => ms));
  const height = parts.length * ROW;
  drawResizing(holder, { height, label: texts.join('; ') }, (plane) => {
    const x = linear([0, most], 0, plane.right);
    return parts.flatMap(({ ms }, at) => {
      const top = at * ROW;
      const text = svgElement('text', { x: 0, y: top + 11 }, texts[at]);
      return [text, drawnBar([0, x(ms)], [top + 15, top + 21], 'time-bar')];
    });
  });
}

function drawSpans(holder: HTMLElement, spans: Profile['spans']): void {
  const bars = spans.map(({ bars: key, count }) => {
    const title = `${key}: ${whole(count)}`;
    return { key, value: count, tone: 'time-bar', title };
  });
  const label = `Stretches by their bars: ${bars.map(({ title }) => title).join('; ')}`;
  drawNamedBars(holder, { bars, label, keyWidth: 90, text: whole, isMarked: Number.isInteger });
}
