import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { collectContent } from '../../../backtest/sweep/content/collectContent.ts';
import { fetchObject } from '../../../backtest/sweep/content/fetchObject.ts';
import { openCache } from '../../../backtest/sweep/content/openCache.ts';
import { packFolder, unpackFolder } from '../../../backtest/sweep/content/packFolder.ts';
import { serveContent } from '../../../backtest/sweep/content/serveContent.ts';
import type { SweepContent } from '../../../backtest/sweep/content/SweepContent.ts';
import { writeObjects } from '../../../backtest/sweep/content/writeObjects.ts';
import { isFinal } from '../../../backtest/sweep/FinalRefusal.ts';
import { loadPlanData } from '../../../backtest/sweep/loadPlanData.ts';
import { runPoint } from '../../../backtest/sweep/runPoint.ts';
import type { SweepJob } from '../../../backtest/sweep/SweepPlan.ts';
import { prepareSweep } from '../../../backtest/sweep/workers/prepareSweep.ts';
import { readSignedSweep, signSweep } from '../../../backtest/sweep/workers/signSweep.ts';
import { openSweepKey, publicText } from '../../../backtest/sweep/workers/sweepKey.ts';
import { planSweep } from '../../../src/cli/sweep/planSweep.ts';
import { createLiveEnv, sha256 } from '../../../src/env/index.ts';
import { root } from '../../sourceFiles.ts';

const env = createLiveEnv();
const { privateKey } = generateKeyPairSync('ed25519');
const trusted = [publicText(privateKey)];
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trimtab-content-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const bars = (count: number): string =>
  ['timestamp,open,high,low,close,volume']
    .concat(
      Array.from({ length: count }, (_none, at) => {
        const price = 100 + ((at * 7) % 23);
        return `${1_735_689_600_000 + at * 60_000},${price},${price + 2},${price - 2},${price + 1},5`;
      }),
    )
    .join('\n');

/** A project whose plugin imports another file, with its bars beside it. */
async function openProject(name: string) {
  const home = join(folder, name);
  for (const part of ['bots', 'plugins', 'data'])
    await mkdir(join(home, part), { recursive: true });
  await mkdir(join(home, 'node_modules'));
  const own = {
    trimtab: root,
    rxjs: join(root, 'node_modules/rxjs'),
    zod: join(root, 'node_modules/zod'),
  };
  for (const [each, target] of Object.entries(own))
    await symlink(target, join(home, 'node_modules', each), 'junction');
  await copyFile(join(root, 'strategies/breakout.ts'), join(home, 'plugins/inner.ts'));
  await writeFile(join(home, 'plugins/own.ts'), "export { default } from './inner.ts';\n");
  await writeFile(join(home, 'data/btc.csv'), bars(700));
  const config = join(home, 'bots/bot.yaml');
  await writeFile(
    config,
    `name: swept
link: { kind: paper }
paper:
  feeds: [{ symbol: BTC, interval: 1m, path: ../data/btc.csv }]
  warmup: 500
  speed: max
  budget_clock: replay
strategies: [{ name: breakout, use: ../plugins/own.ts, symbols: [BTC] }]
`,
  );
  const flags = { param: ['channel=10,0'], feed: [], set: [] };
  return { home, config, ...(await planSweep(config, flags)) };
}
const jobs = ['10', '0'].map((value, index): SweepJob => {
  return { index, values: [value], range: {}, window: null, part: 'all' };
});

const object = (bytes: string) => ({
  path: 'data/btc.csv',
  digest: sha256(Buffer.from(bytes)),
  bytes: bytes.length,
});

