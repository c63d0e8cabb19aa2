import { fuzzFrames } from './fuzzFrames.ts';

/** @returns whether nothing was found */
export async function printFrames(frames: number, seed: string): Promise<boolean> {
  const write = (text: string): void => void process.stdout.write(`${text}\n`);
  const report = await fuzzFrames({ frames, seed });
  write(`${report.frames} frames, seed ${seed}, ${report.connections} connections`);
  write(`malformed: ${report.malformed}, counted by the client: ${report.counted}`);
  write(`gaps noticed: ${report.gaps}; models compared to the truth: ${report.comparisons} times`);
  for (const finding of report.findings) write(`✗ ${finding}`);
  write(`${report.findings.length} faults`);
  return report.findings.length === 0;
}
