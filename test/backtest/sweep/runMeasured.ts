import { main } from '../../../src/cli/main.ts';

/** `runMeasured.ts ARGV…`: runs the command line, and ends its errors with a line on memory and time as JSON. */
const start = process.cpuUsage();
process.exitCode = await main(process.argv.slice(2));
const { user, system } = process.cpuUsage(start);
const megabytes = process.resourceUsage().maxRSS / 1_024;
process.stderr.write(`\n${JSON.stringify({ megabytes, cpuSeconds: (user + system) / 1e6 })}\n`);
