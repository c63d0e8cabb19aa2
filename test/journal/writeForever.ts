/** A process that writes a journal until it is killed; it says each key once that is durable. */
import { createSqliteStore } from '../../src/journal/index.ts';
import { journalOn, openIntent } from './journalRows.ts';

const [path] = process.argv.slice(2);
const journal = journalOn(createSqliteStore(path!));
process.stdout.write('open\n');
for (let n = 0; ; n++) {
  await openIntent(journal, `key-${n}`, ['emitted', 'guarded', 'sending']);
  process.stdout.write(`key-${n}\n`);
  // A turn of the event loop, so that what was said leaves the process.
  await new Promise((resolve) => setImmediate(resolve));
}
