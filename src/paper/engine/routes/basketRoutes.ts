import { LIMITS, type BasketRequest, type BasketTemplateRequest } from '../../../contract/index.ts';
import { controlExecution, isAllowed } from '../../algos/controls.ts';
import type { Basket, BasketTemplate, BasketTemplateFields } from '../../baskets/Basket.ts';
import { basketRecord, basketStatus } from '../../baskets/basketRecord.ts';
import { checkLegShape, launchBasket } from '../../baskets/launchBasket.ts';
import type { Call, Handler, HandlerTable } from '../../core/Engine.ts';
import { ServiceError } from '../../core/ServiceError.ts';
import type { Account } from '../../venue/Account.ts';
import { accountOf } from '../snapshotOf.ts';
import type { EngineState } from '../EngineState.ts';
import { pageOfLedger } from './pageOf.ts';

const BASKET_ACTIONS = ['pause', 'resume', 'stop'] as const;
type BasketAction = (typeof BASKET_ACTIONS)[number];

/** Baskets and their templates (BSK-1). */
export function basketRoutes(engine: EngineState): HandlerTable {
  const of = (call: Call): Account => accountOf(engine, call.wallet);
  const named = (call: Call): Basket => findBasket(of(call), call.pathParams['id']!);
  const control =
    (action: BasketAction): Handler =>
    (call) => {
      controlLegs(engine, of(call), named(call), action);
      return { body: basketRecord(of(call), named(call)) };
    };
  return {
    'baskets.list': (call) => ({
      body: pageOfLedger(engine, call, {
        ledger: of(call).baskets,
        filterable: (basket) => ({
          symbol: basket.legs.map(({ request }) => request.symbol),
          status: basketStatus(of(call), basket),
          time: basket.createdTime,
        }),
        show: (basket) => basketRecord(of(call), basket),
      }),
    }),
    'baskets.launch': (call) => {
      const { idempotencyKey } = call;
      const request = call.body as BasketRequest;
      const basket = launchBasket(engine, of(call), { request, idempotencyKey });
      return { body: basketRecord(of(call), basket) };
    },
    'baskets.get': (call) => ({ body: basketRecord(of(call), named(call)) }),
    'baskets.stop': control('stop'),
    'baskets.pause': control('pause'),
    'baskets.resume': control('resume'),
    'baskets.templates': (call) => ({
      body: pageOfLedger(engine, call, {
        ledger: of(call).basketTemplates,
        filterable: ({ legs, createdTime }) => ({
          symbol: legs.map(({ symbol }) => symbol),
          time: createdTime,
        }),
        show: templateRecord,
      }),
    }),
    'baskets.createTemplate': (call) => ({
      body: createTemplate(engine, of(call), call.body as BasketTemplateRequest),
    }),
    'baskets.removeTemplate': (call) => ({ body: removeTemplate(of(call), call) }),
  };
}

function findBasket(account: Account, id: string): Basket {
  const basket = account.baskets.get(id);
  if (basket === undefined) throw new ServiceError('not_found', { details: { id } });
  return basket;
}

/** Applies the action to every leg that allows it; if none does, it returns 409. */
function controlLegs(
  engine: EngineState,
  account: Account,
  basket: Basket,
  action: BasketAction,
): void {
  const executions = basket.legs
    .map(({ executionId }) => account.liveExecutions.get(executionId))
    .filter((execution) => execution !== undefined);
  const open = executions.filter((execution) => isAllowed(engine, execution, action));
  if (open.length === 0) {
    const from = basketStatus(account, basket);
    const allowed = BASKET_ACTIONS.filter((each) =>
      executions.some((execution) => isAllowed(engine, execution, each)),
    );
    throw new ServiceError('invalid_transition', { details: { from, action, allowed } });
  }
  for (const execution of open) controlExecution(engine, account, execution, action);
}

function createTemplate(
  engine: EngineState,
  account: Account,
  { name, legs, price_range: range }: BasketTemplateRequest,
): BasketTemplateFields {
  if (account.basketTemplates.size >= LIMITS.basketTemplates) {
    throw new ServiceError('template_limit', { details: { limit: LIMITS.basketTemplates } });
  }
  for (const [index, leg] of legs.entries()) checkLegShape(engine, leg, index);
  const id = engine.nextId('tpl');
  const record = { template_id: id, name, legs, price_range: range ?? null };
  const template = { ...record, createdTime: engine.market.now };
  account.basketTemplates.add(id, template);
  return record;
}

function removeTemplate(account: Account, call: Call): BasketTemplateFields {
  const id = call.pathParams['id']!;
  const template = account.basketTemplates.get(id);
  if (template === undefined) throw new ServiceError('not_found', { details: { id } });
  account.basketTemplates.remove(id);
  return templateRecord(template);
}

function templateRecord({ createdTime: _time, ...record }: BasketTemplate): BasketTemplateFields {
  return record;
}
