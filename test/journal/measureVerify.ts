/** Verifies a journal and says how much more memory that took than the program itself, in MB. */
import { createSqliteReader } from '../../src/journal/index.ts';
import { verifyJournal } from '../../src/operate/journal/index.ts';

const peakMb = (): number => process.resourceUsage().maxRSS / 1_024;
const reader = createSqliteReader(process.argv[2]!);
const before = peakMb();
const { intents, problems } = await verifyJournal(reader);
await reader.close();
process.stdout.write(`${JSON.stringify({ intents, problems, mb: peakMb() - before })}\n`);
