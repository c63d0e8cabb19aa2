import { describe, expect, test } from 'vitest';
import { fuzzFrames } from './fuzzFrames.ts';

/** `npm run fuzz -- --frames 1000000` passes more. */
const FRAMES = 20_000;

describe('frames that are lost, duplicated, late, repeated, corrupted or invented', () => {
  test('no crash, models converge to the true state once faults end, each bad frame is counted', async () => {
    const report = await fuzzFrames({ frames: FRAMES, seed: 'npm test' });
    expect(report.findings).toEqual([]);
    expect(report.frames).toBeGreaterThanOrEqual(FRAMES);
    expect(report.counted).toBe(report.malformed);
    expect(report.malformed).toBeGreaterThan(300);
    expect(report.gaps).toBeGreaterThan(300);
    expect(report.connections).toBeGreaterThan(10);
    expect(report.comparisons).toBeGreaterThan(40);
  });

  test('the same seed twice is the same run', async () => {
    const run = () => fuzzFrames({ frames: 2_000, seed: 'twice' });
    expect(await run()).toEqual(await run());
  });
});
