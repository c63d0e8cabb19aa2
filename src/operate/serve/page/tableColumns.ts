// A list of columns for each block of the view that is a table.
import {
  NONE,
  duration,
  gain,
  isNone,
  money,
  percent,
  ratio,
  size,
  timeWithSeconds,
  whole,
  type Maybe,
} from '../../report/page/format.ts';
import type {
  ExecutionRow,
  FeedRow,
  OrderRow,
  PositionRow,
  ShadowRow,
  StrategyRow,
  UnansweredRow,
  WalletRow,
} from '../../state/BotView.ts';
import type { LiveColumn } from './keyedTable.ts';
import type { PageAsks } from './PageAsks.ts';
import { isReached, isStale, limitTone } from './rowTones.ts';

const signTone = (value: Maybe<number>): string =>
  isNone(value) || value === 0 ? '' : value > 0 ? 'gain' : 'loss';

/** Prices have too many sizes for one number of decimals. */
const priceText = (value: Maybe<number>): string =>
  isNone(value) ? NONE : value.toLocaleString('en-US', { maximumSignificantDigits: 10 });

export const clock = (ms: number): string => timeWithSeconds(ms).slice(11);

const right = <Row>(
  label: string,
  text: LiveColumn<Row>['text'],
  tone?: LiveColumn<Row>['tone'],
): LiveColumn<Row> => ({ label, align: 'right', text, ...(tone === undefined ? {} : { tone }) });
const left = <Row>(
  label: string,
  text: LiveColumn<Row>['text'],
  tone?: LiveColumn<Row>['tone'],
): LiveColumn<Row> => ({ label, text, ...(tone === undefined ? {} : { tone }) });

const symbolColumn = <Row extends { symbol: string }>(): LiveColumn<Row> =>
  left(
    'symbol',
    (row) => row.symbol,
    () => 'strong',
  );
const walletColumn = <Row extends { wallet: string }>(): LiveColumn<Row> =>
  left('wallet', (row) => row.wallet);
/** Of an order or execution; a position's owner says more. */
const ownerColumn = <Row extends { owner: string | null }>(): LiveColumn<Row> =>
  left(
    'owner',
    (row) => row.owner ?? 'none',
    (row) => (row.owner === null ? 'warn' : ''),
  );
const idColumn = <Row>(idOf: (row: Row) => string): LiveColumn<Row> =>
  left('id', idOf, () => 'muted');

export const age = (from: number, now: number): string => duration(Math.max(0, now - from));

export const WALLETS: readonly LiveColumn<WalletRow>[] = [
  left(
    'wallet',
    (row) => row.wallet,
    () => 'strong',
  ),
  right('equity', (row) => money(row.equity)),
  right(
    'day’s P&L',
    (row) => gain(row.day_pnl),
    (row) => signTone(row.day_pnl),
  ),
  right(
    'its limit',
    (row) =>
      row.day_loss_limit === null
        ? 'none'
        : `${money(-row.day_loss_limit)}${isReached(row) ? ' reached' : ''}`,
    limitTone,
  ),
  right('leverage', (row) => (row.leverage === null ? NONE : `${ratio(row.leverage)} ×`)),
  right('margin used', (row) => money(row.used_margin)),
  right('margin free', (row) => money(row.available_margin)),
  right(
    'unrealised',
    (row) => gain(row.unrealized_pnl),
    (row) => signTone(row.unrealized_pnl),
  ),
  right(
    'realised',
    (row) => gain(row.realized_pnl),
    (row) => signTone(row.realized_pnl),
  ),
  right('fees', (row) => money(row.fees)),
  right('funding paid', (row) => money(row.funding)),
];

/** Nothing asks for a stop of a spot holding. */
const isSpot = ({ symbol }: PositionRow): boolean => symbol.includes('/');

