import { formatInstant } from '../journal/formatInstant.ts';
import { formatNumber } from '../journal/formatFields.ts';
import { formatColumns, type Align } from '../progress/formatColumns.ts';
import { formatGain, formatMoney, formatTime } from '../progress/formatNumbers.ts';
import type { ComparedIntent } from './ComparedIntent.ts';
import { firstParting, type Comparison } from './compareVersions.ts';
import { timeOf, type IntentPair } from './pairIntents.ts';

/** Where the two versions part first, every intent of both, and what each earned. */
export function formatComparison(comparison: Comparison): string {
  const { instance, use, state, reason, since, until } = comparison;
  const span = since === 0 ? 'no bar yet' : `${formatTime(since)} to ${formatTime(until)} UTC`;
  const why = reason === null ? '' : `: ${reason}`;
  return [
    `${instance}: live beside its shadow ${use}`,
    `shadow ${state}${why}; ${span}`,
    ...(isNarrow(comparison) ? [describeRange(comparison)] : []),
    describeFirst(comparison),
    '',
    formatPairs(comparison.pairs),
    '',
    formatTotals(comparison),
    '',
    describeGain(comparison),
  ].join('\n');
}

/** Whether the intents are of a part of the time to which the figures belong. */
const isNarrow = ({ since, until, compared }: Comparison): boolean =>
  compared.from > since || compared.until < until;

function describeRange({ compared: { from, until }, cut }: Comparison): string {
  const why = cut ? '; older ones of one version are no longer kept' : '';
  if (from > until) return `Intents compared: none, since both ran at no time of this range${why}`;
  return `Intents compared: ${formatTime(from)} to ${formatTime(until)} UTC${why}`;
}

function describeFirst(comparison: Comparison): string {
  const { same, parted } = comparison;
  const first = firstParting(comparison);
  const here = isNarrow(comparison) ? ' in this range' : '';
  if (first === undefined) return `They never part${here}: ${same} intents are the same.`;
  const at = formatInstant(timeOf(first));
  const cause = (first.live ?? first.shadow)!.cause;
  return `They part first${here} at ${at} on ${cause}: ${first.differs.join(', ')}. Same: ${same}, parted: ${parted}.`;
}

const HEAD = ['market time', 'cause', 'live', 'shadow', 'differs'];

function formatPairs(pairs: readonly IntentPair[]): string {
  if (pairs.length === 0) return 'No intents.';
  const rows = pairs.map((pair) => [
    formatInstant(timeOf(pair)),
    (pair.live ?? pair.shadow)!.cause,
    describeIntent(pair.live),
    describeIntent(pair.shadow),
    pair.differs.length === 0 ? 'same' : pair.differs.join(', '),
  ]);
  const align = HEAD.map((): Align => 'left');
  return formatColumns([HEAD, ...rows], align);
}

/** `place_order buy 0.5 BTC at 61000 (denied by max_order_notional)`. */
export function describeIntent(intent: ComparedIntent | undefined): string {
  if (intent === undefined) return '–';
  const { kind, side, size, symbol, price, outcome, refusedBy } = intent;
  const verdict = refusedBy === undefined ? outcome : `${outcome} by ${refusedBy}`;
  return [
    kind,
    side,
    size === undefined ? undefined : formatNumber(size),
    symbol,
    price === undefined ? undefined : `at ${formatNumber(price)}`,
    outcome === 'accepted' ? undefined : `(${verdict})`,
  ]
    .filter((part) => part !== undefined)
    .join(' ');
}

const TOTALS_HEAD = ['', 'live', 'shadow'];

function formatTotals(comparison: Comparison): string {
  const { live, shadow, counts } = comparison;
  const both = [live, shadow];
  const row = (name: string, of: (figures: NonNullable<typeof live>) => string): string[] => [
    name,
    ...both.map((figures) => (figures === null ? '–' : of(figures))),
  ];
  const rows = [
    ['intents', String(counts.live.intents), String(counts.shadow.intents)],
    ['denied by guards', String(counts.live.denied), String(counts.shadow.denied)],
    ...(isNarrow(comparison) ? [['since the shadow began:', '', '']] : []),
    row('fills', ({ fills }) => String(fills)),
    row('realised', ({ realizedPnl }) => formatGain(realizedPnl)),
    row('unrealised', ({ unrealizedPnl }) => formatGain(unrealizedPnl)),
    row('fees', ({ fees }) => formatMoney(fees)),
    row('funding paid', ({ funding }) => formatMoney(funding)),
    row('P&L', ({ netPnl }) => formatGain(netPnl)),
    row('max drawdown', ({ maxDrawdown }) => formatMoney(maxDrawdown)),
  ];
  return formatColumns([TOTALS_HEAD, ...rows], ['left', 'right', 'right']);
}

function describeGain({ live, shadow, capital }: Comparison): string {
  if (live === null || shadow === null) return 'No figures yet.';
  const more = formatGain(shadow.netPnl - live.netPnl);
  return (
    `The shadow would have earned ${formatGain(shadow.netPnl)} with ${formatMoney(capital)}, ` +
    `${more} beside the live version.`
  );
}