/** A server that answers everything with this. */
async function serve(status: number, body: string): Promise<string> {
  const server = createServer((_request, response) => response.writeHead(status).end(body));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/btc?X-Signature=secret`;
}

describe('a sweep that brings its code and data', () => {
  test('is computed in an empty place as at home, faults included', async () => {
    const { home, plan, tape } = await openProject('brought');
    const { files, sources } = await collectContent(plan, tape.loaded.config);
    expect([files.config, files.packages, files.feeds.map(({ path }) => path)]).toEqual([
      'bots/bot.yaml',
      null,
      ['data/btc.csv'],
    ]);
    const held = new Map<string, { bytes: Uint8Array }>();
    for (const [digest, source] of sources)
      held.set(digest, { bytes: 'bytes' in source ? source.bytes : await readFile(source.path) });
    const server = await serveContent(held, { host: '127.0.0.1', port: 0 });
    onTestFinished(() => server.close());
    const digests = [...sources.keys()];
    const urls = Object.fromEntries(digests.map((digest) => [digest, `${server.url}${digest}`]));
    const signed = signSweep(
      { plan, content: { ...files, urls, token: server.token } },
      privateKey,
    );
    const bench = await loadPlanData(plan);
    const expected = await Promise.all(jobs.map((job) => runPoint(bench, job)));
    expect(expected[1]).toMatchObject({ fault: expect.stringContaining('channel') });
    await rm(home, { recursive: true });
    const cache = openCache(join(folder, 'empty'), 1e9, env);
    const threads = await prepareSweep(signed, { trusted, config: null, cache });
    const computed = [(await threads.run(jobs[0]!)).result, (await threads.run(jobs[1]!)).result];
    await threads.close();
    expect(JSON.stringify(computed)).toBe(JSON.stringify(expected));
  });

  test('names a path of its own machine, or a package without a lock file, before it starts', async () => {
    const { config, plan, tape } = await openProject('absolute');
    const own = join(folder, 'absolute/plugins/own.ts');
    const text = await readFile(config, 'utf8');
    await writeFile(config, text.replace('../plugins/own.ts', own));
    await expect(collectContent(plan, tape.loaded.config)).rejects.toThrow(
      `${config} names ${own} by its absolute path, which a worker does not have.\n` +
        '  Write it relative to the file: ./../plugins/own.ts.',
    );
    await writeFile(config, text);
    await mkdir(join(folder, 'absolute/node_modules/levels'), { recursive: true });
    await writeFile(
      join(folder, 'absolute/node_modules/levels/package.json'),
      '{ "name": "levels", "version": "1.0.0", "exports": "./main.js" }',
    );
    await writeFile(own, "import 'levels';\nexport { default } from './inner.ts';\n");
    await expect(collectContent(plan, tape.loaded.config)).rejects.toThrow(
      /^A plugin imports the package levels, and no package-lock\.json beside or above .* names its version\.\n {2}Run npm install --package-lock-only there\.$/,
    );
  });

  test('has every file of its tape, and those that parameters name', async () => {
    const { home, config } = await openProject('whole');
    const text = await readFile(config, 'utf8');
    const at = (index: number): number => 1_735_689_600_000 + index * 30_000;
    const lines = (header: string, row: (index: number) => string): string =>
      [header, ...Array.from({ length: 1_400 }, (_none, index) => row(index))].join('\n');
    const written = {
      'trades.csv': lines('time,price,size', (index) => `${at(index)},100,1`),
      'depth.csv': lines(
        'event_ms,U,u,side,price,qty',
        (index) =>
          `${at(index)},${index + 1},${index + 1},${index % 2 === 0 ? 'b,99' : 'a,101'},${1 + index}`,
      ),
      'book.csv': 'last_update_id,side,price,qty\n0,b,99,5\n0,a,101,5',
      'rates.csv': `timestamp,funding_rate\n${at(0)},0.0001\n${at(960)},0.0001`,
      'signals.csv': 'time,side\n1,buy',
    };
    for (const [name, content] of Object.entries(written))
      await writeFile(join(home, 'data', name), content);
    const recorded =
      'path: ../data/btc.csv, trades: ../data/trades.csv, book: ../data/depth.csv, snapshot: ../data/book.csv';
    await writeFile(
      config,
      text
        .replace('path: ../data/btc.csv', recorded)
        .replace('  warmup', '  funding: { BTC: ../data/rates.csv }\n  warmup')
        .replace('own.ts', 'peeks.ts')
        .replace('symbols: [BTC]', 'symbols: [BTC], params: { file: ../data/signals.csv }'),
    );
    await copyFile(join(root, 'test/backtest/plants/peeks.ts'), join(home, 'plugins/peeks.ts'));
    const flags = { param: ['ahead=1,2'], feed: [], set: [] };
    const { plan, tape } = await planSweep(config, flags);
    const { files } = await collectContent(plan, tape.loaded.config);
    expect(files.feeds.map(({ path }) => path).toSorted()).toEqual(
      ['btc.csv', ...Object.keys(written)].map((name) => `data/${name}`).toSorted(),
    );
    const signals = join(home, 'data/signals.csv');
    const swept = await planSweep(config, { ...flags, param: [`file=${signals},none`] });
    await expect(collectContent(swept.plan, swept.tape.loaded.config)).rejects.toThrow(
      `The sweep names ${signals} by its absolute path, which a worker does not have.`,
    );
  });

  test('has the same bytes packed each time, and nothing is unpacked outside of its folder', async () => {
    const { home } = await openProject('packed');
    const paths = ['plugins/own.ts', 'bots/bot.yaml'];
    const packed = await packFolder(home, paths);
    expect(sha256(await packFolder(home, paths.toReversed()))).toBe(sha256(packed));
    const target = join(folder, 'unpacked');
    await unpackFolder(packed, target);
    expect(await readFile(join(target, 'plugins/own.ts'))).toEqual(
      await readFile(join(home, 'plugins/own.ts')),
    );
    const pack = (path: string, format = 'trimtab-pack 1') =>
      gzipSync(JSON.stringify({ format, files: { [path]: '' } }));
    for (const path of ['../out', '/etc/out', 'a/../../out', 'C:/out', 'a\\..\\out', '']) {
      await expect(unpackFolder(pack(path), target), path).rejects.toThrow('outside of the sweep');
    }
    await expect(unpackFolder(pack('a', 'trimtab-pack 2'), target)).rejects.toThrow(
      'packed by another version of Trimtab (trimtab-pack 2, not trimtab-pack 1)',
    );
  });
});

describe('an object', () => {
  const read = async (url: string, bytes = 'right') => {
    const target = join(folder, 'object');
    await fetchObject(object(bytes), { url, token: null, target, env });
    return readFile(target, 'utf8');
  };

  test('is taken from a file or a server if it has its checksum', async () => {
    const path = join(folder, 'source');
    await writeFile(path, 'right');
    expect(await read(pathToFileURL(path).href)).toBe('right');
    expect(await read(await serve(200, 'right'))).toBe('right');
  });

  test.each([
    [
      'another checksum',
      200,
      'wrong',
      /: its SHA-256 is [0-9a-f]{64}, and the plan names [0-9a-f]{64}\.$/,
    ],
    ['more bytes', 200, 'right and more', /: it has more than the 5 bytes of the plan\.$/],
    ['one byte more', 200, 'right!', /: it has more than the 5 bytes of the plan\.$/],
    // It may be there, whole or allowed, a minute later.
    ['fewer bytes', 200, 'rig', /: it has 3 of 5 bytes so far\.$/, false],
    ['no right to read', 403, '', /: the server answers 403 Forbidden\.$/, false],
    ['nothing there yet', 404, '', /: the server answers 404 Not Found\.$/, false],
  ])(
    'with %s is refused, without what its address holds in secret',
    async (_what, status, body, words, isForGood = true) => {
      const url = await serve(status, body);
      await rm(join(folder, 'object'), { force: true });
      const error = await read(url).catch((thrown: unknown) => thrown as Error);
      expect(error).toMatchObject({ message: expect.stringMatching(words) });
      expect((error as Error).message).toMatch(
        /^data\/btc\.csv can't be read from http:\/\/127\.0\.0\.1:\d+\/btc: /,
      );
      expect((error as Error).message).not.toContain('secret');
      expect(isFinal(error)).toBe(isForGood);
      await expect(stat(join(folder, 'object'))).rejects.toThrow('ENOENT');
    },
  );

  test('is followed to another server without a token only, which might be sent there', async () => {
    const asked: Array<string | undefined> = [];
    const [other, first] = [createServer(), createServer()];
    other.on('request', (request: IncomingMessage, response: ServerResponse) => {
      asked.push(request.headers.authorization);
      response.end('right');
    });
    first.on('request', (_request: IncomingMessage, response: ServerResponse) => {
      const { port } = other.address() as AddressInfo;
      response.writeHead(302, { location: `http://127.0.0.1:${port}/` }).end();
    });
    for (const server of [other, first]) {
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      onTestFinished(() => void server.close());
    }
    const url = `http://127.0.0.1:${(first.address() as AddressInfo).port}/`;
    const target = join(folder, 'redirected');
    // Between two attempts no time passes.
    const after: typeof env.timers.after = (ms, run) => env.timers.after(ms < 60_000 ? 0 : ms, run);
    const hurried = { timers: { ...env.timers, after } };
    const fetching = (token: string | null) =>
      fetchObject(object('right'), { url, token, target, env: hurried });
    await expect(fetching('own')).rejects.toThrow("data/btc.csv can't be read from");
    expect(asked).toEqual([]);
    await fetching(null);
    expect(await readFile(target, 'utf8')).toBe('right');
    expect(asked).toEqual([undefined]);
  });

  test('is whole for each of two workers that fetch it at once, of one process id', async () => {
    const whole = 'the first half, the second half';
    const answers: ServerResponse[] = [];
    const server = createServer((_request, response) => {
      response.write(whole.slice(0, 14));
      // What is asked for again after a fault is answered at once.
      if (answers.push(response) > 2) response.end(whole.slice(14));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const target = join(folder, 'at-once');
    const parts = async () =>
      (await readdir(folder)).filter((name) => /^at-once\..*part$/.test(name));
    // Containers that share a disk have the same process id each.
    const [first, second] = [0, 1].map(() =>
      fetchObject(object(whole), { url, token: null, target, env }),
    );
    await expect.poll(() => answers.length).toBe(2);
    await expect.poll(parts).toHaveLength(2);
    answers[0]!.end(whole.slice(14));
    await Promise.race([first, second]);
    expect(await readFile(target, 'utf8')).toBe(whole);
    answers[1]!.end(whole.slice(14));
    await Promise.all([first, second]);
    expect(await readFile(target, 'utf8')).toBe(whole);
    expect(await parts()).toEqual([]);
  });

  test('is served to who has the token, and nothing else is', async () => {
    const bytes = Buffer.from('right');
    const server = await serveContent(new Map([[sha256(bytes), { bytes }]]), {
      host: '127.0.0.1',
      port: 0,
    });
    onTestFinished(() => server.close());
    const status = async (path: string, token?: string): Promise<number> => {
      const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
      return (await fetch(`${server.url}${path}`, { headers })).status;
    };
    expect([
      await status(sha256(bytes)),
      await status(sha256(bytes), 'guess'),
      await status('../../etc/passwd', server.token),
      await status(sha256(bytes), server.token),
    ]).toEqual([401, 401, 404, 200]);
  });
});

