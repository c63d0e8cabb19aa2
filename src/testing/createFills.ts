import type { FillRecord, InstrumentRecord, Side } from '../contract/index.ts';
import type { Answers } from './createAnswers.ts';
import type { TestAccount } from './createTestAccount.ts';
import type { Delivery } from './createDelivery.ts';
import type { DrivenSources } from './createDrivenSources.ts';
import type { FillInput, ForeignFill, IntentRef } from './StrategyTest.ts';
import { requireNumbers } from './requireNumbers.ts';
import { requireStep } from './requireStep.ts';
import type { TestedIntent } from './TestedIntent.ts';
import { basketRefusal, testRefusal } from './testRefusal.ts';
import { addFill, endExecution, isOpen, remainingOf, symbolOf, type Work } from './Work.ts';

export interface Fills {
  own(ref: IntentRef, fill: FillInput): void;
  foreign(fill: ForeignFill): void;
}

export interface FillsOptions {
  answers: Answers;
  account: TestAccount;
  driven: Pick<DrivenSources, 'position$' | 'account$' | 'balances$'>;
  delivery: Delivery;
  now(): number;
  nextId(prefix: string): string;
  /** @throws for a symbol that is not of the test */
  requireSymbol(call: string, symbol: string): InstrumentRecord;
}

/** What a fill record has beside its id, its time and what follows from the others. */
interface FillParts {
  order_id: string;
  client_order_id: string | null | undefined;
  execution_id: string | null;
  symbol: string;
  side: FillRecord['side'];
  price: number;
  size: number;
  fee: number;
  venue_fee: number;
  service_fee: number;
  liquidity: FillRecord['liquidity'];
  reduce_only: boolean;
}

/**
 * Fills in the order in which the runtime delivers them: the fill, its order, the position,
 * the account, and an execution's progress.
 */
