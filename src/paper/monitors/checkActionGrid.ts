import type { AlgoId } from '../../contract/index.ts';
import { algorithm } from '../algos/algorithms.ts';
import type { EngineState } from '../engine/EngineState.ts';
import { checkSentLegs } from '../legs/checkSentLegs.ts';
import { checkPrice, checkSize } from '../venue/checkGrid.ts';

/** An action of a monitor or a webhook, of a valid shape. */
interface Action {
  type: 'order' | 'execute' | 'close';
  request: object;
}

type Fields = Readonly<Record<string, unknown>>;
type Prices = ReadonlyArray<readonly [path: string, price: unknown]>;

/**
 * Sizes and prices of an action that are off the grid now are off it whenever it acts, so they are refused
 * at once (RULE-3), and so are legs of what opens nothing (RULE-2). What an alert fills in is a text until then.
 *
 * @throws ServiceError `validation_failed`, `unknown_symbol`
 */
export function checkActionGrid(engine: EngineState, action: Action): void {
  const { type } = action;
  const request = action.request as Fields;
  const { instrument } = engine.market.at(request['symbol'] as string);
  const size = type === 'execute' ? 'total_size' : 'size';
  const amount = request[size];
  if (typeof amount === 'number') checkSize(`action.request.${size}`, amount, instrument);
  for (const [path, price] of pricesOf(type, request)) {
    if (typeof price === 'number') checkPrice(`action.request.${path}`, price, instrument);
  }
  if (type !== 'close') checkSentLegs(request, instrument, 'action.request.');
}

function pricesOf(type: Action['type'], request: Fields): Prices {
  const { algo } = request;
  if (algo !== undefined)
    return algorithm(algo as AlgoId).prices({ params: {}, ...request } as never);
  return type === 'close' ? [] : [['price', request['price']]];
}
