import { describe, expect, test } from 'vitest';
import { compare, median } from '../../../backtest/benchmarks/harness.ts';
import { formatResults, regressions, toRecorded } from '../../../backtest/benchmarks/report.ts';

/** A contender with given rounds; the first value is its warm-up. */
const scripted = (name: string, rates: number[], log: string[] = []) => {
  const left = [...rates];
  return {
    name,
    run: () => {
      log.push(name);
      return { 'things/s': left.shift()! };
    },
  };
};

describe('ratios', () => {
  test('a median is the middle, or between the two in the middle', () => {
    expect(median([3, 1, 2])).toBe(2);
    expect(median([4, 1, 3, 2])).toBe(2.5);
  });

  test('contenders take turns, and a ratio is to the baseline of the same round', async () => {
    const log: string[] = [];
    const [result] = await compare({
      name: 'x',
      // A machine that keeps slowing down; the second contender is always half as fast.
      contenders: [scripted('base', [1, 100, 50, 10], log), scripted('other', [1, 50, 25, 5], log)],
      rounds: 3,
    });
    expect(result!.contenders.map(({ ratio }) => ratio)).toEqual([1, 0.5]);
    expect(result!.contenders[0]!.rate).toBe(50);
    expect(log.slice(2)).toEqual(['base', 'other', 'other', 'base', 'base', 'other']);
  });

  test('a compared baseline carries the ratio, and falls behind when its own rate falls', async () => {
    const against = (ours: number) =>
      compare({
        name: 'x',
        contenders: [scripted('ours', [1, ours]), scripted('peer', [1, 10])],
        rounds: 1,
        isBaselineCompared: true,
      });
    const [result] = await against(1_000);
    expect(result!.contenders.map(({ ratio }) => ratio)).toEqual([1, 100]);
    const recorded = toRecorded([result!]);
    expect(regressions(await against(700), recorded)).toEqual([]);
    expect(regressions(await against(600), recorded)).toEqual([
      'x, things/s, peer: 60 where 100 was',
    ]);
  });

  test('the table of a compared baseline shows the factor by which ours is ahead or behind', async () => {
    const results = await compare({
      name: 'x',
      contenders: [
        scripted('ours', [1, 100]),
        scripted('slow', [1, 40]),
        scripted('fast', [1, 25_000]),
      ],
      rounds: 1,
      isBaselineCompared: true,
    });
    const [head, ours, slow, fast] = formatResults(results, {}).split('\n');
    expect(head).toMatch(/^x\s+things\/s\s+ns each\s+ours ×\s+ours is\s+lowest to highest/);
    expect(ours).not.toMatch(/ahead|behind/);
    expect(slow).toMatch(/^slow\s.*\s2\.5\s+2\.5 × ahead\s/);
    expect(fast).toMatch(/^fast\s.*\s0\.0040\s+250 × behind\s/);
  });
});

describe('what is recorded', () => {
  const at = async (rate: number) =>
    compare({
      name: 'x',
      contenders: [scripted('base', [1, 100]), scripted('other', [1, rate])],
      rounds: 1,
    });

  test('a ratio that fell by more than a third is reported; less is not', async () => {
    const recorded = toRecorded(await at(60));
    expect(recorded).toEqual({ 'x, things/s': { other: 0.6 } });
    expect(regressions(await at(41), recorded)).toEqual([]);
    expect(regressions(await at(39), recorded)).toEqual([
      'x, things/s, other: 0.39 where 0.60 was',
    ]);
  });

  test('a contender without a recorded ratio cannot fall behind', async () => {
    expect(regressions(await at(1), {})).toEqual([]);
  });

  test('a ratio that must be is demanded of a contender without a recorded one, and exactly', async () => {
    const demanding = async (must: number) =>
      compare({
        name: 'x',
        contenders: [scripted('base', [1, 100]), { ...scripted('other', [1, 90]), must }],
        rounds: 1,
      });
    expect(regressions(await demanding(0.9), {})).toEqual([]);
    expect(regressions(await demanding(0.95), {})).toEqual([
      'x, things/s, other: 0.90 where 0.95 must be',
    ]);
    expect(formatResults(await demanding(0.95), {})).toMatch(/other .* must be ≥ 0.95 MISSED/);
  });

  test('the note of a contender ends its line', async () => {
    const noted = { ...scripted('base', [1, 100]), note: () => '7 of 7' };
    const table = formatResults(await compare({ name: 'x', contenders: [noted], rounds: 1 }), {});
    expect(table).toMatch(/^base .* 7 of 7$/m);
  });

  test('the table names each contender with its ratio and the recorded one', async () => {
    const results = await at(60);
    const [head, base, other] = formatResults(results, toRecorded(results)).split('\n');
    expect(head).toMatch(/^x\s+things\/s\s+ns each\s+ratio\s+lowest to highest\s+goal\s+recorded$/);
    expect(base).toMatch(/^base\s+100\s+10,000,000\s+1\.0/);
    expect(other).toMatch(/^other\s+60\S*\s+\S+\s+0\.60.*0\.60$/);
  });
});
