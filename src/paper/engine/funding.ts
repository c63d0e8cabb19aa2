import { DAY_MS } from '../../contract/durations.ts';
import { nextHourAfter } from '../market/FundingSchedule.ts';
import type { Account, Position } from '../venue/Account.ts';
import { pnlRow } from '../venue/applyFill.ts';
import { checkMargin } from '../venue/liquidation.ts';
import { publishAccount, publishBalance } from '../venue/publish.ts';
import type { EngineState } from './EngineState.ts';

/** Sets the timer of the next full hour, which drives funding and the day's P&L rows. */
export function scheduleFunding(engine: EngineState): void {
  engine.at(nextHourAfter(engine.market.now), 'funding', '', '');
}

/** Each hour: perpetuals settle funding at the mark (positive rate: longs pay). */
export function settleFunding(engine: EngineState): void {
  scheduleFunding(engine);
  const { now } = engine.market;
  for (const account of engine.accounts.values()) {
    for (const position of account.positions.values()) settlePosition(engine, account, position);
    if (now % DAY_MS === 0) closeDay(engine, account);
    if (account.positions.size > 0) checkMargin(engine, account);
  }
}

function settlePosition(engine: EngineState, account: Account, position: Position): void {
  const { symbol, size } = position;
  const { now } = engine.market;
  const rate = engine.market.fundingRateAt(symbol, now);
  if (rate === null) return;
  const amount = size * engine.market.mark(symbol) * rate;
  account.cash -= amount;
  account.fundingPaid += amount;
  if (position.margin !== null) position.margin -= amount;
  // The hour that ends at midnight belongs to the day that ends with it.
  pnlRow(account, symbol, now - 1).funding += amount;
  publishAccount(engine, account, 'funding', () => ({ symbol, amount, rate, time: now }));
  publishBalance(engine, account);
}

/** At midnight each open position leaves its unrealized P&L in the row of the day that ended. */
function closeDay(engine: EngineState, account: Account): void {
  for (const book of [account.positions, account.holdings]) {
    for (const { symbol, size, entryPrice } of book.values()) {
      const row = pnlRow(account, symbol, engine.market.now - 1);
      row.unrealized_pnl = size * (engine.market.mark(symbol) - entryPrice);
    }
  }
}
