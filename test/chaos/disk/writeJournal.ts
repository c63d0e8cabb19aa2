/** `writeJournal.ts FOLDER SEED COUNT`: drawn operations on a journal; a line on stdout for each that began and ended. */
import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { createSqliteStore, JournalFault, type JournalStore } from '../../../src/journal/index.ts';
import { drawOperations } from './journalOperations.ts';

const [folder, seed, count] = process.argv.slice(2) as [string, string, string];
const path = join(folder, 'journal.sqlite');
const say = (text: string): void => void writeSync(1, `${text}\n`);
const touch = (name: string): void => closeSync(openSync(join(folder, name), 'w'));

let store: JournalStore | undefined;
/** Whether it was carried out; the reason of one that failed is said. */
function attempt(name: string, run: () => void): void {
  say(`${name} begins`);
  try {
    run();
    say(`${name} done`);
  } catch (error) {
    if (!(error instanceof JournalFault)) throw error;
    say(`${name} failed ${error.code}`);
  }
}
const open = (): void => {
  store = createSqliteStore(path);
};

for (const [at, operation] of drawOperations(Number(seed), Number(count)).entries()) {
  if (operation === 'reopen') {
    const before = store;
    store = undefined;
    attempt('close', () => before?.close());
  }
  if (store === undefined) attempt('open', open);
  // What can't be opened now is tried again for the next one.
  if (store === undefined || operation === 'reopen') continue;
  const opened = store;
  const run = operation === 'checkpoint' ? () => opened.checkpoint?.() : () => operation(opened);
  attempt(String(at), run);
}
touch('count');
touch('cut-now');
