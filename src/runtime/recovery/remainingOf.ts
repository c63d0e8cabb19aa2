import type { Intent, RefResolver } from '../../intents/index.ts';
import { toServiceRequest } from '../../intents/toServiceRequest.ts';
import type { JournalStore } from '../../journal/index.ts';
import { omitFrom, withoutFields, type PersistedIntent } from '../pipe/index.ts';
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

/** What an intent overwrites. */
interface Setting {
  /** A name that two which set the same have in common. */
  name: string;
  /** Of its request's body; undefined if it sets the whole or nothing. */
  field?: string;
}

/** @param names those of the order or execution that it changes */
function settingsOf(intent: Intent, names: () => readonly string[]): Setting[] {
  switch (intent.kind) {
    case 'attach_tpsl':
      return LEGS.filter((leg) => leg in intent.legs).map((leg) => ({
        name: `${intent.symbol}/${leg}`,
        field: leg,
      }));
    case 'retire_tpsl':
      return LEGS.map((leg) => ({ name: `${intent.symbol}/${leg}` }));
    case 'modify_order': {
      const all = names();
      return Object.keys(intent.change).flatMap((field) =>
        all.map((name) => ({ name: `${name}/${field}`, field })),
      );
    }
    case 'set_leverage':
      return [{ name: `${intent.symbol}/leverage` }];
    case 'control_execution':
      return COURSES.includes(intent.action) ? names().map((name) => ({ name })) : [];
    default:
      return [];
  }
}

/** Where the names of what an intent changes are found. */
export interface NameSources {
  store: Pick<JournalStore, 'entries'>;
  refs: Pick<Refs, 'resolverOf'>;
}

export interface RemainderSources extends NameSources {
  /**
   * Names of what each accepted intent sets, by its key, as far as they were read: reading its steps anew for each intent
   * that is open would hold up a start for minutes.
   */
  accepted: Map<string, readonly string[]>;
}

/** The target as the request names it: by the service's id, or `client:` and the client id. */
function namedBy(intent: Intent, resolve: RefResolver): string | undefined {
  const made = toServiceRequest(intent, { idempotencyKey: '', resolve });
  return made.ok ? made.request.pathParams['id'] : undefined;
}

const isName = (name: unknown): name is string => typeof name === 'string';
/** A ref may have been given to another since. */
const noRef = (): undefined => undefined;

/** Of an intent that was not sent: its ref means what it meant at the decision, as far as the journal says it. */
export function resolverFor(
  { meant, emission }: PersistedIntent,
  refs: Pick<Refs, 'resolverOf'>,
): RefResolver {
  return meant === undefined ? refs.resolverOf(emission.instance) : () => meant.name();
}

/** Of an intent that was not concluded. */
function namesOf(persisted: PersistedIntent, { refs }: NameSources): string[] {
  const { intent } = persisted.emission;
  if (persisted.stage === 'unsent') {
    return [namedBy(intent, resolverFor(persisted, refs))].filter(isName);
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
 * The intent without what the service has accepted from a later one that sets the same: if that were sent now, an intent
 * of an earlier process would undo it (a stop back at its old price, legs removed that were attached since). What
 * nobody has set since stays in it: a stop must not be lost because its target was moved.
 *
 * @returns undefined if nothing is left
 */
export function remainingOf(
  rows: Rows,
  persisted: PersistedIntent,
  sources: RemainderSources,
): PersistedIntent | undefined {
  const { key, emission } = persisted;
  const settings = settingsOf(emission.intent, () => namesOf(persisted, sources));
  if (settings.length === 0) return persisted;
  const later = rows.slice(rows.findIndex((row) => row.key === key) + 1);
  const setSince = new Set(
    later.flatMap((row) => {
      // Most intents set nothing, so the costly parsing is skipped.
      if (row.state !== 'accepted' || !KINDS.includes(row.kind)) return [];
      if (row.wallet !== emission.wallet) return [];
      const known = sources.accepted.get(row.key);
      if (known !== undefined) return known;
      const { intent } = JSON.parse(row.intent) as { intent: Intent };
      const names = (): string[] => namesOfAccepted(row.key, intent, sources);
      const set = settingsOf(intent, names).map(({ name }) => name);
      sources.accepted.set(row.key, set);
      return set;
    }),
  );
  const overtaken = settings.filter(({ name }) => setSince.has(name)).map(({ field }) => field);
  if (overtaken.length === 0) return persisted;
  const isWhole = settings.every(({ field }) => overtaken.includes(field));
  return isWhole ? undefined : withoutThese(persisted, overtaken.filter(isName));
}

/** What was sent keeps its intent, which shows what it may have done; what was not is made of its intent anew. */
function withoutThese(
  persisted: PersistedIntent,
  fields: readonly string[],
): PersistedIntent | undefined {
  if (persisted.stage === 'sent') {
    const request = withoutFields(persisted.request, fields);
    return request === undefined ? undefined : { ...persisted, request };
  }
  const intent = intentWithout(persisted.emission.intent, fields);
  if (intent === undefined) return undefined;
  return { ...persisted, emission: { ...persisted.emission, intent } };
}

function intentWithout(intent: Intent, fields: readonly string[]): Intent | undefined {
  if (intent.kind === 'attach_tpsl') {
    const legs = omitFrom(intent.legs, fields);
    return legs && { ...intent, legs };
  }
  if (intent.kind !== 'modify_order') return undefined;
  const change = omitFrom(intent.change, fields);
  return change && { ...intent, change };
}
