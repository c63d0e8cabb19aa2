import { DatabaseSync } from 'node:sqlite';

/** Tells whether a journal holds a key, while another process writes it. */
export interface KeyReader {
  holds(key: string): boolean;
  close(): void;
}

/** @param path of a SQLite journal; it is opened for reading only */
export function createKeyReader(path: string): KeyReader {
  const db = new DatabaseSync(path, { readOnly: true });
  const one = db.prepare('SELECT 1 FROM intents WHERE key = ?');
  return {
    holds: (key) => one.get(key) !== undefined,
    close: () => db.close(),
  };
}