describe('the cache of a worker', () => {
  const content = async (name: string, size: number): Promise<SweepContent> => {
    const source = join(folder, name);
    await mkdir(source, { recursive: true });
    await writeFile(join(source, 'bot.yaml'), name);
    const code = await packFolder(source, ['bot.yaml']);
    const feed = Buffer.alloc(size, name);
    const sources = new Map([code, feed].map((bytes) => [sha256(bytes), { bytes }] as const));
    await writeObjects(join(folder, 'shared'), sources);
    const urlOf = (digest: string) => pathToFileURL(join(folder, 'shared', digest)).href;
    return {
      code: { path: '.', digest: sha256(code), bytes: code.length },
      feeds: [{ path: 'btc.csv', digest: sha256(feed), bytes: size }],
      config: 'bot.yaml',
      flags: [],
      packages: null,
      urls: Object.fromEntries([...sources.keys()].map((digest) => [digest, urlOf(digest)])),
      token: null,
    };
  };

  test('keeps within its limit what was used last, and says so where that is too much', async () => {
    const home = join(folder, 'bounded');
    const cache = openCache(home, 25_000, env);
    const [first, second, large] = [
      await content('first', 10_000),
      await content('second', 10_000),
      await content('large', 20_000),
    ];
    const folders = [await cache.prepare(first), await cache.prepare(second)];
    const objectOf = (one: SweepContent) => join(home, 'objects', one.feeds[0]!.digest);
    await expect(cache.prepare(large)).rejects.toThrow(
      /^The cache .* has no room for 20000 bytes: \d+ of 25000 are in use\.\n {2}Start the worker with a larger --cache-limit\.$/,
    );
    const old = Date.now() / 1_000 - 7_200;
    for (const path of [folders[0]!, objectOf(first)]) await utimes(path, old, old);
    for (const path of [folders[1]!, objectOf(second)]) await utimes(path, old + 1, old + 1);
    await cache.prepare(large);
    await expect(stat(objectOf(first))).rejects.toThrow('ENOENT');
    await expect(stat(objectOf(second))).rejects.toThrow('ENOENT');
    expect((await stat(objectOf(large))).size).toBe(20_000);
  });

  test('does not count as free what a folder in use still has', async () => {
    const home = join(folder, 'linked');
    const cache = openCache(home, 25_000, env);
    const [used, next] = [await content('used', 20_000), await content('next', 20_000)];
    const folderOf = await cache.prepare(used);
    const old = Date.now() / 1_000 - 7_200;
    // Its worker touches the folder alone.
    for (const { digest } of [used.code, used.feeds[0]!])
      await utimes(join(home, 'objects', digest), old, old);
    await expect(cache.prepare(next)).rejects.toThrow(
      /^The cache .* has no room for 20000 bytes: 20\d\d\d of 25000 are in use\./,
    );
    expect((await stat(join(folderOf, 'btc.csv'))).size).toBe(20_000);
  });

  test('counts nothing for what another worker has renamed or removed meanwhile', async () => {
    const home = join(folder, 'shared-cache');
    for (const part of ['objects', 'folders']) {
      await mkdir(join(home, part), { recursive: true });
      // It is listed, and not there when it is looked at.
      await symlink(join(folder, 'nowhere'), join(home, part, 'a.17.part'));
    }
    const one = await content('raced', 100);
    const folderOf = await openCache(home, 1e6, env).prepare(one);
    expect((await stat(join(folderOf, 'btc.csv'))).size).toBe(100);
  });

  test('fetches again what its disk has changed', async () => {
    const home = join(folder, 'changed');
    const one = await content('one', 100);
    const folderOf = await openCache(home, 1e6, env).prepare(one);
    const path = join(home, 'objects', one.feeds[0]!.digest);
    await rm(folderOf, { recursive: true });
    await writeFile(path, 'changed');
    await openCache(home, 1e6, env).prepare(one);
    expect((await readFile(path, 'utf8')).startsWith('oneone')).toBe(true);
  });

  test('makes a folder anew that a power cut has left incomplete, and keeps a whole one', async () => {
    const home = join(folder, 'cut');
    const one = await content('cut-off', 100);
    const cache = openCache(home, 1e6, env);
    const folderOf = await cache.prepare(one);
    const [code, feed] = ['bot.yaml', 'btc.csv'].map((name) => join(folderOf, name));
    const { ino } = await stat(folderOf);
    expect(await cache.prepare(one)).toBe(folderOf);
    expect((await stat(folderOf)).ino).toBe(ino);
    for (const damage of [
      () => writeFile(code!, ''),
      () => rm(code!),
      () => writeFile(feed!, 'cut'),
      () => rm(feed!),
    ]) {
      await damage();
      expect(await cache.prepare(one)).toBe(folderOf);
      expect(await readFile(code!, 'utf8')).toBe('cut-off');
      expect((await readFile(feed!)).length).toBe(100);
    }
    expect(await readdir(join(home, 'folders'))).toHaveLength(1);
  });

  test('says of a folder that it is in use, every ten minutes', async () => {
    const cache = openCache(join(folder, 'touched'), 1e6, env);
    const folderOf = await cache.prepare(await content('touched-one', 100));
    const old = Date.now() / 1_000 - 7_200;
    const age = async () => Math.round((Date.now() - (await stat(folderOf)).mtimeMs) / 3_600_000);
    await utimes(folderOf, old, old);
    await cache.touch(folderOf);
    expect(await age()).toBe(0);
    await utimes(folderOf, old, old);
    await cache.touch(folderOf);
    expect(await age()).toBe(2);
  });
});

