import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createDialect } from '../../../src/contract/index.ts';
import { createVirtualEnv } from '../../../src/env/index.ts';
import { StateRefusal, type PaperSettingsInput } from '../../../src/paper/index.ts';
import { openState } from '../../../src/paper/server/state/openState.ts';
import { StateLog } from '../../../src/paper/server/state/StateLog.ts';
import { testFeed } from '../core/openTestService.ts';
import { openTestServer, type TestServer } from '../server/openTestServer.ts';

const newFile = (): string => join(mkdtempSync(join(tmpdir(), 'trimtab-state-')), 'paper.state');
const order = { symbol: 'BTC', side: 'buy', size: 0.01, order_type: 'market' };

const open = (state: string, settings: Partial<PaperSettingsInput> = {}): Promise<TestServer> =>
  openTestServer({ state, ...settings });

/** A file with one order in its snapshot, closed cleanly. */
async function savedFile(): Promise<string> {
  const state = newFile();
  const server = await open(state);
  expect((await server.ask('/v1/order', { body: order })).status).toBe(201);
  await server.close();
  return state;
}

/** The file of a killed process: an order, or what else it did, in the log after the snapshot. */
async function tornFile(
  act = async (server: TestServer): Promise<unknown> => server.ask('/v1/order', { body: order }),
): Promise<{ state: string; log: string }> {
  const state = newFile();
  const server = await open(state);
  await act(server);
  const folder = join(state, '..');
  const copy = newFile();
  const log = readdirSync(folder).find((name) => name.endsWith('.log'))!;
  writeFileSync(copy, readFileSync(state));
  writeFileSync(join(copy, '..', log), readFileSync(join(folder, log)));
  await server.close();
  return { state: copy, log: join(copy, '..', log) };
}

async function refusalOf(opening: Promise<TestServer>): Promise<string> {
  try {
    await (await opening).close();
  } catch (error) {
    expect(error).toBeInstanceOf(StateRefusal);
    return (error as Error).message;
  }
  throw new Error('It was taken up.');
}

async function fillsOf(server: TestServer): Promise<number> {
  const { body } = await server.ask('/v1/fills');
  await server.close();
  return body.items.length;
}

