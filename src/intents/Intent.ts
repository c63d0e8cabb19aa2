import type { AttachTpslIntent } from './attachTpsl.ts';
import type { BulkCancelIntent } from './bulkCancel.ts';
import type { CancelOrderIntent } from './cancelOrder.ts';
import type { ClosePositionIntent } from './closePosition.ts';
import type { ControlExecutionIntent } from './controlExecution.ts';
import type { CreateMonitorIntent } from './createMonitor.ts';
import type { LaunchIntent } from './launch.ts';
import type { LaunchBasketIntent } from './launchBasket.ts';
import type { ModifyOrderIntent } from './modifyOrder.ts';
import type { PauseMonitorIntent } from './pauseMonitor.ts';
import type { PlaceOrderIntent } from './placeOrder.ts';
import type { RetireTpslIntent } from './retireTpsl.ts';
import type { SetLeverageIntent } from './setLeverage.ts';
import type { StopMonitorIntent } from './stopMonitor.ts';

/** What a strategy proposes. It is a plain value: it can be serialized, compared and sent again. */
export type Intent =
  | LaunchIntent
  | PlaceOrderIntent
  | ModifyOrderIntent
  | CancelOrderIntent
  | BulkCancelIntent
  | AttachTpslIntent
  | RetireTpslIntent
  | ControlExecutionIntent
  | ClosePositionIntent
  | SetLeverageIntent
  | CreateMonitorIntent
  | PauseMonitorIntent
  | StopMonitorIntent
  | LaunchBasketIntent;

export type IntentKind = Intent['kind'];
export type IntentOf<K extends IntentKind> = Extract<Intent, { kind: K }>;
