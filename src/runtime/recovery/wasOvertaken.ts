import type { Intent } from '../../intents/index.ts';
import type { JournalStore } from '../../journal/index.ts';
import type { PersistedIntent } from '../pipe/index.ts';

/** All intents of a journal, oldest first. */
export type Rows = ReturnType<JournalStore['intents']>;

const LEGS = ['take_profit', 'stop_loss'];
const KINDS: readonly string[] = [
  'attach_tpsl',
  'retire_tpsl',
  'modify_order',
  'set_leverage',
  'control_execution',
];
const COURSES: readonly string[] = ['pause', 'resume'];

/** What an intent overwrites, by names that two which set the same have in common. */
function settingsOf(intent: Intent): string[] {
  switch (intent.kind) {
    case 'attach_tpsl':
      return LEGS.filter((leg) => leg in intent.legs).map((leg) => `${intent.symbol}/${leg}`);
    case 'retire_tpsl':
      return LEGS.map((leg) => `${intent.symbol}/${leg}`);
    case 'modify_order':
      return Object.keys(intent.change).map((field) => `${JSON.stringify(intent.order)}/${field}`);
    case 'set_leverage':
      return [`${intent.symbol}/leverage`];
    case 'control_execution':
      return COURSES.includes(intent.action) ? [JSON.stringify(intent.execution)] : [];
    default:
      return [];
  }
}

/**
 * Whether the service has accepted a later intent that sets some of the same: if it were sent now, an intent of
 * an earlier process would undo it (a stop back at its old price, legs removed that were attached since).
 */
export function wasOvertaken(rows: Rows, { key, emission }: PersistedIntent): boolean {
  const settings = settingsOf(emission.intent);
  if (settings.length === 0) return false;
  const later = rows.slice(rows.findIndex((row) => row.key === key) + 1);
  return later.some((row) => {
    // Most intents set nothing, so the costly parsing is skipped.
    if (row.state !== 'accepted' || !KINDS.includes(row.kind)) return false;
    if (row.wallet !== emission.wallet) return false;
    const { intent } = JSON.parse(row.intent) as { intent: Intent };
    return settingsOf(intent).some((setting) => settings.includes(setting));
  });
}
