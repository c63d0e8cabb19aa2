import type { Intent } from './Intent.ts';
import type { TargetKind } from './IntentTarget.ts';

/** What an intent acts on by the ref of the intent that made it; undefined for what names none. */
export function targetRefOf(intent: Intent): { kind: TargetKind; ref: string } | undefined {
  switch (intent.kind) {
    case 'cancel_order':
    case 'modify_order':
      return targetOf('order', intent.order.ref);
    case 'control_execution':
      return targetOf('execution', intent.execution.ref);
    case 'stop_monitor':
    case 'pause_monitor':
      return targetOf('monitor', intent.monitor.ref);
    default:
      return undefined;
  }
}

const targetOf = (kind: TargetKind, ref: string | undefined) =>
  ref === undefined ? undefined : { kind, ref };
