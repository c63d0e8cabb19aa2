import { mkdtempSync, rmSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  controlFilesOf,
  readWhole,
  settled,
  writeWhole,
} from '../../src/operate/control/controlFiles.ts';
import { readRecording } from '../../src/operate/recording/index.ts';
import { openTestServer, type TestServer } from '../paper/server/openTestServer.ts';
import { root } from '../sourceFiles.ts';
import { runMain } from './runMain.ts';

let folder: string;
let server: TestServer;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'trimtab-ending-'));
  server = await openTestServer();
  vi.stubEnv('TRIMTAB_TEST_SECRET', server.secret);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await server.close();
  rmSync(folder, { recursive: true });
});

/** What ends the bot without a signal returns it. */
const ENDS = 'it ends by itself';

/** Runs a bot that rests one order and is denied another, until a signal; `meanwhile` acts before it, or ends it. */
async function run(flags: readonly string[], meanwhile: () => Promise<unknown>) {
  const file = join(folder, 'bot.yaml');
  const { baseUrl, wsUrl, keyId } = server;
  writeFileSync(
    file,
    `name: resting
link: { kind: paper_service, base_url: '${baseUrl}', ws_url: '${wsUrl}', key_id: ${keyId}, secret: { env: TRIMTAB_TEST_SECRET }, auth_retry_seconds: 1 }
guards: { max_order_notional: 1000 }
journal: ./bot.sqlite
record: ./bot.recording
stop_policy: stop
stop_seconds: 1
strategies: [{ name: rests, use: ${join(root, 'test/cli/plants/restsOne.ts')}, symbols: [BTC] }]
`,
  );
  const ended = runMain('run', file, '--log-level', 'error', ...flags);
  const open = async (): Promise<number> =>
    ((await server.ask('/v1/orders')).body as { items: unknown[] }).items.length;
  await vi.waitFor(
    async () => {
      await server.control('POST', '/paper/replay/advance', { bars: 1, interval: '1m' });
      expect(await open()).toBeGreaterThan(0);
    },
    { timeout: 20_000, interval: 100 },
  );
  if ((await meanwhile()) !== ENDS) process.emit('SIGINT');
  return ended;
}

const nothing = async (): Promise<void> => {};
/** No cancel arrives. */
const deaf = () =>
  server.control('POST', '/paper/faults', { kind: 'drop_before', match: 'DELETE /v1' });
const slow = { timeout: 60_000 };

test('--fail-on ends with 3 a bot on a service that left nothing open', slow, async () => {
  const { code, err } = await run(['--fail-on', 'denied'], nothing);
  expect(err).toMatch(/^trimtab: --fail-on denied: there was denied: \d+\.$/m);
  expect([code, err]).toEqual([3, expect.stringContaining('TRIMTAB_RUN_FAIL_ON')]);
});

test('a log in a file has the failure that ends the bot', slow, async () => {
  const log = join(folder, 'bot.log');
  const { err } = await run(['--fail-on', 'denied', '--log', log], nothing);
  const last = readFileSync(log, 'utf8').trim().split('\n').at(-1)!;
  expect(JSON.parse(last)).toMatchObject({
    level: 50,
    msg: expect.stringMatching(/^The run failed: --fail-on denied: there was denied: \d+\./),
    code: 'TRIMTAB_RUN_FAIL_ON',
  });
  expect(err).toContain('TRIMTAB_RUN_FAIL_ON');
});

test('without it, what was denied is no failure', slow, async () => {
  expect(await run([], nothing)).toMatchObject({ code: 0 });
});

test('what is left at work is said with 4, whatever --fail-on names', slow, async () => {
  const { code, err } = await run(['--fail-on', 'denied'], deaf);
  expect(err).toContain('resting has stopped, and leaves open: ');
  expect([code, err]).toEqual([4, expect.stringContaining('TRIMTAB_BOT_UNENDED')]);
});

test(
  'a bot that ends by a failure names what it leaves open, beside the reason',
  slow,
  async () => {
    const { code, err } = await run([], async () => {
      await server.control('DELETE', `/paper/keys/${server.keyId}`);
      return ENDS;
    });
    expect([code, err]).toEqual([1, expect.stringContaining('TRIMTAB_SERVICE_KEY_REFUSED')]);
    expect(err).toMatch(/^ +NOT ENDED: main: .*BTC/m);
  },
);

test('a recording ends with the view of the stop, though no bar closed since', slow, async () => {
  const files = controlFilesOf(join(folder, 'bot.sqlite'));
  await run([], async () => {
    // A pause changes the view, and no market time passes.
    const asked = { instance: 'rests', do: 'pause', reason: 'by hand', time: Date.now() } as const;
    writeWhole(files.strategy, asked);
    await vi.waitFor(() => expect(readWhole(files.strategyDone, settled)).toBeDefined(), 10_000);
  });
  let last: Record<string, unknown> = {};
  readRecording(join(folder, 'bot.recording'), (row) => {
    if (row[0] === 'view' || row[0] === 'change')
      last = { ...last, ...(row[1].blocks as Record<string, unknown>) };
  });
  expect(last).toMatchObject({ strategies: [{ name: 'rests', paused: 'by hand' }] });
});
