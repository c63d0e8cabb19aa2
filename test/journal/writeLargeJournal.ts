/** Fills a journal's file with finished intents of real size, quickly: `writeLargeJournal.ts FILE COUNT`. */
import { DatabaseSync } from 'node:sqlite';
import { checksumOf } from '../../src/journal/checksumOf.ts';
import { createSqliteStore, idempotencyKeyOf } from '../../src/journal/index.ts';

const [path, count] = process.argv.slice(2);
await createSqliteStore(path!, 'process').close();
const db = new DatabaseSync(path!);
db.exec('PRAGMA synchronous = OFF');
const addIntent = db.prepare(`INSERT INTO intents (key, decision_key, generation, instance, wallet,
  kind, intent, sum, state, final, opened, updated) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 1, ?, ?)`);
const addEntry = db.prepare(`INSERT INTO entries (key, state, wall_time, market_time, data, sum)
  VALUES (?, ?, ?, ?, ?, ?)`);
const STATES = ['emitted', 'guarded', 'sending', 'accepted'] as const;
const text = JSON.stringify({ intent: { kind: 'launch', note: 'x'.repeat(300) } });
const data = JSON.stringify({ body: 'x'.repeat(200) });
db.exec('BEGIN');
for (let n = 0; n < Number(count); n++) {
  const decision = `main/ema/bar:BTC:5m:${n}#0`;
  const key = idempotencyKeyOf(decision, 0);
  const fields = [key, decision, 0, 'ema', 'main', 'launch', text] as const;
  addIntent.run(...fields, checksumOf(...fields), 'accepted', n, n);
  for (const state of STATES) {
    const entry = [key, state, n, n, data] as const;
    addEntry.run(...entry, checksumOf(...entry));
  }
  if (n % 10_000 === 9_999) db.exec('COMMIT; BEGIN');
}
db.exec('COMMIT');
db.close();
