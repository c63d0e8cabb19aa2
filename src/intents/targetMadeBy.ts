import type { Intent } from './Intent.ts';
import type { TargetKind } from './IntentTarget.ts';

/**
 * What an intent makes that a later one can name by its ref; undefined for what makes none. A basket makes several
 * executions, none of which its ref names.
 */
export function targetMadeBy(intent: Intent): TargetKind | undefined {
  switch (intent.kind) {
    case 'place_order':
      return 'order';
    case 'create_monitor':
      return 'monitor';
    case 'launch':
    case 'launch_basket':
      return 'execution';
    case 'close_position':
      return 'algo' in intent.request ? 'execution' : undefined;
    default:
      return undefined;
  }
}
