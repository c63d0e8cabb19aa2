import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type TLSSocket } from 'node:tls';
import { connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createLiveEnv } from '../../src/env/index.ts';
import { openService } from '../../src/service.ts';
import { connectService, type KeyChange } from '../../src/service/index.ts';
import type { ServiceParts } from '../../src/service/connectService.ts';
import type { Client } from '../../src/wire/index.ts';
import { openWitness, type Witness } from '../e2e/openWitness.ts';
import { openTestServer, type TestServer } from '../paper/server/openTestServer.ts';

interface Pair {
  keyId: string;
  secret: string;
}

let server: TestServer;
let witness: Witness;

beforeEach(async () => {
  server = await openTestServer({ tier: 'elite' });
  witness = await openWitness(server.baseUrl);
  witness.know(server.keyId, server.secret);
});
afterEach(async () => {
  witness.close();
  await server.close();
});

function open(options: { wallet?: string; from?: { base_url: string; ws_url: string } } = {}) {
  const { base_url: baseUrl, ws_url: wsUrl } = options.from ?? witness;
  const { keyId, secret } = server;
  const states: string[] = [];
  const parts = connectService(
    { baseUrl, wsUrl, keyId, secret },
    { env: createLiveEnv(), wallet: options.wallet },
  );
  parts.socket.open({
    onFrame: () => {},
    onFault: () => {},
    onStatus: ({ state }) => void states.push(state),
  });
  onTestFinished(async () => {
    await parts.socket.close();
    await parts.http.close();
  });
  return { ...parts, states };
}

async function makeKey(): Promise<Pair> {
  const scopes = ['read', 'trade', 'algo'];
  const request = { label: 'next', scopes, tier: 'elite' };
  const { body } = await server.control('POST', '/paper/keys', request);
  witness.know(body.key_id, body.secret);
  return { keyId: body.key_id, secret: body.secret };
}

const ORDER = { symbol: 'BTC', side: 'buy', order_type: 'market', size: 0.01 } as const;
const place = ({ client }: Pick<ServiceParts, 'client'>) => client.orders.place({ body: ORDER });
const command = ({ socket }: Pick<ServiceParts, 'socket'>) =>
  socket.command('place_order', { ...ORDER });
const isOpen = ({ states }: { states: readonly string[] }) =>
  expect.poll(() => states, { timeout: 10_000 }).toContain('open');
const noCheck = async (): Promise<void> => {};
const neverChanged = (): void => expect.unreachable('the key was replaced');

