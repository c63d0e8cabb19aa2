import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, expect, test } from 'vitest';
import { createSqliteStore } from '../../src/journal/index.ts';
import { root } from '../sourceFiles.ts';

// Below the project, so that the plugin can import 'trimtab' as in a clone.
const folder = mkdtempSync(join(root, 'var-service-'));
afterAll(() => rmSync(folder, { recursive: true }));
const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

function start(args: string[], env: NodeJS.ProcessEnv = {}) {
  const child = spawn(process.execPath, [join(root, 'bin/trimtab.js'), ...args], {
    cwd: folder,
    env: { ...process.env, ...env },
  });
  children.push(child);
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (part: string) => (text += part));
  }
  return { child, text: () => text };
}

test('a bot trades on a paper service of another process, and ends well when asked', async () => {
  const paper = start(['paper', '--port', '0', '--speed', '1200']);
  const [line] = (await once(createInterface(paper.child.stdout!), 'line')) as [string];
  const service = JSON.parse(line) as Record<'base_url' | 'ws_url' | 'key_id' | 'secret', string>;

  writeFileSync(
    join(folder, 'every.ts'),
    `import { defineStrategy, placeOrder } from 'trimtab';
import { map } from 'rxjs';
import { z } from 'zod';
export default defineStrategy({
  name: 'every', contract: 1, description: 'Buys at each bar.', scopes: ['trade'],
  params: z.object({}),
  setup: (ctx) => ctx.candles(ctx.symbol, '1m').pipe(
    map(() => placeOrder.market({ symbol: ctx.symbol, side: 'buy', size: 0.001 })),
  ),
});
`,
  );
  writeFileSync(
    join(folder, 'bot.yaml'),
    `name: remote
link:
  kind: paper_service
  base_url: ${service.base_url}
  ws_url: ${service.ws_url}
  key_id: ${service.key_id}
  secret: { env: TRIMTAB_TEST_SECRET }
strategies:
  - { name: every, use: ./every.ts, symbols: [BTC] }
journal: ./bot.sqlite
`,
  );
  const bot = start(['run', 'bot.yaml', '--log-level', 'debug'], {
    TRIMTAB_TEST_SECRET: service.secret,
  });
  await expect.poll(() => bot.text(), { timeout: 20_000 }).toMatch(/accepted[^]*accepted/);
  bot.child.kill('SIGTERM');
  const [code] = (await once(bot.child, 'exit')) as [number | null];
  expect(code).toBe(0);
  expect(bot.text()).not.toContain(service.secret);

  const journal = createSqliteStore(join(folder, 'bot.sqlite'));
  const accepted = journal.intents().filter(({ state }) => state === 'accepted');
  expect(accepted.length).toBeGreaterThanOrEqual(2);
  const steps = journal.entries(accepted[0]!.key).map(({ state }) => state);
  expect(steps).toEqual(['emitted', 'guarded', 'sending', 'accepted']);
  await journal.close();
}, 60_000);
