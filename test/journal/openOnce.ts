/** A process that opens a journal as its writer and closes it again; it prints `opened`, or the fault's code. */
import { createSqliteStore, JournalFault } from '../../src/journal/index.ts';

const [path] = process.argv.slice(2);
try {
  await createSqliteStore(path!).close();
  process.stdout.write('opened\n');
} catch (error) {
  if (!(error instanceof JournalFault)) throw error;
  process.stdout.write(`${error.code}\n`);
}
