import type { PnlRecord } from '../../contract/index.ts';
import { formatColumns } from '../progress/formatColumns.ts';
import { formatMoney, formatWhole } from '../progress/formatNumbers.ts';
import { UTC, type TimeZone } from '../timeZone.ts';
import { formatLatches } from './formatLatches.ts';
import type { DayReport } from './readDay.ts';

/** P&L of one wallet on that day, as the service counts it. */
export interface WalletDay {
  wallet: string;
  rows: readonly PnlRecord[];
}

/**
 * A bot's day as text.
 *
 * @param wallets undefined if the service was not asked
 */
export function formatDay(
  name: string,
  report: DayReport,
  wallets?: readonly WalletDay[],
  zone: TimeZone = UTC,
): string {
  const { day, incomplete_before: before, intents, strategies, unanswered, latches } = report;
  const parts = [
    `${name}, ${day} (${zone.name})`,
    // A replay has another calendar than the wall.
    'Intents by the day of wall time on which they were decided; P&L by the days of the service.',
    ...(before === undefined ? [] : [incompleteLine(before, zone)]),
    Object.keys(intents).length > 0
      ? `Intents: ${counts(intents)}`
      : before === undefined
        ? 'No intents.'
        : 'No intents in the journal.',
    ...(strategies.length === 0 ? [] : [strategyTable(strategies)]),
    ...(wallets === undefined ? [] : [pnlTable(wallets)]),
    ...(unanswered.length === 0 ? [] : [`Without an answer: ${unanswered.join(', ')}`]),
    ...(latches.length === 0 ? [] : [formatLatches(latches, { zone, isWhole: false })]),
  ];
  return `${parts.join('\n\n')}\n`;
}

const incompleteLine = (before: number, zone: TimeZone): string =>
  `Incomplete: finished intents of before ${zone.format(before)} have left the journal (journal.keep_days).`;

const counts = (of: Readonly<Record<string, number | undefined>>): string =>
  Object.entries(of)
    .toSorted(([, one], [, other]) => (other ?? 0) - (one ?? 0))
    .map(([what, count]) => `${what} ${formatWhole(count ?? 0)}`)
    .join(', ');

function strategyTable(strategies: DayReport['strategies']): string {
  const rows = strategies.map(({ strategy, intents, kinds, refused }) => [
    strategy,
    counts(intents),
    counts(kinds),
    counts(refused),
  ]);
  const head = ['strategy', 'intents', 'accepted', 'refused by'];
  return formatColumns([head, ...rows], ['left', 'left', 'left', 'left']);
}

function pnlTable(wallets: readonly WalletDay[]): string {
  const head = ['wallet', 'symbol', 'realized', 'unrealized', 'fees', 'funding', 'volume'];
  const rows = wallets.flatMap(({ wallet, rows: own }) =>
    own.map((row) => [
      wallet,
      row.symbol,
      formatMoney(row.realized_pnl),
      formatMoney(row.unrealized_pnl),
      formatMoney(row.fees),
      formatMoney(row.funding),
      formatMoney(row.volume),
    ]),
  );
  if (rows.length === 0) return 'The service has no P&L of this day.';
  return formatColumns(
    [head, ...rows],
    head.map((_name, at) => (at < 2 ? 'left' : 'right')),
  );
}
