import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, test, vi } from 'vitest';
import { useTestDatabase } from '../journal/useTestDatabase.ts';
import { rotated } from '../tiers.ts';
import { BOUNDARIES } from './boundaries.ts';
import { killRound } from './killRounds.ts';
import { startService, type ChaosService } from './startService.ts';

/** Reached only by intents resent under their key: no round waits for proven absence. */
const SEED = 'quick 3';

const folder = mkdtempSync(join(tmpdir(), 'trimtab-kill-'));
const database = useTestDatabase();
let service: ChaosService;
beforeAll(async () => {
  service = await startService(folder);
});
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true, force: true });
});

vi.setConfig({ testTimeout: 300_000, maxConcurrency: 6 });

const ROUNDS = BOUNDARIES.flatMap((boundary) => [
  { boundary, place: 'a file' as const },
  { boundary, place: 'PostgreSQL' as const },
]);

/** `npm run chaos` draws twenty passages of each. */
describe.concurrent('a bot killed at a boundary executes everything once', () => {
  test.for(rotated(ROUNDS, 4))(
    '$boundary, its journal in $place',
    async ({ boundary, place }, { expect }) => {
      const where = place === 'a file' ? {} : { databaseUrl: database().url };
      expect(await killRound(service, boundary, { seed: SEED, ...where })).toEqual({
        kills: expect.arrayContaining([boundary]),
        doubled: [],
        lost: [],
        differs: [],
      });
    },
  );
});
