/** A process that writes a journal until it is killed; it prints each key once durable: `writeForever.ts FILE [PAUSE_MS]`. */
import { createSqliteStore, idempotencyKeyOf } from '../../src/journal/index.ts';
import { journalOn, rowOf } from './journalRows.ts';

const [path, pauseMs] = process.argv.slice(2);
const journal = journalOn(createSqliteStore(path!));
process.stdout.write('open\n');
for (let n = 0; ; n++) {
  const decision = `decision ${n}`;
  const key = idempotencyKeyOf(decision, 0);
  const states = ['emitted', 'guarded', 'sending'] as const;
  const steps = states.map((state) => ({ state, data: { key } }));
  await journal.open(rowOf(key, decision), steps);
  process.stdout.write(`${key}\n`);
  // A turn of the event loop, so that output is flushed.
  await new Promise((resolve) => {
    if (pauseMs === undefined) setImmediate(resolve);
    else setTimeout(resolve, Number(pauseMs));
  });
}
