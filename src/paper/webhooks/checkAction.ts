import {
  checkRequest,
  faultOfFields,
  type FieldIssue,
  type ShapeResult,
  type WebhookAction,
} from '../../contract/index.ts';
import { passed } from '../core/performCall.ts';
import type { EngineState } from '../engine/EngineState.ts';
import { checkActionGrid } from '../monitors/checkActionGrid.ts';
import { renderTemplate } from './renderTemplate.ts';

/** The shape of an action's request, as its endpoint checks it; a close has its symbol beside the body. */
export function actionShape(
  { dialect }: EngineState,
  type: WebhookAction['type'],
  request: Readonly<Record<string, unknown>>,
): ShapeResult<unknown> {
  if (type === 'order') return checkRequest('orders.place', request, dialect);
  if (type === 'execute') return checkRequest('executions.launch', request, dialect);
  const { symbol, ...rest } = request;
  const shape = checkRequest('positions.close', rest, dialect);
  if (typeof symbol === 'string') return shape;
  const missing = { path: 'symbol', code: 'required', message: 'A close names its symbol.' };
  return {
    ok: false,
    fault: faultOfFields([missing, ...(shape.ok ? [] : shape.fault.details.fields)]),
  };
}

/** Alerts of either side, with prices on either side of any that an action names. */
const ALERTS = (['buy', 'sell'] as const).flatMap((side) =>
  [1, 1e-6, 1e12].map((price) => ({ side, price, size: 1, total_size: 1 })),
);

/**
 * Refuses an action that no alert can make valid, as a monitor's is; what an alert fills in is checked when it comes
 * (WHK-1, RULE-2).
 *
 * @throws ServiceError `validation_failed`, `unknown_symbol`
 */
export function checkAction(engine: EngineState, { type, request }: WebhookAction): void {
  const shapes = ALERTS.map((alert) => {
    const rendered = renderTemplate(request, alert);
    return actionShape(engine, type, (rendered.ok ? rendered.value : request) as typeof request);
  });
  const [first] = shapes;
  if (first?.ok === false && !shapes.some(({ ok }) => ok)) {
    const fields = first.fault.details.fields.map(({ path, ...rest }): FieldIssue => ({
      path: path === '' ? IN_ACTION : `${IN_ACTION}.${path}`,
      ...rest,
    }));
    passed({ ok: false, fault: faultOfFields(fields) });
  }
  checkActionGrid(engine, { type, request });
}

const IN_ACTION = 'action.request';