describe('a key that is replaced', () => {
  test('holds every request and command until the last answer to the old key', async () => {
    const parts = open();
    await isOpen(parts);
    const next = await makeKey();
    const events: string[] = [];
    const note = (name: string) => (): void => void events.push(name);
    witness.delay(300);
    const before = place(parts).then(note('answer to the old key'));
    await expect.poll(() => witness.requests.some(({ method }) => method === 'POST')).toBe(true);
    const changed = parts.key.change(
      next,
      async (client: Client) => {
        await client.account.get();
        // Nothing is held before the next key has passed, and it signs the check alone.
        await parts.client.positions.list();
        expect(witness.requests.slice(-2).map(({ keyId }) => keyId)).toEqual([
          next.keyId,
          server.keyId,
        ]);
      },
      (unanswered) => void events.push(`changed, ${unanswered} unanswered`),
    );
    const upgrades = () => witness.requests.filter(({ path }) => path === '/v1/stream');
    await expect.poll(() => upgrades().length).toBe(2);
    await expect.poll(() => upgrades()[1]!.status).toBe(101);
    // The gate closes within a turn of the next stream's opening, and the answer takes longer than that.
    await new Promise((resolve) => setTimeout(resolve, 50));
    const after = [command(parts), place(parts)];
    const ends = [after[0]!.then(note('command')), after[1]!.then(note('request'))];
    expect(await changed).toEqual({ kind: 'changed', unanswered: 0 });
    await Promise.all([before, ...ends]);
    expect(events.slice(0, 2)).toEqual(['answer to the old key', 'changed, 0 unanswered']);
    expect(await after[0]).toMatchObject({ kind: 'answered', response: { status: 200 } });
    for (const { keyId, signedBy } of witness.requests) expect(signedBy).toEqual([keyId]);
    const keys = witness.requests.filter(({ path }) => path === '/v1/order');
    expect(keys.map(({ keyId }) => keyId)).toEqual([server.keyId, next.keyId]);
    // The stream is the next key's: it outlives the old one.
    expect(parts.states).toEqual(['connecting', 'open', 'lost', 'open']);
    expect(parts.key.keyId).toBe(next.keyId);
    await server.control('DELETE', `/paper/keys/${server.keyId}`);
    expect(await command(parts)).toMatchObject({ kind: 'answered' });
  });

  test('does not wait for ever for an answer to the old one, and says how many are missing', async () => {
    const parts = open();
    await isOpen(parts);
    witness.delay(3_000);
    const late = [place(parts), place(parts)];
    await expect
      .poll(() => witness.requests.filter(({ method }) => method === 'POST'))
      .toHaveLength(2);
    let missing: number | undefined;
    const started = performance.now();
    const changed = await parts.key.change(
      await makeKey(),
      noCheck,
      (count) => void (missing = count),
    );
    expect(performance.now() - started).toBeLessThan(2_900);
    expect([changed, missing]).toEqual([{ kind: 'changed', unanswered: 2 }, 2]);
    for (const { symbol } of await Promise.all(late)) expect(symbol).toBe('BTC');
  });

  const refusals: ReadonlyArray<
    [string, (key: KeyChange, next: Pair) => Promise<unknown>, unknown]
  > = [
    [
      'whose check fails',
      (key, next) => key.change(next, () => Promise.reject(new Error('unfit')), neverChanged),
      'unfit',
    ],
    [
      'whose stream is refused',
      (key) => key.change({ keyId: 'vk_no', secret: 'vs_no' }, noCheck, neverChanged),
      { kind: 'refused', reason: 'its stream was refused: refused_401_unknown_key' },
    ],
  ];
  test.each(refusals)('%s leaves the old one, and nothing waits', async (_name, change, end) => {
    const parts = open();
    await isOpen(parts);
    const next = await makeKey();
    const changed = await change(parts.key, next).catch(({ message }: Error) => message);
    expect(changed).toEqual(end);
    expect(await command(parts)).toMatchObject({ kind: 'answered' });
    expect((await place(parts)).symbol).toBe('BTC');
    expect(witness.requests.at(-1)!.keyId).toBe(server.keyId);
    expect(parts.states).toEqual(['connecting', 'open']);
  });

  test('signs the next stream of a socket that is down', async () => {
    const parts = open();
    await isOpen(parts);
    const next = await makeKey();
    witness.cut(true);
    await expect.poll(() => parts.states).toContain('lost');
    const changed = await parts.key.change(next, noCheck, () => witness.cut(false));
    expect(changed).toEqual({ kind: 'changed', unanswered: 0 });
    await expect.poll(() => parts.states.at(-1), { timeout: 10_000 }).toBe('open');
    const upgrades = witness.requests.filter(({ path }) => path === '/v1/stream');
    const keys = upgrades.map(({ keyId }) => keyId);
    // On a busy machine it may have tried again before the key was replaced.
    const first = keys.indexOf(next.keyId);
    expect(new Set(keys.slice(0, first))).toEqual(new Set([server.keyId]));
    expect(new Set(keys.slice(first))).toEqual(new Set([next.keyId]));
  });

  test('lets requests pass again when its owner can’t record the change', async () => {
    const parts = open();
    await isOpen(parts);
    const next = await makeKey();
    witness.delay(3_000);
    void place(parts).catch(() => {});
    await expect.poll(() => witness.requests.some(({ method }) => method === 'POST')).toBe(true);
    const fail = (): void => {
      throw new Error('the disk is full');
    };
    await expect(parts.key.change(next, noCheck, fail)).rejects.toThrow('the disk is full');
    witness.delay(0);
    expect((await place(parts)).symbol).toBe('BTC');
  });
});

