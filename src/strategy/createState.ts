import type { z } from 'zod';
import { withCode } from '../contract/index.ts';
import { explainLoss, LOSS_REMEDY } from './explainLoss.ts';
import { freezeDeeply } from './freezeDeeply.ts';
import { firstIssue, openState, type PersistedState } from './openState.ts';
import type { StateDefinition } from './StateDefinition.ts';

/** What a plugin persists across restarts. */
export interface StateHandle<State> {
  /**
   * The state as it was set last, frozen to its depths: a change in place would be lost with the next start, so it
   * throws. `set` takes a new value, such as `{ ...state, count: 1 }`.
   */
  get(): State;
  /**
   * Replaces the whole state.
   *
   * @throws Error when it doesn't fit the definition's schema or JSON can't hold it, and in warm-up unless the definition has
   * `writesInWarmUp`
   */
  set(next: State): void;
}

/** The durable port behind it, provided by the runtime: plain JSON values, one per instance. */
export interface StateStore {
  /** What was written last; undefined at the very first start. */
  read(): PersistedState | undefined;
  write(persisted: PersistedState): void;
}

export function createMemoryState(initial?: PersistedState): StateStore {
  let persisted = initial;
  return {
    read: () => persisted,
    write: (next) => {
      persisted = next;
    },
  };
}

/**
 * The schema checks both directions between plugin and store, so that a mistake or a state of an older version
 * is stopped with its reason.
 *
 * @param beforeWrite runs before each write, with the definition, and may refuse it by throwing
 * @throws Error if the persisted state, or the first one, can't be used
 */
export function createState(
  state: z.ZodType | StateDefinition | undefined,
  store: StateStore,
  beforeWrite: (definition: StateDefinition) => void = () => {},
): StateHandle<unknown> {
  if (state === undefined) {
    return {
      get: () => undefined,
      set: () => {
        throw withCode(
          'TRIMTAB_PLUGIN_DEFINITION',
          new Error('The strategy declares no state; add a `state` schema to its definition.'),
        );
      },
    };
  }
  const persisted = store.read();
  const opened = openState(state, persisted);
  if (!opened.ok) {
    const code = persisted === undefined ? 'TRIMTAB_PLUGIN_DEFINITION' : 'TRIMTAB_STATE_REFUSED';
    throw withCode(code, new Error(`${opened.reason} ${opened.remedy}`));
  }
  const { schema, version } = opened.definition;
  // An initial state may be the definition's own object.
  let current = freezeDeeply(opened.value, opened.value);
  return {
    get: () => current,
    set: (next) => {
      beforeWrite(opened.definition);
      const parsed = schema.safeParse(next);
      if (!parsed.success)
        throw invalid(`does not fit its schema: ${firstIssue(parsed.error, next)}.`);
      const loss = explainLoss(schema, parsed.data, next);
      if (loss !== undefined) throw invalid(`${loss}. ${LOSS_REMEDY}`);
      store.write({ version, state: parsed.data });
      current = freezeDeeply(parsed.data, next);
    },
  };
}

const invalid = (what: string): Error =>
  withCode('TRIMTAB_STATE_INVALID', new Error(`The new state ${what}`));
