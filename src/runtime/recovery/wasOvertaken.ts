import type { Intent, RefResolver } from '../../intents/index.ts';
import { toServiceRequest } from '../../intents/toServiceRequest.ts';
import type { JournalStore } from '../../journal/index.ts';
import type { PersistedIntent } from '../pipe/index.ts';
import { clientNameOf, recordIdsOf, type Refs } from '../wallet/index.ts';

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

/**
 * What an intent overwrites, by names that two which set the same have in common.
 *
 * @param names those of the order or execution that it changes
 */
function settingsOf(intent: Intent, names: () => readonly string[]): string[] {
  switch (intent.kind) {
    case 'attach_tpsl':
      return LEGS.filter((leg) => leg in intent.legs).map((leg) => `${intent.symbol}/${leg}`);
    case 'retire_tpsl':
      return LEGS.map((leg) => `${intent.symbol}/${leg}`);
    case 'modify_order': {
      const all = names();
      return Object.keys(intent.change).flatMap((field) => all.map((name) => `${name}/${field}`));
    }
    case 'set_leverage':
      return [`${intent.symbol}/leverage`];
    case 'control_execution':
      return COURSES.includes(intent.action) ? [...names()] : [];
    default:
      return [];
  }
}

/** Where the names of what an intent changes are found. */
export interface NameSources {
  store: Pick<JournalStore, 'entries'>;
  refs: Pick<Refs, 'resolverOf'>;
}

/** The target as the request names it: by the service's id, or `client:` and the client id. */
function namedBy(intent: Intent, resolve: RefResolver): string | undefined {
  const made = toServiceRequest(intent, { idempotencyKey: '', resolve });
  return made.ok ? made.request.pathParams['id'] : undefined;
}

const isName = (name: unknown): name is string => typeof name === 'string';
/** A ref may have been given to another since. */
const noRef = (): undefined => undefined;

/** Of an intent that was not concluded. */
function namesOf(persisted: PersistedIntent, { refs }: NameSources): string[] {
  const { intent, instance } = persisted.emission;
  if (persisted.stage === 'unsent') {
    return [namedBy(intent, refs.resolverOf(instance))].filter(isName);
  }
  const { target, request } = persisted;
  return [namedBy(intent, noRef), target, request.pathParams['id']].filter(isName);
}

/** Of an accepted one, whose answer has every id; a remote store may hold no other step of it. */
function namesOfAccepted(key: string, intent: Intent, { store }: NameSources): string[] {
  const steps = store.entries(key).map(({ data }) => JSON.parse(data || '{}') as Step);
  const names = steps.flatMap(({ target, pathParams, record }) => [
    target,
    pathParams?.['id'],
    ...recordIdsOf(record),
    clientNameOf(record),
  ]);
  return [namedBy(intent, noRef), ...names].filter(isName);
}

/** What its steps show of its target. */
interface Step {
  target?: string;
  pathParams?: Readonly<Record<string, string>>;
  record?: unknown;
}

/**
 * Whether the service has accepted a later intent that sets some of the same: if it were sent now, an intent of
 * an earlier process would undo it (a stop back at its old price, legs removed that were attached since).
 */
export function wasOvertaken(
  rows: Rows,
  persisted: PersistedIntent,
  sources: NameSources,
): boolean {
  const { key, emission } = persisted;
  const settings = settingsOf(emission.intent, () => namesOf(persisted, sources));
  if (settings.length === 0) return false;
  const later = rows.slice(rows.findIndex((row) => row.key === key) + 1);
  return later.some((row) => {
    // Most intents set nothing, so the costly parsing is skipped.
    if (row.state !== 'accepted' || !KINDS.includes(row.kind)) return false;
    if (row.wallet !== emission.wallet) return false;
    const { intent } = JSON.parse(row.intent) as { intent: Intent };
    const names = (): string[] => namesOfAccepted(row.key, intent, sources);
    return settingsOf(intent, names).some((setting) => settings.includes(setting));
  });
}