describe('a state file', () => {
  test('closed cleanly has everything in its snapshot, and accepts other settings', async () => {
    const state = await savedFile();
    const log = readdirSync(join(state, '..')).find((name) => name.endsWith('.log'))!;
    expect(
      readFileSync(join(state, '..', log), 'utf8')
        .trim()
        .split('\n'),
    ).toHaveLength(1);
    const server = await open(state, {
      half_spread_bps: 3,
      connections: [{ label: 'New', balance: 5 }],
    });
    const { body } = await server.ask('/v1/connections');
    expect(body.items.map(({ id }: { id: string }) => id)).toEqual(['main', 'new']);
    expect(await fillsOf(server)).toBe(1);
  });

  test('of a killed process is snapshot and log; an incomplete last line is dropped', async () => {
    const { state, log } = await tornFile();
    const text = readFileSync(log, 'utf8');
    expect(text.trim().split('\n')).toHaveLength(2);
    appendFileSync(log, text.split('\n')[1]!.slice(0, -5));
    expect(await fillsOf(await open(state))).toBe(1);
  });

  test('of a killed process keeps its connections apart from those that are configured since', async () => {
    let bought;
    const { state } = await tornFile(async (server) => {
      await server.control('POST', '/paper/connections', { label: 'Second', balance: 77_000 });
      const asKey = { label: 'k', scopes: ['read', 'trade'], connection_id: 'second' };
      const { body } = await server.control('POST', '/paper/keys', asKey);
      const signer = { keyId: body.key_id, secret: body.secret };
      const { status } = await server.ask('/v1/order', { body: order, ...signer });
      expect(status).toBe(201);
      bought = { signer, equity: (await server.ask('/v1/account', signer)).body.equity };
    });
    const { signer, equity } = bought!;
    // Another balance, and one more before it.
    const connections = [
      { label: 'New', balance: 5 },
      { label: 'Second', balance: 9 },
    ];
    const server = await open(state, { connections });
    const { body } = await server.ask('/v1/connections');
    expect(body.items.map(({ id }: { id: string }) => id)).toEqual(['main', 'second', 'new']);
    expect((await server.ask('/v1/account', signer)).body).toMatchObject({
      wallet: 'second',
      equity,
    });
    expect((await server.ask('/v1/fills', signer)).body.items).toHaveLength(1);
    expect(await fillsOf(server)).toBe(0);
  });

  test('is locked by one process at a time, and released after a refusal', async () => {
    const state = await savedFile();
    const server = await open(state);
    expect(await refusalOf(open(state))).toContain('is in use by another paper service.');
    expect(await fillsOf(server)).toBe(1);
    await refusalOf(openTestServer({ state }, { feeds: [testFeed('BTC', 1_000)] }));
    expect(await fillsOf(await open(state))).toBe(1);
  });

  test('keeps the key of the first start, until it is revoked', async () => {
    const state = newFile();
    const keyOf = async (act = async (_server: TestServer): Promise<unknown> => null) => {
      const server = await open(state);
      const { keyId, secret } = server;
      await act(server);
      const keys = server.core.keyring.list().map((key) => key.keyId);
      await server.close();
      return { keyId, secret, keys };
    };
    const first = await keyOf();
    expect(first.keys).toEqual([first.keyId]);
    expect(await keyOf()).toEqual(first);
    await keyOf(({ keyId, control }) => control('DELETE', `/paper/keys/${keyId}`));
    const next = await keyOf();
    expect(next.keys).toEqual([next.keyId]);
    expect(next.keyId).not.toBe(first.keyId);
    expect(next.secret).not.toBe(first.secret);
  });

  test('is released after a start that fails once the file is read: at its port, or at a contradiction', async () => {
    const state = await savedFile();
    const other = await openTestServer();
    const port = Number(new URL(other.baseUrl).port);
    await expect(open(state, { port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
    await other.close();
    expect(await fillsOf(await open(state))).toBe(1);
    const text = readFileSync(state, 'utf8');
    writeFileSync(state, text.replace('"topic":"margin"', '"topic":"order"'));
    expect(await refusalOf(open(state))).toContain("can't be restored");
    writeFileSync(state, text);
    expect(await fillsOf(await open(state))).toBe(1);
  });
});

describe('is refused, and left unchanged, when it', () => {
  const refused = async (state: string, settings: Partial<PaperSettingsInput> = {}) => {
    const before = readFileSync(state);
    const message = await refusalOf(open(state, settings));
    expect(readFileSync(state)).toEqual(before);
    expect(message).toContain(state);
    return message;
  };

  test('is torn', async () => {
    const state = await savedFile();
    writeFileSync(state, readFileSync(state).subarray(0, 500));
    expect(await refused(state)).toContain('is torn');
  });

  test('is something else', async () => {
    const state = newFile();
    writeFileSync(state, '{"name": "bot"}');
    expect(await refused(state)).toContain('is not a state of a paper service');
  });

  test('has another version', async () => {
    const state = await savedFile();
    writeFileSync(state, readFileSync(state, 'utf8').replace('"version":1', '"version":7'));
    expect(await refused(state)).toContain('has version 7; this trimtab reads version 1');
  });

  test('is damaged inside', async () => {
    const state = await savedFile();
    writeFileSync(state, readFileSync(state, 'utf8').replace(/"cash":[\d.]+/, '"cash":"much"'));
    expect(await refused(state)).toContain('is damaged at service.engine.accounts.0.cash');
  });

  test('contradicts itself', async () => {
    const state = await savedFile();
    const text = readFileSync(state, 'utf8').replace('"topic":"margin"', '"topic":"order"');
    writeFileSync(state, text);
    expect(await refused(state)).toContain("can't be restored");
  });

  test.each([
    ['fewer rows', () => testFeed('BTC', 1_000), 'BTC@1m had 2000 rows and has 1000 now'],
    ['another symbol', () => testFeed('ETH'), 'BTC@1m is missing'],
    [
      'another value',
      () => {
        const feed = testFeed();
        feed.volume[1_999]! += 1;
        return feed;
      },
      'BTC@1m has other values',
    ],
  ])('was saved on another tape: %s', async (_what, feed, words) => {
    const state = await savedFile();
    const opening = openTestServer({ state }, { feeds: [feed()] });
    expect(await refusalOf(opening)).toContain(`was saved on another tape: ${words}`);
  });

  test('has a log that is torn in its middle, or lost', async () => {
    const { state, log } = await tornFile();
    const text = readFileSync(log, 'utf8');
    writeFileSync(log, text.replace('"call"', '"cxll"'));
    expect(await refused(state)).toContain(`has a log that is torn: ${log}:2`);
    writeFileSync(log, '');
    expect(await refused(state)).toContain('has a log that is not its own');
    const { state: alone, log: lost } = await tornFile();
    writeFileSync(alone, readFileSync(alone));
    writeFileSync(lost, text.replace('"generation":1', '"generation":2'));
    expect(await refused(alone)).toContain('has a log that is not its own');
  });

  test('would be replayed under other settings', async () => {
    const { state } = await tornFile();
    expect(await refused(state, { impact_bps: 50 })).toContain(
      'was not closed, and the settings of the venue, or the rules that it fills by, have changed since',
    );
    expect(await fillsOf(await open(state))).toBe(1);
  });

  test('would be replayed under another dialect, where that decides what a call does', async () => {
    const { state } = await tornFile();
    const under = (more: Parameters<typeof createDialect>[0]): Promise<TestServer> =>
      openTestServer({ state }, { dialect: createDialect(more) });
    const others: ReadonlyArray<Parameters<typeof createDialect>[0]> = [
      { venue: { minOrderValue: 1_000 } },
      { limits: { pacemakerMinSeconds: 61 } },
      { executions: { transitions: { running: ['stop'] } } },
    ];
    for (const more of others)
      expect(await refusalOf(under(more))).toContain(
        'was not closed, and the settings of the venue',
      );
    expect(await fillsOf(await under({ limits: { pageDefault: 50 } }))).toBe(1);
  });

  test('would be replayed by other rules; closed cleanly it is restored', async () => {
    const { state } = await tornFile();
    const peaceful = await savedFile();
    for (const path of [state, peaceful]) {
      const saved = JSON.parse(readFileSync(path, 'utf8')) as { venue: string };
      const venue = JSON.parse(saved.venue) as unknown[][];
      const before = JSON.stringify(venue.filter(([name]) => name !== 'rules'));
      writeFileSync(path, JSON.stringify({ ...saved, venue: before }));
    }
    expect(await refused(state)).toContain('or the rules that it fills by, have changed since');
    expect(await fillsOf(await open(peaceful))).toBe(1);
  });
});

describe('the log', () => {
  test('is compacted into a snapshot when it has grown, without loss', async () => {
    const path = newFile();
    const env = createVirtualEnv();
    const opened = { path, tape: [], venue: '' };
    const keeper = openState(opened, env);
    let taken = 0;
    keeper.begin(() => {
      taken++;
      return { demoKeyId: null, service: { marks: taken } as never };
    });
    const logs = () => readdirSync(join(path, '..')).filter((name) => name.endsWith('.log'));
    expect(logs()).toEqual(['paper.state.1.log']);
    for (let time = 0; time < 20_000; time++) keeper.record({ time });
    env.queue.advanceTo(1_000);
    expect(taken).toBe(2);
    expect(logs()).toEqual(['paper.state.2.log']);
    keeper.record({ time: 1 });
    env.queue.advanceTo(11_000);
    expect(taken).toBe(2);
    keeper.close();
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ generation: 3 });
    expect(existsSync(`${path}.new`)).toBe(false);
  });

  // The system takes what fits of a line that is too long, and says so; it refuses the rest at the next write.
  test.skipIf(process.platform === 'win32')(
    'has no part of a line that did not fit, and takes the next that does',
    () => {
      const path = newFile();
      // A system counts by 512 or by 1,024 bytes.
      const limited = 'ulimit -f 64; NODE_DISABLE_COMPILE_CACHE=1 exec "$0" "$@"';
      const script = join(import.meta.dirname, 'appendLines.ts');
      const sizes = ['10000', '40000', '3', '40000', '4000'];
      const node = [process.execPath, '--conditions=trimtab-source', script, path, ...sizes];
      const said = execFileSync('sh', ['-c', limited, ...node], { encoding: 'utf8' });
      const lines = readFileSync(path, 'utf8')
        .split('\n')
        .slice(1, -1)
        .map((line) => (JSON.parse(line) as { text: string }).text);
      expect(lines).toEqual([10_000, 3, 4_000].map((size) => 'é'.repeat(size)));
      expect(said.match(/refused: \w+/g)).toEqual(['refused: EFBIG', 'refused: EFBIG']);
      expect(said).toContain(`4000 is in it at ${readFileSync(path).length}\n`);
    },
  );

  test.skipIf(!existsSync('/dev/full'))('a full disk is an error, not a line lost', () => {
    expect(() => new StateLog('/dev/full', 1)).toThrow('ENOSPC');
  });
});
