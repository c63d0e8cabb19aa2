import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  drawScenario,
  FAMILIES,
  FAULT_KINDS,
  IDEMPOTENCY_MODELS,
  seedOf,
  type Fault,
} from './Scenario.ts';
import { KNOWN_SEEDS, rotated } from '../tiers.ts';
import { expectHeld } from './holdSeeds.ts';
import { extendLedger, formatLedger } from './ledger.ts';
import { shrink } from './shrink.ts';
import { simulate, type SimResult } from './simulate.ts';
import { plantOf } from './plants.ts';

const corpus = JSON.parse(readFileSync(new URL('corpus.json', import.meta.url), 'utf8')) as Array<{
  seed: string;
  found: string;
}>;

describe('one virtual hour of faults, then recovery', () => {
  test.each(rotated(corpus, 8))('seed $seed, which found: $found', ({ seed }) => expectHeld(seed));
});

describe('the simulator itself', () => {
  test('the same seed twice is the same run', async () => {
    for (const seed of ['3', '58']) {
      const [first, second] = [
        await simulate(drawScenario(seed)),
        await simulate(drawScenario(seed)),
      ];
      expect(first.digest).toBe(second.digest);
      expect(first.sends).toBeGreaterThan(20);
    }
    expect((await simulate(drawScenario('3'))).digest).not.toBe(
      (await simulate(drawScenario('4'))).digest,
    );
  });

  test('its seeds draw every idempotency model and every fault', () => {
    const scenarios = Array.from({ length: KNOWN_SEEDS }, (_, index) =>
      drawScenario(seedOf(index + 1, FAMILIES[index % FAMILIES.length]!)),
    );
    const models = new Set(scenarios.map(({ service }) => service.idempotency));
    expect([...models].sort()).toEqual([...IDEMPOTENCY_MODELS].sort());
    const kinds = scenarios.flatMap(({ faults }) => faults.map(({ kind }: Fault) => kind));
    expect([...new Set(kinds)].sort()).toEqual([...FAULT_KINDS].sort());
  });

  test('bots trade, crash and fill', async () => {
    const results: SimResult[] = [];
    for (const seed of ['1', '2', '7', '9', '11', 'ow806', 'mw512', 'f3']) {
      results.push(await simulate(drawScenario(seed)));
    }
    const sum = (read: (result: SimResult) => number): number =>
      results.reduce((total, result) => total + read(result), 0);
    expect(sum(({ fills }) => fills)).toBeGreaterThan(100);
    expect(sum(({ decisions }) => decisions)).toBeGreaterThan(200);
    expect(sum(({ booksChecked }) => booksChecked)).toBeGreaterThan(500);
    expect(sum(({ coverChecked }) => coverChecked)).toBeGreaterThan(500);
    expect(sum(({ liquidations }) => liquidations)).toBeGreaterThan(0);
    expect(sum(({ stopsChecked }) => stopsChecked)).toBeGreaterThan(0);
    expect(sum(({ processes }) => processes)).toBeGreaterThan(results.length);
    expect(sum(({ takeovers }) => takeovers)).toBeGreaterThan(1);
  });

  test('a ledger goes on where it ended, and holds what its seeds covered', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'trimtab-ledger-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'seeds.json');
    const run = (count: number) => {
      let left = count;
      return extendLedger({ file, from: 1, isOver: () => left-- === 0, onFailed: () => {} });
    };
    writeFileSync(file, '{ "next": 0 }');
    await expect(run(1)).rejects.toThrow('seeds.json is no ledger of seeds: name another file');
    rmSync(file);
    expect(await run(2)).toMatchObject({ next: 3, seeds: 2, failed: [] });
    const both = await run(1);
    expect(both).toMatchObject({ next: 4, seeds: 3 });
    const drawn = [1, 2, 3].map((number) =>
      simulate(drawScenario(seedOf(number, FAMILIES[number % FAMILIES.length]!))),
    );
    const covered = (await Promise.all(drawn)).flatMap((one) => [...one.covered]);
    expect(Object.keys(both.covered).sort()).toEqual([...new Set(covered)].sort());
    expect(formatLedger(both)).toMatch(/^3 seeds, 0 failed; \d+ of 462 pairs/m);
  });

  test('a failure is shrunk to its necessary faults', async () => {
    const scenario = drawScenario('13');
    const plant = plantOf('a 5xx is a rejection');
    const { violation } = await simulate(scenario, { plant });
    expect(violation?.invariant).toBe('rejected_but_executed');
    const small = await shrink(scenario, violation!.invariant, { plant });
    expect(small.faults.length).toBeLessThan(scenario.faults.length);
    expect(small.faults.map(({ kind }) => kind)).toContain('error_after');
  });
});
