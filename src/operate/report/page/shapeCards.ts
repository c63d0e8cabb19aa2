// The distribution of returns, and trades as dots and by the hour and weekday of their entry.
import { goToTrade } from './candleCard.ts';
import { card, type ChartCard } from './cards.ts';
import { duration, el, gain, money, percent, whole } from './format.ts';
import { data } from './pageData.ts';
import {
  drawResizing,
  durationTicks,
  linear,
  svgElement,
  ticks,
  valueAxis,
  type Plane,
  type Scale,
} from './svg.ts';

type Dot = (typeof data.trades)[number];
type Group = (typeof data.report.groups.hours)[number];

const HEIGHT = 230;
/** Square of the distance in pixels at which a dot is meant. */
const NEAR = 200;

/** How many days returned how much. */
export function distributionCard(): ChartCard {
  const { distribution } = data.report;
  const title = 'Distribution of daily returns';
  if (distribution === null) {
    const empty = el('p', { class: 'empty' }, 'Needs a whole UTC day.');
    return { section: card(title, [], empty), draw: () => {} };
  }
  const { from, width, counts } = distribution;
  const days = counts.reduce((sum, count) => sum + count, 0);
  const until = from + width * counts.length;
  const label = `${whole(days)} days from ${percent(from, 2)} to ${percent(until, 2)}; most in one bin: ${whole(Math.max(...counts))}.`;
  const holder = el('div', { class: 'chart', id: 'distribution-chart' });
  const draw = (): void =>
    drawResizing(holder, { height: HEIGHT, label: `${title}: ${label}` }, (plane) => {
      const range = width === 0 ? ([from - 0.01, from + 0.01] as const) : ([from, until] as const);
      const x = linear(range, plane.left, plane.right);
      const y = linear(rangeOf(counts), plane.bottom, plane.top);
      const bars = counts.map((count, bin) => {
        const start = width === 0 ? from - 0.001 : from + bin * width;
        const end = width === 0 ? from + 0.001 : start + width;
        const tone = start + end < 0 ? 'loss-bar' : 'gain-bar';
        return drawnBar([x(start) + 0.5, x(end) - 0.5], [y(count), y(0)], tone);
      });
      const marks = ticks([0, Math.max(...counts)], 4).filter(Number.isInteger);
      return [
        ...valueAxis(plane, y, { values: marks, text: whole }),
        ...bars,
        ...bottomAxis(plane, x, ticks(range, Math.max(2, plane.width / 110)), (value) =>
          percent(value, 2),
        ),
      ];
    });
  return { section: card(title, [], el('p', { class: 'sub' }, label), holder), draw };
}

/** Excursions, and holding times, against results: a dot a trade. */
export function tradeDotsCard(): ChartCard {
  const dots = data.report.dots.map((at) => data.trades[at]!);
  const title = 'Trades: excursions and holding time';
  if (dots.length === 0) {
    return {
      section: card(title, [], el('p', { class: 'empty' }, 'No trade was closed.')),
      draw: () => {},
    };
  }
  const place = (id: string): HTMLElement => el('div', { class: 'chart dots', id });
  const [excursions, holds] = [place('excursion-chart'), place('hold-chart')];
  const measured = dots.filter((dot) => dot.mae !== null && dot.mfe !== null);
  const draw = (): void => {
    drawDots(excursions, {
      dots: measured,
      label: 'Price against the trade (MAE, across) and for it (MFE, upwards), of the entry price',
      x: { of: (dot) => -dot.mae!, text: (value) => percent(-value, 2) },
      y: { of: (dot) => dot.mfe!, text: (value) => percent(value, 2) },
    });
    drawDots(holds, {
      dots,
      label: 'Holding time (across) and P&L (upwards)',
      x: { of: (dot) => dot.exit_time! - dot.entry_time, text: duration, ticks: durationTicks },
      y: { of: (dot) => dot.pnl, text: money },
    });
  };
  const note = (text: string): HTMLElement => el('p', { class: 'sub' }, text);
  const pair = el(
    'div',
    { class: 'pair' },
    el('div', {}, note('Worst (across) and best price (upwards) against the entry'), excursions),
    el('div', {}, note('Holding time (across) and P&L (upwards)'), holds),
  );
  return { section: card(title, [legend()], pair), draw };
}

function legend(): HTMLElement {
  const entry = (tone: string, text: string): HTMLElement =>
    el('span', { class: 'value' }, el('i', { class: `dot ${tone}` }), text);
  return el('span', { class: 'controls' }, entry('gain-dot', 'won'), entry('loss-dot', 'lost'));
}

interface DotAxis {
  of: (dot: Dot) => number;
  /** Default: round numbers. */
  ticks?: typeof ticks;
  text: (value: number) => string;
}

