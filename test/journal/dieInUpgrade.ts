/** A process that is killed when the rows of an upgrade are written and nothing of it is durable yet. */
import { createSqliteStore } from '../../src/journal/index.ts';

const [path] = process.argv.slice(2);
createSqliteStore(path!, 'power', () => process.kill(process.pid, 'SIGKILL'));
process.stdout.write('upgraded\n');
