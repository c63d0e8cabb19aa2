/** What a bot leaves open when it ends, as lines of text. */
import { reasonOf } from '../../env/index.ts';
import {
  type Bot,
  type BotPlan,
  describeExecution,
  describeOrder,
  inTurn,
  type OpenIntent,
  type SpotPosition,
  tradedWallets,
  type Unanswered,
  type WorkingOrders,
} from '../../runtime/index.ts';
import { formatNumber } from '../journal/formatFields.ts';

/** Why the bot ended, in the order in which it happened, and what it leaves behind. */
export function endReason(thrown: readonly unknown[], left: Left | undefined): string {
  const why = inTurn(thrown.map(reasonOf));
  return [why, ...(left === undefined ? [] : leftLines(left))].join('\n  ');
}

/** What a stop could not end or confirm, what was sent without an answer, and exits that were never sent. */
type Left = Record<'unended' | 'unknowns' | 'waiting', readonly string[]>;

export const leftLines = ({ unended, unknowns, waiting }: Left): string[] => [
  ...unended.map((line) => `NOT ENDED: ${line}`),
  ...unknowns.map((line) => `UNKNOWN: ${line}`),
  ...waiting.map((line) => `NOT SENT: ${line}`),
];

/** Each with its protection, as far as the service acknowledged it. */
export function openPositions(bot: Bot, plan: BotPlan): string[] {
  const wallets = tradedWallets(plan.strategies);
  const bare = bot.coverage.uncovered();
  return wallets.flatMap((wallet) => [
    ...bot
      .book(wallet)
      .openPositions()
      .map(({ symbol, side, size, entry_price }) => {
        const isBare = bare.some((one) => one.wallet === wallet && one.symbol === symbol);
        const isIgnored = bot.ownerOf(wallet, symbol).kind === 'ignored';
        const stop = isBare ? 'without a stop of its size' : 'with its stop';
        const cover = isIgnored ? 'ignored as asked' : stop;
        return `${wallet}: ${side} ${size} ${symbol} at ${formatNumber(entry_price)}, ${cover}`;
      }),
    ...bot.spotPositions(wallet).flatMap((spot) => holdingLines(wallet, spot)),
  ]);
}

/** What the bot never traded was not left by it. */
function holdingLines(wallet: string, { symbol, size, price, standing }: SpotPosition): string[] {
  if (standing.kind === 'unmanaged') return [];
  const worth = price === undefined ? 'of no known price' : `worth ${formatNumber(size * price)}`;
  const owner = standing.kind === 'owned' ? '' : ', which no strategy owns';
  return [`${wallet}: long ${formatNumber(size)} ${symbol}, ${worth}${owner}`];
}

export function workLines({ wallet, orders, executions }: WorkingOrders): string[] {
  const lines = [...orders.map(describeOrder), ...executions.map(describeExecution)];
  return lines.map((line) => `${wallet}: ${line}`);
}

/** The key is whole, so that `trimtab journal explain` and `trimtab settle` take it. */
export function unknownLine({ key, kind, instance, wallet, state }: Unanswered): string {
  return `${wallet}: ${kind} of ${instance}, ${state}: it was sent and may have been executed, key ${key}`;
}

export function waitingLine({ key, kind, symbol, instance, wallet, state }: OpenIntent): string {
  const what = symbol === '' ? kind : `${kind} of ${symbol}`;
  return `${wallet}: ${what} by ${instance}, ${state}: an exit that was never sent, key ${key}`;
}
