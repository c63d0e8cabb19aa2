import type { JournalStore } from '../../../src/journal/index.ts';
import {
  pass,
  throughBoundaries,
  type MortalOptions,
  type MortalStore,
  type MortalWrite,
} from './MortalStore.ts';

/** Until the client has given the statement to the system, and the server may have begun with it. */
const TURNS_UNDER_WAY = 3;

/** A journal in a database: a write that is cut short is on its way to the server, which may commit it. */
export function createMortalDatabase(store: JournalStore, options: MortalOptions): MortalStore {
  const { durability, reach } = options;
  const durable = new Map(store.openIntents().map(({ key, state }) => [key, state]));
  const noting: JournalStore = {
    ...store,
    async append(append) {
      await store.append(append);
      for (const { key, state } of append.entries) durable.set(key, state);
    },
  };
  const write: MortalWrite = async ({ before, after }, run) => {
    const written = run();
    const last = before.find((boundary) => reach.arrives(boundary));
    if (last !== undefined) {
      for (let turn = 0; turn < TURNS_UNDER_WAY; turn++) await new Promise(setImmediate);
      reach.die(last);
    }
    const result = await written;
    pass(after, options);
    return result;
  };
  return {
    store: throughBoundaries(noting, durability, write),
    isSending: (key) => durable.get(key) === 'sending',
  };
}
