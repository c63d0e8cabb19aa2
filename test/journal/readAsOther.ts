/** As a user without rights: what is said of a journal that this user may not read, a line each way to read it, and of its bot. */
import { createSqliteReader, formatOf } from '../../src/journal/index.ts';
import { controlFilesOf } from '../../src/operate/control/controlFiles.ts';
import { statusOf } from '../../src/operate/control/statusOf.ts';

const [path = ''] = process.argv.slice(2);
// Only now: that user may not load the modules from every folder.
if (process.getuid!() === 0) process.setuid!(65_534);
for (const read of [createSqliteReader, formatOf]) {
  try {
    read(path);
    process.stdout.write('read\n');
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    process.stdout.write(`${code} ${message.split('\n')[0]}\n`);
  }
}
const { reasons } = statusOf(controlFilesOf(path), { now: 0, isAlive: () => false });
process.stdout.write(`${reasons.join('; ')}\n`);