export function createFills(options: FillsOptions): Fills {
  const { answers, account, driven, delivery, now, nextId } = options;

  function emit(fill: FillParts, work?: Work): void {
    const { symbol, price, size } = fill;
    const before = account.position(symbol);
    const time = now();
    account.mark(symbol, price);
    const closed_pnl = account.fill(fill);
    const notional = price * size;
    const record = { ...fill, fill_id: nextId('fil'), notional, closed_pnl, time };
    delivery.filled(record, work?.intent);
    if (work?.kind === 'order') delivery.order(work);
    const after = account.position(symbol);
    if (before !== null || after !== null) driven.position$(symbol).next(after);
    driven.balances$.next(account.balances());
    driven.account$.next(account.account);
  }

  /** Refused before it is accepted: a test that expects the refusal goes on with what was before. */
  function workOf(intent: TestedIntent, input: FillInput): Work {
    const isNew = !answers.isAccepted(intent);
    if (isNew) termsOf(requireWork(intent, answers.draftOf(intent)), input);
    if (isNew) answers.report(intent, 'accepted');
    return requireWork(intent, answers.workOf(intent));
  }

  function requireWork(intent: TestedIntent, work: Work | undefined): Work {
    if (work !== undefined) return work;
    if (intent.kind === 'launch_basket') throw basketRefusal('fill');
    const nothing =
      intent.kind === 'close_position'
        ? `there is no position on ${intent.symbol} to close`
        : `a ${intent.kind} never fills`;
    throw testRefusal(
      `fill: ${nothing}.`,
      'Fill an order, a launched execution, or the close of a position.',
    );
  }

  /** @throws for terms that the instrument, the order or the position refuses */
  function termsOf(work: Work, { price: given, size: wanted, fee = 0 }: FillInput) {
    requireNumbers('fill', { fee });
    const grid = options.requireSymbol('fill', symbolOf(work));
    const limit = work.kind === 'order' ? (work.order.price ?? undefined) : undefined;
    const price = given ?? limit ?? account.markOf(symbolOf(work)) ?? Number.NaN;
    const size = wanted ?? remainingOf(work);
    requireStep('fill', grid, size);
    requireRoom(work, { price, size });
    return { grid, limit, price, size };
  }

  /** @throws for what the order or the position leaves no room for */
  function requireRoom(work: Work, { price, size }: { price: number; size: number }): void {
    const symbol = symbolOf(work);
    const name = nameOf(work);
    const remaining = remainingOf(work);
    if (!isOpen(work)) {
      const status = work.kind === 'order' ? work.order.status : work.execution.status;
      throw testRefusal(`fill: ${name} is ${status}.`, 'Fill what is still open.');
    }
    if (!(size > 0 && size <= remaining)) {
      throw testRefusal(
        `fill: size ${size} of ${name}, of which ${remaining} ${symbol} remains.`,
        `Write a size above 0, at most ${remaining}; without one all of it fills.`,
      );
    }
    if (!(Number.isFinite(price) && price > 0)) {
      throw testRefusal(
        `fill: ${Number.isNaN(price) ? `no price of ${symbol} is known yet` : `price ${price}`}.`,
        'Write { price }, or close a bar or set a price first.',
      );
    }
    const { side, reduce_only } = work.kind === 'order' ? work.order : work.execution;
    requireHolding({ symbol, side: side as Side, size });
    if (reduce_only) requireReducible(name, { symbol, side: side as Side, size });
  }

  /** Spot is delivered: what is not held can't be sold. */
  function requireHolding({
    symbol,
    side,
    size,
  }: {
    symbol: string;
    side: Side;
    size: number;
  }): void {
    if (side === 'buy' || options.requireSymbol('fill', symbol).kind !== 'spot') return;
    const held = account.position(symbol)?.size ?? 0;
    if (size <= held) return;
    throw testRefusal(
      `fill: a sell of ${size} ${symbol} is more than is held: ${held}.`,
      'Fill less, or set the holding first: position(symbol, { side, size, entry_price }).',
    );
  }

  function requireReducible(
    name: string,
    { symbol, side, size }: { symbol: string; side: Side; size: number },
  ): void {
    const position = account.position(symbol);
    const isOpposite = position !== null && (position.side === 'long') === (side === 'sell');
    if (isOpposite && size <= position.size) return;
    const have = position === null ? 'there is none' : `it is ${position.side} ${position.size}`;
    throw testRefusal(
      `fill: ${name} only reduces, and a ${side} of ${size} ${symbol} is more than the position: ${have}.`,
      'Fill less, or set the position first: position(symbol, { side, size, entry_price }).',
    );
  }

  return {
    own(ref, input) {
      const { fee = 0, liquidity } = input;
      const work = workOf(answers.find('fill', ref), input);
      const symbol = symbolOf(work);
      const { grid, limit, price, size } = termsOf(work, input);
      const { side, reduce_only } = work.kind === 'order' ? work.order : work.execution;
      const ids =
        work.kind === 'order'
          ? {
              order_id: work.order.order_id,
              client_order_id: work.order.client_order_id,
              execution_id: null,
            }
          : {
              order_id: work.orderId,
              client_order_id: null,
              execution_id: work.execution.execution_id,
            };
      const power = 10 ** grid.size_decimals;
      const round = (value: number): number => Math.round(value * power) / power;
      addFill(work, { price, size, fee, time: now() }, round);
      const fees = { fee, venue_fee: fee, service_fee: 0 };
      const maker = liquidity ?? (limit === undefined ? 'taker' : 'maker');
      emit({ ...ids, symbol, side, price, size, ...fees, liquidity: maker, reduce_only }, work);
      if (work.kind === 'order') return;
      delivery.execution('progress', work.execution, work.intent);
      if (work.execution.remaining_size > 0) return;
      endExecution(work.execution, now());
      delivery.execution('ended', work.execution, work.intent);
    },
    foreign({ symbol, side, price, size, fee = 0, ...others }) {
      const instrument = options.requireSymbol('fill', symbol);
      for (const [name, value] of Object.entries({ price, size })) {
        if (Number.isFinite(value) && value > 0) continue;
        throw testRefusal(`fill of ${symbol}: ${name} ${value}.`, `Write a ${name} above 0.`);
      }
      requireNumbers(`fill of ${symbol}`, { fee });
      requireStep('fill', instrument, size);
      requireHolding({ symbol, side: side as Side, size });
      const { order_id = nextId('ord'), reduce_only = false } = others;
      if (reduce_only) requireReducible('this fill', { symbol, side: side as Side, size });
      emit({
        order_id,
        client_order_id: null,
        execution_id: others.execution_id ?? null,
        symbol,
        side,
        price,
        size,
        fee,
        venue_fee: fee,
        service_fee: 0,
        liquidity: others.liquidity ?? 'taker',
        reduce_only,
      });
    },
  };
}

function nameOf({ intent }: Work): string {
  return intent.ref === undefined ? `the ${intent.kind}` : `${intent.kind} ${intent.ref}`;
}