function drawDots(
  holder: HTMLElement,
  chart: { dots: readonly Dot[]; label: string; x: DotAxis; y: DotAxis },
): void {
  const { dots, label, x: across, y: up } = chart;
  const xs = rangeOf(dots.map(across.of));
  const ys = rangeOf(dots.map(up.of));
  const title = `${label}: ${whole(dots.length)} trades, a dot each.`;
  let awayFrom = (_dot: Dot, _left: number, _top: number): number => Infinity;
  holder.addEventListener('click', (event) => {
    const place = holder.getBoundingClientRect();
    const away = (dot: Dot): number =>
      awayFrom(dot, event.clientX - place.left, event.clientY - place.top);
    const nearest = dots.reduce((best, dot) => (away(dot) < away(best) ? dot : best));
    if (away(nearest) < NEAR) goToTrade(nearest);
  });
  drawResizing(holder, { height: HEIGHT, label: title }, (plane) => {
    const x = linear(xs, plane.left + 4, plane.right - 4);
    const y = linear(ys, plane.bottom - 4, plane.top + 4);
    const path = (isOf: (dot: Dot) => boolean, tone: string): SVGElement =>
      svgElement('path', {
        class: tone,
        d: dots
          .filter(isOf)
          .map((dot) => `M${x(across.of(dot)).toFixed(1)} ${y(up.of(dot)).toFixed(1)}h0`)
          .join(''),
      });
    awayFrom = (dot, left, top) => (x(across.of(dot)) - left) ** 2 + (y(up.of(dot)) - top) ** 2;
    return [
      ...valueAxis(plane, y, { values: ticks(ys, 4), text: up.text }),
      ...bottomAxis(
        plane,
        x,
        (across.ticks ?? ticks)(xs, Math.max(2, plane.width / 130)),
        across.text,
      ),
      path((dot) => dot.pnl <= 0, 'loss-dots'),
      path((dot) => dot.pnl > 0, 'gain-dots'),
    ];
  });
}

/** P&L by the hour and the weekday of the entry. */
export function hoursCard(): ChartCard {
  const { hours, weekdays } = data.report.groups;
  const place = (id: string): HTMLElement => el('div', { class: 'chart', id });
  const [byHour, byDay] = [place('hour-chart'), place('weekday-chart')];
  const pair = el(
    'div',
    { class: 'pair' },
    el('div', {}, el('p', { class: 'sub' }, 'P&L by the UTC hour of the entry'), byHour),
    el('div', {}, el('p', { class: 'sub' }, 'P&L by its weekday'), byDay),
  );
  const draw = (): void => {
    drawGroups(byHour, hours, 'P&L by the UTC hour of the entry');
    drawGroups(byDay, weekdays, 'P&L by the weekday of the entry');
  };
  return { section: card('By hour and weekday', [], pair), draw };
}

function drawGroups(holder: HTMLElement, groups: readonly Group[], title: string): void {
  const summary = groups
    .filter(({ trades }) => trades > 0)
    .map(({ key, pnl, trades }) => `${key}: ${gain(pnl)} of ${whole(trades)} trades`);
  const bars = groups.map(({ key, pnl, trades }) => ({
    key,
    value: pnl,
    tone: pnl < 0 ? 'loss-bar' : 'gain-bar',
    title: `${key}: ${gain(pnl)}, ${whole(trades)} trades`,
  }));
  const label = `${title}. ${summary.join('; ')}`;
  drawNamedBars(holder, { bars, label, keyWidth: 26, text: money });
}

interface NamedBar {
  key: string;
  value: number;
  tone: string;
  title: string;
}

/** A bar for each, from zero, over its key. */
export function drawNamedBars(
  holder: HTMLElement,
  chart: {
    bars: readonly NamedBar[];
    label: string;
    /** Pixels; where bars are narrower, not every key is written. */
    keyWidth: number;
    text: (value: number) => string;
    /** Default: all round numbers. */
    isMarked?: (value: number) => boolean;
  },
): void {
  const { bars, label, keyWidth, text, isMarked = () => true } = chart;
  const range = rangeOf(bars.map(({ value }) => value));
  drawResizing(holder, { height: HEIGHT, label }, (plane) => {
    const y = linear(range, plane.bottom, plane.top);
    const step = (plane.right - plane.left) / bars.length;
    const every = Math.ceil(keyWidth / step);
    const drawn = bars.flatMap(({ key, value, tone, title }, at) => {
      const left = plane.left + at * step;
      const [high, low] = [y(Math.max(0, value)), y(Math.min(0, value))];
      const one = drawnBar([left + 1, left + step - 1], [high, low], tone);
      one.append(svgElement('title', {}, title));
      const middle = { x: left + step / 2, y: plane.height - 8, 'text-anchor': 'middle' };
      return at % every === 0 ? [one, svgElement('text', middle, key)] : [one];
    });
    return [...valueAxis(plane, y, { values: ticks(range, 4).filter(isMarked), text }), ...drawn];
  });
}

/** Zero is always part of it; with a little room on the other side. */
function rangeOf(values: readonly number[]): [number, number] {
  let [low, high] = [0, 0];
  for (const value of values) [low, high] = [Math.min(low, value), Math.max(high, value)];
  const room = (high - low) * 0.06;
  if (low === high) return [0, 1];
  return [low < 0 ? low - room : 0, high > 0 ? high + room : 0];
}

export function drawnBar(
  [left, right]: readonly [number, number],
  [top, bottom]: readonly [number, number],
  tone: string,
): SVGElement {
  return svgElement('rect', {
    class: tone,
    x: left.toFixed(1),
    y: top.toFixed(1),
    width: Math.max(0.5, right - left).toFixed(1),
    height: Math.max(0, bottom - top).toFixed(1),
  });
}

function bottomAxis(
  plane: Plane,
  scale: Scale,
  values: readonly number[],
  text: (value: number) => string,
): SVGElement[] {
  return values.map((value) => {
    const x = Math.min(plane.right - 22, Math.max(plane.left + 14, scale(value)));
    return svgElement('text', { x, y: plane.height - 8, 'text-anchor': 'middle' }, text(value));
  });
}
