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

/** What of a step is found on the service: an order or an execution of a size that nothing else has. */
type Trace = { kind: 'order'; size: number } | { kind: 'execution'; size: number };

export interface Step {
  name: string;
  trace?: Trace;
  intent(decision: string): Intent;
}

/** So far from the market that nothing of it is ever met. */
export const FAR = { rest: 30_000, moved: 30_100, stop: 20_000, target: 200_000 };
/** What is left at the end, and nothing else. */
export const LEFT = 0.0017;
const DAY_SECONDS = 86_400;

/** A day in a bot's life: each kind of road once, in this order, each exactly once. */
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

/** What a bot can be told to do: all of it, or only to close the position that it finds. */
export const SCRIPTS = {
  all: SCRIPT,
  close: SCRIPT.filter(({ name }) => name === 'close'),
} as const;
export type ScriptName = keyof typeof SCRIPTS;
