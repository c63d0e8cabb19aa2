import { once } from 'node:events';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { createSqliteStore } from '../../src/journal/index.ts';
import { openWorkshop, remoteBot, type Service, type Workshop } from './startProcess.ts';

let workshop: Workshop | undefined;
afterEach(() => workshop?.close());

/** A plugin that keeps its bars, in a state that is written so. */
const counting = (state: string, next: string): string => `
import { defineStrategy } from 'trimtab';
import { ignoreElements, tap } from 'rxjs';
import { z } from 'zod';
export default defineStrategy({
  name: 'counting', contract: 1, description: 'Counts bars.', scopes: [], params: z.object({}),
  state: ${state},
  setup: (ctx) => ctx.candles(ctx.symbol, '1m').pipe(
    tap(() => {
      ctx.state.set(${next});
      ctx.log.warn(\`kept \${Object.entries(ctx.state.get())}.\`);
    }),
    ignoreElements(),
  ),
});
`;
const version1 = counting(
  'z.object({ n: z.int().default(0) })',
  '{ n: Math.max(100, ctx.state.get().n + 1) }',
);
const version2 = counting(
  `{ version: 2, schema: z.object({ bars: z.int() }), initial: { bars: 0 },
     migrate: (old, from) => ({ bars: old.n * from }) }`,
  '{ bars: ctx.state.get().bars + 1 }',
);
const withoutMigration = counting(
  '{ version: 2, schema: z.object({ bars: z.int() }) }',
  '{ bars: 1 }',
);

async function runUntil(service: Service, plugin: string, pattern: RegExp): Promise<string> {
  const bot = start(service, plugin);
  await expect.poll(() => bot.text(), { timeout: 20_000 }).toMatch(pattern);
  bot.child.kill('SIGTERM');
  await once(bot.child, 'exit');
  return bot.text();
}

function start(service: Service, plugin: string) {
  workshop!.write('own.ts', plugin);
  workshop!.write('bot.yaml', remoteBot(service));
  return workshop!.start(['run', 'bot.yaml'], { TRIMTAB_TEST_SECRET: service.secret });
}

async function persistedState(): Promise<unknown> {
  const store = createSqliteStore(join(workshop!.folder, 'bot.sqlite'));
  const text = store.readState('own');
  await store.close();
  return JSON.parse(text!) as unknown;
}

test("a plugin's state survives its process and an upgrade of the plugin", async () => {
  workshop = openWorkshop('state');
  const service = await workshop.startPaper(1_200);
  await runUntil(service, version1, /kept n,100\./);
  const retained = await persistedState();
  expect(retained).toMatchObject({ version: 1 });
  const { n } = (retained as { state: { n: number } }).state;

  const refused = start(service, withoutMigration);
  const [code] = (await once(refused.child, 'exit')) as [number | null];
  expect(code).toBe(1);
  expect(refused.text()).toContain(
    "Strategy own (counting): The persisted state is of version 1, and the plugin's is 2, which has no `migrate`.",
  );
  expect(refused.text()).toContain('Nothing was changed');
  expect(await persistedState()).toEqual(retained);

  await runUntil(service, version2, new RegExp(`kept bars,${n + 1}\\.`));
  expect(await persistedState()).toMatchObject({ version: 2 });

  const older = start(service, version1);
  expect(await once(older.child, 'exit')).toEqual([1, null]);
  expect(older.text()).toContain("The persisted state is of version 2, and the plugin's is 1.");
}, 90_000);
