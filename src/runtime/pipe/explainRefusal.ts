import type { ServiceFault } from '../../contract/index.ts';
import { withDecision } from '../../strategy/describeDecision.ts';
import type { PipeEvent } from '../PipeEvent.ts';

/**
 * A denial or rejection with a reason that is complete where it is displayed apart from the intent: in a log
 * line, a table or an outcome. The journal has the bare reason beside the intent.
 */
export function explainRefusal(event: PipeEvent): PipeEvent {
  const reason = event.fault === undefined ? event.reason : wordsOf(event.fault);
  return { ...event, reason: withDecision(reason ?? event.state, event.emission) };
}

const MOST_DETAILS = 6;
const MOST_DETAIL = 60;

/** Only a service's details may contain which leg or minimum it is about, and the value. */
function wordsOf({ message, details }: ServiceFault): string {
  const unsaid = Object.entries(details ?? {}).flatMap(([name, value]) => {
    if (typeof value !== 'number' && typeof value !== 'string') return [];
    const text = String(value).slice(0, MOST_DETAIL);
    const isSaid = message.includes(text) || message.includes(text.replaceAll('_', ' '));
    return isSaid ? [] : [`${name} ${text}`];
  });
  const shown = unsaid.slice(0, MOST_DETAILS).join(', ');
  return shown === '' ? message : `${message} (${shown})`;
}