export const POSITIONS: readonly LiveColumn<PositionRow>[] = [
  symbolColumn(),
  walletColumn(),
  left('side', (row) => row.side),
  right('size', (row) => size(row.size)),
  right('entry', (row) => priceText(row.entry_price)),
  right('mark', (row) => priceText(row.mark_price)),
  right('notional', (row) => money(row.notional)),
  right(
    'P&L',
    (row) => gain(row.unrealized_pnl),
    (row) => signTone(row.unrealized_pnl),
  ),
  right(
    'stop',
    (row) => (row.stop_price !== null ? priceText(row.stop_price) : isSpot(row) ? NONE : 'none'),
    (row) => (row.stop_price === null && !isSpot(row) ? 'warn' : ''),
  ),
  right('distance', (row) => percent(row.stop_distance, 2)),
  right(
    'uncovered',
    (row, at) =>
      row.uncovered_since === null
        ? 'no'
        : `${size(row.uncovered)} for ${age(row.uncovered_since, at.market)}`,
    (row) => (row.uncovered_since === null ? 'muted' : 'loss strong'),
  ),
  right('liquidation', (row) => priceText(row.liquidation_price)),
  left(
    'owner',
    (row) =>
      row.ownership === 'owned'
        ? (row.owner ?? NONE)
        : row.ownership === 'orphan'
          ? 'ORPHAN'
          : row.ownership,
    (row) => (row.ownership === 'orphan' ? 'loss strong' : ''),
  ),
];

export const strategyColumns = (
  asks: PageAsks,
  takesCommands: () => boolean,
): LiveColumn<StrategyRow>[] => [
  left(
    'strategy',
    (row) => row.name,
    () => 'strong',
  ),
  left('market', (row) => `${row.symbols.join(', ')} on ${row.wallet}`),
  {
    label: 'life',
    align: 'wrap',
    text: ({ life, stage, fault, throttled, paused }) =>
      [
        life,
        stage === null || stage === 'shadow' ? null : `new version, ${stage}`,
        fault,
        throttled,
        paused === null ? null : `paused: ${paused}`,
      ]
        .filter((text) => text !== null)
        .join(' · '),
    tone: lifeTone,
  },
  left('last bar', (row) =>
    row.bar_time === null ? NONE : `${row.bar_symbol} ${clock(row.bar_time)}`,
  ),
  right('bar’s age', (row, at) => (row.bar_time === null ? NONE : age(row.bar_time, at.market))),
  {
    ...left<StrategyRow>('last intent', (row) =>
      row.intent === null ? NONE : `${row.intent.kind} ${row.intent.symbol} ${row.intent.state}`,
    ),
    press: ({ intent }) => (intent === null ? null : () => asks.onExplain(intent.key)),
    pressLabel: ({ name, intent }) =>
      `Explain the last intent of ${name}: ${intent!.kind} ${intent!.symbol} ${intent!.state}`,
  },
  right('intent’s age', (row, at) =>
    row.intent === null ? NONE : age(row.intent.time, at.market),
  ),
  right('emitted', (row) => whole(row.emitted)),
  right('accepted', (row) => whole(row.accepted)),
  {
    label: 'denied',
    align: 'wrap',
    text: (row) => countsText(row.denied),
    tone: (row) => (Object.keys(row.denied).length === 0 ? 'muted' : 'warn'),
  },
  right('fills', (row) => whole(row.fills)),
  right(
    'net P&L since start',
    (row) => gain(row.net_pnl),
    (row) => signTone(row.net_pnl),
  ),
  {
    label: 'here',
    text: ({ paused }) => (!takesCommands() ? '' : paused === null ? 'Pause…' : 'Resume…'),
    press: ({ name: strategy, paused }) =>
      takesCommands()
        ? () => asks.onCommand({ kind: paused === null ? 'pause' : 'resume', strategy })
        : null,
    pressLabel: ({ name, paused }) => `${paused === null ? 'Pause' : 'Resume'} ${name}`,
  },
  {
    label: 'shadow',
    align: 'wrap',
    text: ({ shadow }) => (shadow === null ? NONE : shadowText(shadow)),
    tone: ({ shadow }) =>
      shadow === null ? 'muted' : shadow.state === 'quarantined' ? 'warn' : '',
  },
];

