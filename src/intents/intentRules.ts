import { attachTpslRule } from './attachTpsl.ts';
import { bulkCancelRule } from './bulkCancel.ts';
import { cancelOrderRule } from './cancelOrder.ts';
import { closePositionRule } from './closePosition.ts';
import { controlExecutionRule } from './controlExecution.ts';
import { createMonitorRule } from './createMonitor.ts';
import type { Intent, IntentKind, IntentOf } from './Intent.ts';
import type { IntentRule } from './IntentRule.ts';
import { launchRule } from './launch.ts';
import { launchBasketRule } from './launchBasket.ts';
import { modifyOrderRule } from './modifyOrder.ts';
import { pauseMonitorRule } from './pauseMonitor.ts';
import { placeOrderRule } from './placeOrder.ts';
import { retireTpslRule } from './retireTpsl.ts';
import { setLeverageRule } from './setLeverage.ts';
import { stopMonitorRule } from './stopMonitor.ts';

/** Every kind of intent and its rule; a new kind is a file and a row here. */
export const INTENT_RULES: { readonly [K in IntentKind]: IntentRule<IntentOf<K>> } = {
  launch: launchRule,
  place_order: placeOrderRule,
  modify_order: modifyOrderRule,
  cancel_order: cancelOrderRule,
  bulk_cancel: bulkCancelRule,
  attach_tpsl: attachTpslRule,
  retire_tpsl: retireTpslRule,
  control_execution: controlExecutionRule,
  close_position: closePositionRule,
  set_leverage: setLeverageRule,
  create_monitor: createMonitorRule,
  pause_monitor: pauseMonitorRule,
  stop_monitor: stopMonitorRule,
  launch_basket: launchBasketRule,
};

export const INTENT_KINDS = Object.keys(INTENT_RULES) as IntentKind[];

export function isIntentKind(kind: unknown): kind is IntentKind {
  return typeof kind === 'string' && Object.hasOwn(INTENT_RULES, kind);
}

export function ruleOf<I extends Intent>(intent: I): IntentRule<I> {
  return INTENT_RULES[intent.kind] as unknown as IntentRule<I>;
}
