import type { z } from 'zod';

/** What a plugin keeps across restarts. */
export interface StateHandle<State> {
  get(): State;
  /** Replaces the whole state. @throws Error when it doesn't fit the definition's schema */
  set(next: State): void;
}

/** The durable port behind it, which the runtime fills: plain JSON values, one an instance. */
export interface StateStore {
  /** What was written last; undefined at the very first start. */
  read(): unknown;
  write(state: unknown): void;
}

export function createMemoryState(initial?: unknown): StateStore {
  let kept = initial;
  return {
    read: () => kept,
    write: (state) => {
      kept = state;
    },
  };
}

function parse(schema: z.ZodType, value: unknown, whose: string): unknown {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const path = issue?.path.map(String).join('.') ?? '';
  throw new Error(`${whose} does not fit its schema: ${path}${path && ': '}${issue?.message}`);
}

/**
 * The schema stands between plugin and store on both ways, so that neither a slip nor a state of an
 * older version gets further than its reason.
 *
 * @throws Error when the kept state, or `{}` at the very first start, doesn't fit
 */
export function createState(
  schema: z.ZodType | undefined,
  store: StateStore,
): StateHandle<unknown> {
  if (schema === undefined) {
    return {
      get: () => undefined,
      set: () => {
        throw new Error('The strategy declares no state; add a `state` schema to its definition.');
      },
    };
  }
  const kept = store.read();
  const whose = kept === undefined ? 'The empty state {}' : 'The kept state';
  let current = parse(schema, kept ?? {}, whose);
  return {
    get: () => current,
    set: (next) => {
      current = parse(schema, next, 'The new state');
      store.write(current);
    },
  };
}
