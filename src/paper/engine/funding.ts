import { HOUR_MS } from '../market/FundingSchedule.ts';
import type { Account, Position } from '../venue/Account.ts';
import { pnlRow } from '../venue/applyFill.ts';
import { checkMargin } from '../venue/liquidation.ts';
import { publishAccount, publishBalance } from '../venue/publish.ts';
import type { World } from './World.ts';

const DAY_MS = 24 * HOUR_MS;

/** Sets the timer of the next full hour; funding and the day's P&L rows hang on it. */
export function scheduleFunding(world: World): void {
  const next = Math.floor(world.market.now / HOUR_MS) * HOUR_MS + HOUR_MS;
  world.at(next, 'funding', '', '');
}

/** Each hour: perpetuals settle funding at the mark (positive rate: longs pay). */
export function settleFunding(world: World): void {
  scheduleFunding(world);
  const { now } = world.market;
  for (const account of world.accounts.values()) {
    for (const position of account.positions.values()) settlePosition(world, account, position);
    if (now % DAY_MS === 0) closeDay(world, account);
    if (account.positions.size > 0) checkMargin(world, account);
  }
}

function settlePosition(world: World, account: Account, position: Position): void {
  const { symbol, size } = position;
  const { now } = world.market;
  const rate = world.market.fundingRateAt(symbol, now);
  if (rate === null) return;
  const amount = size * world.market.mark(symbol) * rate;
  account.cash -= amount;
  account.fundingPaid += amount;
  if (position.margin !== null) position.margin -= amount;
  // The hour that ends at midnight belongs to the day that ends with it.
  pnlRow(account, symbol, now - 1).funding += amount;
  publishAccount(world, account, 'funding', () => ({ symbol, amount, rate, time: now }));
  publishBalance(world, account);
}

/** At midnight each open position leaves its unrealized P&L in the row of the day that ended. */
function closeDay(world: World, account: Account): void {
  for (const book of [account.positions, account.holdings]) {
    for (const { symbol, size, entryPrice } of book.values()) {
      const row = pnlRow(account, symbol, world.market.now - 1);
      row.unrealized_pnl = size * (world.market.mark(symbol) - entryPrice);
    }
  }
}