describe('a signed sweep', () => {
  const sweep = { plan: {} as never, content: null };
  const signed = signSweep(sweep, privateKey);

  test('is read with its key, and with no other', () => {
    expect(readSignedSweep(signed, trusted)).toEqual(sweep);
    expect(() => readSignedSweep(signed, [])).toThrow(
      `Its plan is signed with the key ${trusted[0]}, which this worker was not given.`,
    );
  });

  test.each([
    ['without a signature', JSON.stringify({ plan: {} }), 'Its plan is not signed.'],
    ['that is no JSON', 'plan', 'Its plan is not signed.'],
    ['that was changed', signed.replace('null', 'true'), 'The signature of its plan is wrong'],
    [
      'that names a trusted key and was signed by another',
      signSweep(sweep, generateKeyPairSync('ed25519').privateKey).replace(
        /"key":"[^"]+"/,
        `"key":"${trusted[0]}"`,
      ),
      'The signature of its plan is wrong',
    ],
  ])('%s is refused', (_what, text, words) => {
    expect(() => readSignedSweep(text, trusted)).toThrow(words);
  });

  test('its key is made once, for its owner alone, and another file is refused', async () => {
    const path = join(folder, 'keys/sweep.key');
    const key = await openSweepKey(path);
    expect((await stat(path)).mode & 0o077).toBe(0);
    expect(publicText(await openSweepKey(path))).toBe(publicText(key));
    await writeFile(path, 'password');
    await expect(openSweepKey(path)).rejects.toThrow(
      /sweep\.key is no Ed25519 key in PEM: (?!.*password)/,
    );
  });
});