/** `running · 12 same, 3 parted · +80.20, live +97.10`. */
function shadowText({ state, reason, same, parted, net_pnl, live_pnl }: ShadowRow): string {
  const why = reason === null ? state : `${state}: ${reason}`;
  const figures = `${gain(net_pnl)}, live ${gain(live_pnl)}`;
  return [why, `${whole(same)} same, ${whole(parted)} parted`, figures].join(' · ');
}

function lifeTone({ life, throttled, paused }: StrategyRow): string {
  if (life === 'quarantined') return 'loss strong';
  return life !== 'running' || throttled !== null || paused !== null ? 'warn' : '';
}

const countsText = (counts: Readonly<Record<string, number>>): string => {
  const entries = Object.entries(counts).toSorted(([, a], [, b]) => b - a);
  return entries.length === 0
    ? 'none'
    : entries.map(([name, count]) => `${name} ${whole(count)}`).join(', ');
};

export const ORDERS: readonly LiveColumn<OrderRow>[] = [
  symbolColumn(),
  walletColumn(),
  left('order', (row) => `${row.side} ${row.order_type}${row.reduce_only ? ', reduce only' : ''}`),
  right('filled', (row) => `${size(row.filled_size)} / ${size(row.size)}`),
  right('price', (row) => priceText(row.price)),
  left('status', (row) => row.status),
  right('age', (row, at) => age(row.created_time, at.market)),
  ownerColumn(),
  idColumn((row) => row.order_id),
];

export const EXECUTIONS: readonly LiveColumn<ExecutionRow>[] = [
  symbolColumn(),
  walletColumn(),
  left('execution', (row) => `${row.side} ${row.algo}${row.reduce_only ? ', reduce only' : ''}`),
  right('progress', (row) => percent(row.progress, 0)),
  right('filled', (row) => `${size(row.filled_size)} / ${size(row.total_size)}`),
  left('status', (row) => (row.phase === row.status ? row.status : `${row.status}, ${row.phase}`)),
  right('age', (row, at) => age(row.created_time, at.market)),
  ownerColumn(),
  idColumn((row) => row.execution_id),
];

export const unansweredColumns = (
  asks: PageAsks,
  takesCommands: () => boolean,
): LiveColumn<UnansweredRow>[] => [
  {
    ...left<UnansweredRow>('intent', (row) => `${row.kind} ${row.symbol}`),
    press: (row) => () => asks.onExplain(row.key),
    pressLabel: (row) => `Explain ${row.kind} ${row.symbol} of ${row.strategy}`,
  },
  left('strategy', (row) => row.strategy),
  walletColumn(),
  left(
    'state',
    (row) => row.state,
    () => 'warn strong',
  ),
  right('age', (row, at) => age(row.time, at.market)),
  { label: 'why', align: 'wrap', text: (row) => row.reason },
  { label: 'settle with', align: 'wrap', text: (row) => row.command, isCode: true },
  {
    label: 'here',
    text: () => (takesCommands() ? 'Settle…' : ''),
    press: (row) => (takesCommands() ? () => asks.onCommand({ kind: 'settle', row }) : null),
    pressLabel: (row) => `Settle ${row.kind} ${row.symbol} of ${row.strategy}`,
  },
];

export const FEEDS: readonly LiveColumn<FeedRow>[] = [
  symbolColumn(),
  right('price', (row) => priceText(row.price)),
  right('bars', (row) => duration(row.interval_ms)),
  right('closed (UTC)', (row) =>
    row.close_time === null ? NONE : timeWithSeconds(row.close_time),
  ),
  right(
    'age',
    (row, at) => (row.close_time === null ? NONE : age(row.close_time, at.market)),
    (row, at) => (isStale(row, at) ? 'loss strong' : ''),
  ),
];
