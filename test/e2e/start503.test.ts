import { once } from 'node:events';
import { afterEach, expect } from 'vitest';
import { rotated } from '../tiers.ts';
import { openWorkshop, remoteBot, type Service, type Workshop } from './startProcess.ts';
import { inTurn } from '../inTurn.ts';

const it = inTurn(2);

let workshop: Workshop | undefined;
afterEach(() => workshop?.close());

const idle = `import { defineStrategy } from 'trimtab';
import { ignoreElements } from 'rxjs';
import { z } from 'zod';
export default defineStrategy({
  name: 'idle', contract: 1, description: 'Looks on.', scopes: ['trade'],
  params: z.object({}),
  setup: (ctx) => ctx.candles(ctx.symbol, '1m').pipe(ignoreElements()),
});
`;

/** What a start reads before its streams, in order. */
const READS = [
  'GET /v1/connections',
  'GET /v1/candles/BTC',
  'GET /v1/instruments',
  'GET /v1/rate-limits',
];

async function refuse(service: Service, match: string, more: object = {}): Promise<void> {
  const answer = await fetch(`${service.base_url}/paper/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ kind: 'error_503', match, ...more }),
  });
  expect(answer.ok, await answer.text()).toBe(true);
}

async function openBot(retrySeconds: number) {
  workshop = openWorkshop('start503');
  const service = await workshop.startPaper(60);
  workshop.write('own.ts', idle);
  const config = remoteBot(service).replace(
    '  key_id:',
    `  start_retry_seconds: ${retrySeconds}\n  key_id:`,
  );
  workshop.write('bot.yaml', config);
  const run = () => workshop!.start(['run', 'bot.yaml'], { TRIMTAB_TEST_SECRET: service.secret });
  return { service, run };
}

it('a 503 to any read of a start is waited out', async () => {
  const { service, run } = await openBot(60);
  for (const match of rotated(READS, 2)) {
    await refuse(service, match, { for_requests: 2 });
    const bot = run();
    await expect
      .poll(() => bot.text(), { timeout: 10_000, message: match })
      .toContain('strategies own');
    expect(bot.text(), match).toContain(`The service at ${service.base_url} is not ready`);
    bot.child.kill('SIGTERM');
    expect(await once(bot.child, 'exit'), match).toEqual([0, null]);
  }
}, 120_000);

it('a 503 to any read of a start that lasts ends it with address and remedy', async () => {
  const { service, run } = await openBot(0);
  for (const match of rotated(READS, 2)) {
    await fetch(`${service.base_url}/paper/faults`, { method: 'DELETE' });
    await refuse(service, match);
    const bot = run();
    expect((await once(bot.child, 'exit'))[0], match).toBe(1);
    expect(bot.text(), match).toContain(`The service at ${service.base_url} does not answer`);
    expect(bot.text(), match).toContain('link.base_url right?');
  }
}, 120_000);
