import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, test, vi } from 'vitest';
import { rotated } from '../tiers.ts';
import { BOUNDARIES } from './boundaries.ts';
import { killRound } from './killRounds.ts';
import { startService, type ChaosService } from './startService.ts';

/** Reached only by intents resent under their key: no round waits for proven absence. */
const SEED = 'quick 3';

const folder = mkdtempSync(join(tmpdir(), 'trimtab-kill-'));
let service: ChaosService;
beforeAll(async () => {
  service = await startService(folder);
});
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true, force: true });
});

vi.setConfig({ testTimeout: 300_000, maxConcurrency: 6 });

/** `npm run chaos` draws twenty passages of each. */
describe.concurrent('a bot killed at a boundary executes everything once', () => {
  test.for(rotated(BOUNDARIES, 4))('%s', async (boundary, { expect }) => {
    expect(await killRound(service, boundary, SEED)).toEqual({
      kills: expect.arrayContaining([boundary]),
      doubled: [],
      lost: [],
      differs: [],
    });
  });
});
