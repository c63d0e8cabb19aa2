/** `trimtab paper …` from the sources, for tests that kill it. */
import { main } from '../../../src/cli/main.ts';

process.exitCode = await main(process.argv.slice(2));
