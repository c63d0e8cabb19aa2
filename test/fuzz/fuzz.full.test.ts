import { beforeAll, describe, expect, test } from 'vitest';
import { COMMAND_NAMES, ENDPOINT_IDS } from '../../src/contract/index.ts';
import { runFuzz, type FuzzReport } from './runFuzz.ts';

/** Enough to reach every endpoint and command; `npm run fuzz` sends a hundred thousand. */
const REQUESTS = 4_000;

describe('requests from the contract’s schemas: valid, nearly valid, hostile', () => {
  let report: FuzzReport;
  beforeAll(async () => {
    report = await runFuzz({ requests: REQUESTS, seed: 'npm test' });
  });

  test('all are answered, with the envelope; none is a 500, and no refused request has an effect', () => {
    expect(report.requests).toBe(REQUESTS);
    expect(report.findings).toEqual([]);
  });

  test('every endpoint and every command was tried', () => {
    const tried = report.tally.map(({ name }) => name);
    const all = [...ENDPOINT_IDS, ...COMMAND_NAMES.map((name) => `ws ${name}`)];
    expect(all.filter((name) => !tried.includes(name))).toEqual([]);
  });

  test('most of them passed every validation', () => {
    const accepted = new Map(report.tally.map((row) => [row.name, row.accepted]));
    const core = ['orders.place', 'orders.cancel', 'executions.launch', 'positions.attachLegs'];
    for (const name of core) expect(accepted.get(name), name).toBeGreaterThan(0);
  });
});
