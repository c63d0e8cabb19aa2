// The row of figures under the head.
import type { PageData } from '../toPageData.ts';
import {
  NONE,
  duration,
  el,
  gain,
  money,
  percent,
  ratio,
  time,
  unbroken,
  whole,
  wholeDays,
} from './format.ts';
import { toneOf } from './tables.ts';

/** A ratio from fewer days than this is not significant: the page says so first. */
const FEWEST_SHARPE_DAYS = 30;

type Totals = PageData['totals'];

/** Label, value, note and tone of a figure. */
type Tile = readonly [label: string, value: string, note: string, tone?: string];

export function tiles({ totals, liquidations, ratios, report }: PageData): HTMLElement {
  const rows = [...earned(totals, ratios), ...liquidated(liquidations), ...done(totals, report)];
  const tile = ([label, value, note, tone = '']: Tile) =>
    el(
      'div',
      { class: 'tile' },
      el('span', { class: 'label' }, label),
      el('b', { class: tone }, value),
      el('span', { class: 'note' }, unbroken(note)),
    );
  return el('section', { class: 'tiles' }, ...rows.map(tile));
}

/** `ratios` is the basis of the ratios. */
function earned(totals: Totals, ratios: string): Tile[] {
  const { start_equity: start, funding, pnl } = totals;
  const share = start === 0 ? null : pnl / start;
  return [
    [
      'P&L after fees and funding',
      gain(pnl),
      `${percent(share, 2)} of ${money(start)}`,
      toneOf(pnl),
    ],
    [
      'Max drawdown',
      money(totals.max_drawdown),
      `${percent(totals.max_drawdown_share, 2)} of its peak · longest ${duration(totals.longest_drawdown_ms)}`,
    ],
    sharpeTile(totals, ratios),
    [
      'Fees',
      money(totals.fees),
      `${ratio(totals.fee_bps)} bps of ${whole(totals.turnover)} turnover`,
    ],
    ['Funding', money(funding === undefined ? undefined : Math.abs(funding)), fundingNote(funding)],
  ];
}

/** Shown only if there is one: a reader of a loss must see that the plugin did not exit. */
function liquidated(liquidations: PageData['liquidations']): Tile[] {
  const [first] = liquidations;
  if (first === undefined) return [];
  const note = `first ${first.symbol} on ${first.wallet}, ${time(first.time)} UTC`;
  return [['Liquidated', whole(liquidations.length), note, 'loss']];
}

function fundingNote(funding: number | undefined): string {
  if (funding === undefined) return 'not reported by this run';
  if (funding === 0) return 'none';
  return funding > 0 ? 'paid' : 'received';
}

function sharpeTile(totals: Totals, ratios: string): Tile {
  const { sharpe, sortino, calmar, cagr, volatility, sharpe_days: days } = totals;
  const sample = `${wholeDays(days)} whole days`;
  if (days >= FEWEST_SHARPE_DAYS) {
    const others = `Sortino ${ratio(sortino)} · Calmar ${ratio(calmar)}`;
    const yearly = `CAGR ${percent(cagr, 1)} · volatility ${percent(volatility, 1)}`;
    return ['Sharpe', ratio(sharpe), `${others} · ${yearly} · ${ratios} · ${sample}`];
  }
  const needs = `needs ${FEWEST_SHARPE_DAYS} days`;
  const note = sharpe === null ? sample : `${ratio(sharpe)} from ${sample}`;
  return ['Sharpe', needs, `${note} · ${ratios}`, 'unsure'];
}

/**
 * Time during which any part of a position had no acknowledged stop. It may be intended, so it has no
 * tone.
 */
function uncoveredTile({ uncovered }: Totals): Tile {
  if (uncovered === undefined) return ['Uncovered', NONE, 'not reported by this run'];
  const { total_seconds: sum, longest_seconds: longest } = uncovered;
  const note = longest === 0 ? 'no perpetual lacked one' : `longest ${duration(longest * 1_000)}`;
  return ['Uncovered', duration(sum * 1_000), `any part of a position without a stop · ${note}`];
}

/** What the other grouping of fills to trades shows, if it is another count: a grid is seldom flat. */
function otherGrouping({ grouping, otherTrades }: PageData['report'], trades: number): string {
  const valueOf = (wanted: string) =>
    otherTrades.find(({ name }) => name === wanted)?.value ?? null;
  const other = valueOf('trades');
  if (other === null || other === trades) return '';
  const unit = grouping === 'lots' ? 'round trips' : 'lots';
  return ` · ${whole(other)} ${unit} closed, ${percent(valueOf('win_rate'))} won`;
}

function done(totals: Totals, report: PageData['report']): Tile[] {
  const { intents } = totals;
  const alarm = (count: number) => (count === 0 ? '' : 'loss');
  return [
    [
      'Trades',
      `${whole(totals.trades)} closed, ${whole(totals.open_trades)} open`,
      `${percent(totals.win_rate)} won · factor ${ratio(totals.profit_factor)} · in the market ${percent(totals.time_in_market)}${otherGrouping(report, totals.trades)}`,
    ],
    ['Fills', whole(totals.fills), `${percent(totals.maker_share)} as maker`],
    [
      'Intents',
      whole(intents.emitted),
      `${whole(intents.accepted)} accepted · ${whole(intents.denied)} denied`,
    ],
    ['Rate limited', whole(totals.rate_limited), 'answers with 429', alarm(totals.rate_limited)],
    ['Unknown', whole(intents.unknown), 'intents without an answer', alarm(intents.unknown)],
    uncoveredTile(totals),
  ];
}
