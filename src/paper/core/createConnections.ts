import type { ConnectionRecord } from '../../contract/index.ts';
import { sha256 } from '../../env/index.ts';

type ConnectionStatus = ConnectionRecord['status'];

/** Linked wallets (CON-1). Ids are slugs of their labels, so that runs and configurations can name them. */
export interface Connections {
  add(label: string, status?: ConnectionStatus): ConnectionRecord;
  find(id: string): ConnectionRecord | undefined;
  list(): readonly ConnectionRecord[];
  /** Restores a saved connection. */
  restore(record: ConnectionRecord): void;
}

export function createConnections(): Connections {
  const records = new Map<string, ConnectionRecord>();
  return {
    add(label, status = 'active') {
      const id = connectionId(label, records);
      const address = `0x${sha256(id).slice(0, 40)}`;
      const record = { id, venue: 'paper', label, status, address };
      records.set(id, record);
      return record;
    },
    find: (id) => records.get(id),
    list: () => [...records.values()],
    restore: (record) => void records.set(record.id, record),
  };
}

/**
 * The id for a label that is unique among the existing ones: its letters and digits, plus a number if
 * needed.
 */
export function connectionId(label: string, taken: { has(id: string): boolean }): string {
  const words = label.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const wanted = words.join('-') || 'wallet';
  let id = wanted;
  for (let number = 2; taken.has(id); number++) id = `${wanted}-${number}`;
  return id;
}
