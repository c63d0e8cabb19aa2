/** What a strategy proposes, and how it becomes a request: intent → check → effect → service request. */
export { attachTpsl, type AttachTpslIntent } from './attachTpsl.ts';
export { bulkCancel, type BulkCancelIntent } from './bulkCancel.ts';
export { cancelOrder, type CancelOrderIntent } from './cancelOrder.ts';
export { closePosition, type ClosePositionIntent } from './closePosition.ts';
export { controlExecution, type ControlExecutionIntent } from './controlExecution.ts';
export { createMonitor, type CreateMonitorIntent } from './createMonitor.ts';
export type { Intent, IntentKind, IntentOf } from './Intent.ts';
export type { Entry, IntentEffect } from './IntentEffect.ts';
export type { IntentMeta } from './IntentMeta.ts';
export type {
  ExecutionTarget,
  MonitorTarget,
  OrderTarget,
  RefResolver,
  TargetKind,
} from './IntentTarget.ts';
export { launch, type LaunchInput, type LaunchIntent } from './launch.ts';
export { launchBasket, type LaunchBasketIntent } from './launchBasket.ts';
export { modifyOrder, type ModifyOrderIntent } from './modifyOrder.ts';
export { pauseMonitor, type PauseMonitorIntent } from './pauseMonitor.ts';
export {
  placeOrder,
  type LevelInput,
  type LimitInput,
  type MarketInput,
  type PlaceOrderIntent,
} from './placeOrder.ts';
export { retireTpsl, type RetireTpslIntent } from './retireTpsl.ts';
export { symbolOf } from './symbolOf.ts';
export { setLeverage, type SetLeverageIntent } from './setLeverage.ts';
export { stopMonitor, type StopMonitorIntent } from './stopMonitor.ts';
export { checkIntent } from './checkIntent.ts';
export { effectOf } from './effectOf.ts';
export { INTENT_KINDS } from './intentRules.ts';
export { needsOf } from './needsOf.ts';
export { stopLoss, takeProfit, type LegBuilder } from './stopLoss.ts';
export { toBodyText } from './toBodyText.ts';
export { toServiceRequest } from './toServiceRequest.ts';
export { unwindBy } from './unwindBy.ts';
