/** A process that writes an account's journal until it is killed; it prints each key once durable. */
import { createLiveEnv } from '../../src/env/index.ts';
import { createPostgresStore } from '../../src/journal/postgres/index.ts';
import { journalOn, openIntent } from './journalRows.ts';

const [url, account] = process.argv.slice(2);
const store = await createPostgresStore({ url: url!, account: account!, env: createLiveEnv() });
const journal = journalOn(store);
process.stdout.write('open\n');
for (let n = 0; ; n++) {
  await openIntent(journal, `key-${n}`, ['emitted', 'guarded', 'sending']);
  process.stdout.write(`key-${n}\n`);
}
