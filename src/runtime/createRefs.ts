import type { Intent, RefResolver } from '../intents/index.ts';

/**
 * What an instance's own names stand for: an order by its client id, known before any answer; an
 * execution or a monitor by the id that the service gave it.
 */
export interface Refs {
  /** An intent was given its key. */
  named(instance: string, intent: Intent, key: string): void;
  /** The service accepted an intent and made this record of it. */
  became(instance: string, intent: Intent, record: unknown): void;
  resolverOf(instance: string): RefResolver;
}

interface Meaning {
  order?: string;
  execution?: string;
  monitor?: string;
}

const textOf = (record: unknown, field: string): string | undefined => {
  const value = (record as Record<string, unknown> | null | undefined)?.[field];
  return typeof value === 'string' ? value : undefined;
};

export function createRefs(): Refs {
  const meanings = new Map<string, Meaning>();
  const slot = (instance: string, ref: string): Meaning => {
    const name = `${instance}/${ref}`;
    const known = meanings.get(name);
    if (known !== undefined) return known;
    const fresh: Meaning = {};
    meanings.set(name, fresh);
    return fresh;
  };

  return {
    named(instance, intent, key) {
      if (intent.ref === undefined) return;
      const meaning = slot(instance, intent.ref);
      if (intent.kind !== 'place_order') return;
      meaning.order = `client:${intent.request.client_order_id ?? key}`;
    },
    became(instance, intent, record) {
      if (intent.ref === undefined) return;
      const meaning = slot(instance, intent.ref);
      const execution = textOf(record, 'execution_id');
      const monitor = textOf(record, 'monitor_id');
      if (execution !== undefined) meaning.execution = execution;
      if (monitor !== undefined) meaning.monitor = monitor;
    },
    resolverOf: (instance) => (kind, ref) => meanings.get(`${instance}/${ref}`)?.[kind],
  };
}
