import { farthestSweep } from '../../contract/farthestSweep.ts';
import {
  checkRequest,
  type AlgoId,
  type BasketRequest,
  type ExecuteRequest,
  type PriceRange,
} from '../../contract/index.ts';
import {
  checkLaunch,
  checkLaunchShape,
  launchChecked,
  rowsOf,
  type CheckedLaunch,
} from '../algos/launch.ts';
import { ServiceError } from '../core/ServiceError.ts';
import { fieldFault } from '../engine/fieldFault.ts';
import type { EngineState } from '../engine/EngineState.ts';
import { withinField } from '../engine/withinField.ts';
import { checkRows } from '../legs/maintainedRows.ts';
import type { Account } from '../venue/Account.ts';
import type { Basket } from './Basket.ts';
import { endOf } from './noteLegEnd.ts';

/** `POST /v1/baskets`: all legs are checked before any is launched (BSK-1). */
export function launchBasket(
  engine: EngineState,
  account: Account,
  { request, idempotencyKey }: { request: BasketRequest; idempotencyKey: string | null },
): Basket {
  const { legs, priceRange } = legsOf(engine, account, request);
  const checked = checkLegs(engine, account, legs, priceRange);
  const launched = checked.map((leg) => launchChecked(engine, account, leg, { idempotencyKey }));
  const basketId = engine.nextId('bas');
  for (const execution of launched) execution.basketId = basketId;
  const basket: Basket = {
    basketId,
    name: request.name ?? null,
    templateId: request.template_id ?? null,
    priceRange,
    legs: launched.map((execution, at) => ({
      request: legs[at]!,
      executionId: execution.record.execution_id,
      endedAs: endOf(execution),
    })),
    createdTime: engine.market.now,
    request,
  };
  account.baskets.add(basket.basketId, basket);
  return basket;
}

/** The request's own legs or those of its template, checked against the requested range. */
function legsOf(
  { dialect }: EngineState,
  account: Account,
  request: BasketRequest,
): { legs: readonly ExecuteRequest[]; priceRange: PriceRange | null } {
  if (request.legs !== undefined) {
    return { legs: request.legs, priceRange: request.price_range ?? null };
  }
  const template = account.basketTemplates.get(request.template_id);
  if (template === undefined) {
    throw new ServiceError('not_found', { details: { template_id: request.template_id } });
  }
  const priceRange = request.price_range ?? template.price_range;
  const whole = { legs: template.legs, ...(priceRange && { price_range: priceRange }) };
  const checked = checkRequest('baskets.launch', whole, dialect);
  if (!checked.ok) {
    const { code, message, details } = checked.fault;
    throw new ServiceError(code, { message, details });
  }
  return { legs: template.legs, priceRange };
}

/** What can be said of a leg without live data: of a template's as of a launch's (RULE-3). */
export function checkLegShape(engine: EngineState, leg: ExecuteRequest, index: number): void {
  withinField(`legs.${index}`, () => checkLaunchShape(engine, leg));
}

function checkLegs(
  engine: EngineState,
  account: Account,
  legs: readonly ExecuteRequest[],
  range: PriceRange | null,
): CheckedLaunch[] {
  const ids = new Set<string>();
  for (const [index, leg] of legs.entries()) {
    const id = leg.client_execution_id;
    if (id !== undefined && ids.has(id)) {
      const path = `legs.${index}.client_execution_id`;
      throw fieldFault(path, 'duplicate', 'Each leg needs a client_execution_id of its own.');
    }
    if (id !== undefined) ids.add(id);
    checkLegShape(engine, leg, index);
  }
  const checked = legs.map((leg, index) => {
    const launch = withinField(`legs.${index}`, () => checkLaunch(engine, account, leg));
    if (range !== null) checkResolved(`legs.${index}`, launch, range);
    return launch;
  });
  checkRows(
    account,
    legs.map(rowsOf).reduce((sum, rows) => sum + rows, 0),
  );
  return checked;
}

function checkResolved(path: string, { request, priceFrom }: CheckedLaunch, range: PriceRange) {
  const field = RANGED[request.algo];
  if (field === undefined || priceFrom === null) return;
  checkRange(`${path}.${field}`, priceFrom.price, range);
  const farthest = farthestSweep(request, priceFrom.price);
  if (farthest !== null) checkRange(`${path}.sweep_limit_bps`, farthest, range);
}

/** Prices that are resolved at launch and lie in a basket's range as those that are sent do. */
const RANGED: Partial<Record<AlgoId, string>> = {
  glidemaker: 'params.limit_price_from',
  ghostsweep: 'trigger_from',
};

function checkRange(path: string, price: number, range: PriceRange): void {
  if (price >= range.low && price <= range.high) return;
  const message = `${price} is outside the basket's range ${range.low} to ${range.high}.`;
  throw fieldFault(path, 'outside_range', message);
}
