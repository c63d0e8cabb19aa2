import { writeFileSync } from 'node:fs';
import { toolFlags } from '../readToolFlags.ts';
import { heapGrowth } from './heapGrowth.ts';
import { printFrames } from './frames/printFrames.ts';
import { runFuzz } from './runFuzz.ts';

/**
 * `npm run fuzz -- --requests 100000 [--seed S] [--json FILE]`: requests for the paper service.
 * `npm run fuzz -- --frames 1000000 [--seed S]`: frames for the client.
 */
const values = toolFlags({
  options: {
    requests: { type: 'string', default: '100000' },
    frames: { type: 'string' },
    seed: { type: 'string', default: 'trimtab' },
    json: { type: 'string' },
  },
  modes: { '': ['requests', 'seed', 'json'], frames: ['seed'] },
  counts: ['requests', 'frames'],
});

/** Noise of the garbage collector, not growth; a short run is still filling its caches. */
const TOLERATED_BYTES = 4e6;

const write = (text: string): void => void process.stdout.write(`${text}\n`);
const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

if (values.frames !== undefined) {
  const clean = await printFrames(Number(values.frames), values.seed);
  process.exit(clean ? 0 : 1);
}

const report = await runFuzz({
  requests: Number(values.requests),
  seed: values.seed,
  onProgress: (done) => void process.stderr.write(`\r${done} requests`),
});
process.stderr.write('\n');
if (values.json !== undefined) writeFileSync(values.json, JSON.stringify(report, null, 2));

write('endpoint or command            sent  accepted  refused  other  commonest refusals');
for (const { name, sent, accepted, refused, other, codes } of report.tally) {
  const common = Object.entries(codes).sort(([, a], [, b]) => b - a);
  const words = common.slice(0, 4).map(([code, count]) => `${code} ${count}`);
  const counts = [sent, accepted, refused, other].map((count) => String(count).padStart(8));
  write(`${name.padEnd(28)}${counts.join(' ')}  ${words.join(', ')}`);
}
const growth = heapGrowth(report.heapBytes);
write(`\nheap after collection: ${report.heapBytes.map(megabytes).join(' ')}`);
write(`growth over the second half: ${megabytes(growth)}`);
for (const { title, count, samples } of report.findings) {
  write(`\n✗ ${title} (${count} times)`);
  for (const { index, request, detail } of samples.slice(0, 1)) {
    write(`  ${index}: ${request}\n  ${detail.split('\n').slice(0, 6).join('\n  ')}`);
  }
}
const each = (report.seconds / report.requests) * 1_000;
write(
  `\n${report.requests} requests, seed ${report.seed}: ${report.findings.length} kinds of faults, ` +
    `${report.seconds.toFixed(0)} s (${each.toFixed(2)} ms each)`,
);
process.exitCode = report.findings.length === 0 && growth < TOLERATED_BYTES ? 0 : 1;
