import { rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { convertToFirst } from '../../src/journal/index.ts';

/** Puts a closed journal into the first format, as the version of then left it: in a log mode, with its own mark. */
export function toFirstFormat(path: string): void {
  const former = `${path}.former`;
  convertToFirst(path, former);
  for (const ending of ['', '-wal', '-shm']) rmSync(`${path}${ending}`, { force: true });
  const db = new DatabaseSync(former);
  db.prepare('VACUUM INTO ?').run(path);
  db.close();
  rmSync(former);
  const moved = new DatabaseSync(path);
  moved.exec('PRAGMA journal_mode = WAL');
  moved.close();
}

/** Every row of a journal of the first format. */
export function rowsOf(path: string): unknown {
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    return {
      format: db.prepare('PRAGMA user_version').get(),
      intents: db.prepare('SELECT * FROM intents ORDER BY id').all(),
      entries: db.prepare('SELECT * FROM entries ORDER BY seq').all(),
      states: db.prepare('SELECT * FROM strategy_states').all(),
    };
  } finally {
    db.close();
  }
}
