// Appends a change of each size to a new log, and prints what came of it: `appendLines.ts log 900 50000 10`.
import { StateLog } from '../../../src/paper/server/state/StateLog.ts';

const [path, ...sizes] = process.argv.slice(2);
const log = new StateLog(path!, 1);
for (const size of sizes) {
  try {
    log.append({ time: 1, text: 'é'.repeat(Number(size)) } as never);
    process.stdout.write(`${size} is in it at ${log.bytes}\n`);
  } catch (error) {
    process.stdout.write(`${size} is refused: ${(error as NodeJS.ErrnoException).code}\n`);
  }
}
