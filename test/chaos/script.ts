import {
  attachTpsl,
  cancelOrder,
  closePosition,
  controlExecution,
  launch,
  modifyOrder,
  placeOrder,
  setLeverage,
  stopLoss,
  takeProfit,
  type Intent,
} from '../../src/intents/index.ts';

export const SYMBOL = 'BTC';

/** A step's effect on the service: an order or an execution of a unique size. */
type Trace = { kind: 'order'; size: number } | { kind: 'execution'; size: number };

export interface Step {
  name: string;
  trace?: Trace;
  intent(decision: string): Intent;
}

/** So far from the market that it never fills. */
export const FAR = { rest: 30_000, moved: 30_100, stop: 20_000, target: 200_000 };
/** What is still open at the end. */
export const LEFT = 0.0017;
const DAY_SECONDS = 86_400;

/** One of each kind of request, in this order, each exactly once. */
export const SCRIPT: readonly Step[] = [
  {
    name: 'leverage',
    intent: (decision) => setLeverage(SYMBOL, { leverage: 20, mode: 'cross' }, { decision }),
  },
  {
    name: 'launch',
    trace: { kind: 'execution', size: 0.5 },
    intent: (decision) =>
      launch.pacemaker(
        {
          symbol: SYMBOL,
          side: 'buy',
          total_size: 0.5,
          params: { duration_seconds: DAY_SECONDS },
        },
        { decision, ref: decision },
      ),
  },
  {
    name: 'rest',
    trace: { kind: 'order', size: 0.0011 },
    intent: (decision) =>
      placeOrder.limit(
        { symbol: SYMBOL, side: 'buy', size: 0.0011, price: FAR.rest },
        { decision, ref: decision },
      ),
  },
  {
    name: 'buy-by-socket',
    trace: { kind: 'order', size: 0.0013 },
    intent: (decision) =>
      placeOrder.market({ symbol: SYMBOL, side: 'buy', size: 0.0013 }, { decision, via: 'socket' }),
  },
  {
    name: 'protect',
    intent: (decision) => attachTpsl(SYMBOL, { stop_loss: stopLoss.price(FAR.stop) }, { decision }),
  },
  {
    name: 'modify',
    intent: (decision) => modifyOrder({ ref: 'rest' }, { price: FAR.moved }, { decision }),
  },
  {
    name: 'stop',
    intent: (decision) => controlExecution.stop({ ref: 'launch' }, { decision }),
  },
  { name: 'cancel', intent: (decision) => cancelOrder({ ref: 'rest' }, { decision }) },
  { name: 'close', intent: (decision) => closePosition.atMarket(SYMBOL, {}, { decision }) },
  {
    name: 'enter',
    trace: { kind: 'order', size: 0.0029 },
    intent: (decision) =>
      placeOrder.market({ symbol: SYMBOL, side: 'buy', size: 0.0029 }, { decision }),
  },
  {
    name: 'reduce',
    trace: { kind: 'order', size: 0.0012 },
    intent: (decision) =>
      placeOrder.market(
        { symbol: SYMBOL, side: 'sell', size: 0.0012, reduce_only: true },
        { decision },
      ),
  },
  {
    name: 'protect-again',
    intent: (decision) =>
      attachTpsl(
        SYMBOL,
        { stop_loss: stopLoss.price(FAR.stop), take_profit: takeProfit.price(FAR.target) },
        { decision },
      ),
  },
];

/** Modes of the bot: the whole script, or only closing the existing position. */
export const SCRIPTS = {
  all: SCRIPT,
  close: SCRIPT.filter(({ name }) => name === 'close'),
} as const;
export type ScriptName = keyof typeof SCRIPTS;