test('AUTH-8: the socket’s commands go to its wallet, and each request to its own', async () => {
  await server.control('POST', '/paper/connections', { label: 'Two', balance: 5_000 });
  const parts = open({ wallet: 'two' });
  await isOpen(parts);
  expect(await command(parts)).toMatchObject({ kind: 'answered', response: { status: 200 } });
  const of = async (wallet?: string) =>
    (await parts.client.positions.list(wallet === undefined ? {} : { wallet })).items.length;
  expect([await of('two'), await of()]).toEqual([1, 0]);
});

describe('AUTH-3: a clock that is off is learned', () => {
  const skew = (seconds: number) =>
    server.control('POST', '/paper/faults', { kind: 'clock_skew', seconds });

  test.each([90, -90])('from a refused request, for requests: %i s', async (seconds) => {
    await skew(seconds);
    const { keyId: key_id, secret } = server;
    const { client, close } = openService({ ...witness, key_id, secret });
    onTestFinished(close);
    await expect(client.account.get()).rejects.toMatchObject({ code: 'timestamp_out_of_window' });
    expect((await client.account.get()).wallet).toBe('main');
  });

  test.each([90, -90])('from a refused stream, for streams and requests: %i s', async (seconds) => {
    await skew(seconds);
    const parts = open();
    await isOpen(parts);
    expect(parts.states.slice(0, 3)).toEqual(['connecting', 'lost', 'connecting']);
    expect((await parts.client.account.get()).wallet).toBe('main');
  });
});

const folder = mkdtempSync(join(tmpdir(), 'trimtab-tls-'));
const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
const asked =
  `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout ${keyFile} -out ${certFile} ` +
  '-days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost';
const hasOpenssl = spawnSync('openssl', asked.split(' ')).status === 0;

test.skipIf(!hasOpenssl)(
  'a private authority is trusted by requests and by the socket',
  async () => {
    const [key, cert] = [readFileSync(keyFile), readFileSync(certFile)];
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const target = new URL(server.baseUrl);
    const open = new Set<TLSSocket>();
    const proxy = createServer({ key, cert }, (from) => {
      open.add(from);
      const to = connect(Number(target.port), target.hostname);
      for (const end of [from, to]) end.on('error', () => (from.destroy(), to.destroy()));
      from.pipe(to).pipe(from);
    });
    proxy.on('tlsClientError', () => {});
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      for (const socket of open) socket.destroy();
      proxy.close();
    });
    const at = `localhost:${(proxy.address() as AddressInfo).port}`;
    const { keyId: key_id, secret } = server;
    const address = { base_url: `https://${at}`, ws_url: `wss://${at}/v1/stream`, key_id, secret };
    for (const ca of [cert.toString(), undefined]) {
      const states: string[] = [];
      const { client, socket, close } = openService(address, ca === undefined ? {} : { ca });
      onTestFinished(close);
      const listener = { onFrame: () => {}, onFault: () => {} };
      socket.open({ ...listener, onStatus: ({ state }) => void states.push(state) });
      const seen = await client.account.get().then(
        ({ wallet }) => wallet,
        ({ name }: Error) => name,
      );
      expect(seen).toBe(ca === undefined ? 'NotSentError' : 'main');
      await expect.poll(() => states).toContain(ca === undefined ? 'lost' : 'open');
      expect(states.includes('open')).toBe(ca !== undefined);
      await close();
    }
  },
);

test.each(['\r', '\n', '\r\n'])('a line break in an address is refused: %j', (end) => {
  for (const name of ['base_url', 'ws_url', 'key_id', 'secret'] as const) {
    const line = {
      base_url: witness.base_url,
      ws_url: witness.ws_url,
      key_id: 'vk',
      secret: 'vs_s',
    };
    expect(() => openService({ ...line, [name]: `${line[name]}${end}` })).toThrow('line break');
    expect(() => openService({ ...line, [name]: ` ${end}` })).toThrow('is empty');
  }
});
