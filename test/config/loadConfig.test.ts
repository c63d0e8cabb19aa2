import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  formatFaults,
  loadConfig,
  type BotConfig,
  type ConfigFault,
  type LoadOptions,
} from '../../src/config/index.ts';

const PAPER = `name: demo
link: { kind: paper }
paper:
  feeds:
    - { symbol: BTC, interval: 1m, path: btc.csv }
    - { symbol: ETH, interval: 1m, generate: { seed: 7 } }
  connections:
    - { label: Second Wallet }
strategies:
  - use: ../strategies/emaTrend.ts
    name: trend
    symbols: [ETH]
`;

const LIVE = `name: real
link:
  kind: live
  base_url: https://service.example
  key_id: { env: TT_KEY }
  secret: { env: TT_SECRET }
strategies:
  - { use: some-plugin, name: trend, symbols: [ETH], wallet: w1 }
guards: { max_order_notional: 100, max_gross_notional: 500, daily_loss_limit: 50, max_uncovered_seconds: 60 }
journal: journal.sqlite
`;
const KEYS = { TT_KEY: 'vk_abc', TT_SECRET: 'vs_canary7741' };

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'trimtab-config-'));
});
afterEach(async () => {
  await rm(directory, { recursive: true, force: true });
});

async function load(text: string, options: LoadOptions = {}) {
  const file = join(directory, 'bot.yaml');
  await writeFile(file, text);
  return loadConfig(file, { env: {}, ...options });
}

async function configOf(text: string, options: LoadOptions = {}): Promise<BotConfig> {
  const result = await load(text, options);
  if (!result.ok) throw new Error(formatFaults(result.faults));
  return result.config;
}

async function faultsOf(text: string, options: LoadOptions = {}): Promise<ConfigFault[]> {
  const result = await load(text, options);
  return result.ok ? [] : result.faults;
}

async function onlyFault(text: string, options: LoadOptions = {}): Promise<ConfigFault> {
  const faults = await faultsOf(text, options);
  expect(faults, formatFaults(faults)).toHaveLength(1);
  return faults[0]!;
}

/** Line and column (from 1) at which a part of the text begins. */
function placeOf(text: string, part: string) {
  const before = text.slice(0, text.indexOf(part)).split('\n');
  return { line: before.length, column: before.at(-1)!.length + 1 };
}

describe('a good file', () => {
  test('becomes a configuration with defaults, absolute paths and equal capital shares', async () => {
    const config = await configOf(`${PAPER}  - { use: my-plugin, name: other, symbols: [BTC] }\n`);
    expect(config.strategies.map(({ capitalShare }) => capitalShare)).toEqual([0.5, 0.5]);
    expect(config.strategies.map(({ use }) => use)).toEqual([
      join(directory, '../strategies/emaTrend.ts'),
      'my-plugin',
    ]);
    expect(config.strategies[0]?.wallet).toBe('main');
    expect(config).toMatchObject({ stopPolicy: 'leave', report: null, dialect: {}, seed: 1 });
    expect(config.journal).toEqual({ path: 'memory', durability: 'power', keep_days: 90 });
    expect(config.budget).toEqual({ share: 0.9, reserve_share: 0.3, shared: null });
    expect(config.link.kind === 'paper' && config.link.paper.feeds[0]).toMatchObject({
      path: join(directory, 'btc.csv'),
    });
  });

  test('gives a strategy without a share what the others on its wallet leave', async () => {
    const shared = PAPER.replace('symbols: [ETH]', 'symbols: [ETH]\n    capital_share: 0.3');
    const config = await configOf(`${shared}  - { use: p, name: other, symbols: [BTC] }\n`);
    expect(config.strategies.map(({ capitalShare }) => capitalShare)).toEqual([0.3, 0.7]);
  });

  test('restarts a strategy only if configured', async () => {
    const again = PAPER.replace('symbols: [ETH]', 'symbols: [ETH]\n    restart: { max: 2 }');
    const config = await configOf(`${again}  - { use: p, name: other, symbols: [BTC] }\n`);
    expect(config.strategies.map(({ restart }) => restart)).toEqual([
      { max: 2, backoffMs: 30_000, withinMs: 86_400_000 },
      undefined,
    ]);
  });

  test('runs a strategy in a worker if it or the bot is configured so', async () => {
    const own = 'isolation: { worker: { memory_mb: 64 } }';
    const others = `  - { use: p, name: other, symbols: [BTC], ${own} }
  - { use: p, name: third, symbols: [BTC], wallet: second-wallet, isolation: none }
`;
    const config = await configOf(`isolation: worker\n${PAPER}${others}`);
    expect(config.strategies.map(({ isolation }) => isolation)).toEqual([
      { turnDeadlineMs: 1_000, memoryMb: 256 },
      { turnDeadlineMs: 1_000, memoryMb: 64 },
      null,
    ]);
  });

  test('a recording of an asynchronous worker is refused, because it could not be replayed', async () => {
    const text = `isolation: worker\nrecord: ./run.jsonl\n${PAPER}`;
    const paced = text.replace('paper:', 'paper:\n  speed: 60');
    expect((await onlyFault(paced)).reason).toContain('could not be replayed');
    await configOf(text.replace('paper:', 'paper:\n  speed: max'));
  });

  test('DIAL-1: keeps only the dialect values that the file sets', async () => {
    const config = await configOf(`${PAPER}dialect: { headers: { wallet: X-Wallet } }\n`);
    expect(config.dialect).toEqual({ headers: { wallet: 'X-Wallet' } });
  });

  test('names a connection by the slug of its label', async () => {
    const config = await configOf(`${PAPER}    wallet: second-wallet\n`);
    expect(config.strategies[0]?.wallet).toBe('second-wallet');
  });
});

describe('keys and values', () => {
  test.each([
    ['guards: { max_leverag: 3 }', 'max_leverag', 'guards.max_leverag', 'max_leverage'],
    ['stratgies: []', 'stratgies', 'stratgies', 'strategies'],
    ['budget: { reserve_shares: 0.2 }', 'reserve_shares', 'budget.reserve_shares', 'reserve_share'],
    ['dialect: { headers: { walet: x } }', 'walet', 'dialect.headers.walet', 'wallet'],
  ])(
    'an unknown key is reported with its place and the intended key: %s',
    async (line, part, path, meant) => {
      const text = PAPER + line;
      const fault = await onlyFault(text);
      expect(fault).toMatchObject({ path, place: placeOf(text, part), reason: 'unknown key' });
      expect(fault.remedy).toBe(`Did you mean ${meant}?`);
    },
  );

  test('an unknown key inside one of two alternatives is the only complaint', async () => {
    const text = PAPER.replace('path: btc.csv', 'path: btc.csv, pth: x');
    const fault = await onlyFault(text);
    expect(fault).toMatchObject({ path: 'paper.feeds[0].pth', remedy: 'Did you mean path?' });
    const both = PAPER.replace('generate: { seed: 7 }', 'path: eth.csv, generate: { seed: 7 }');
    expect(await onlyFault(both)).toMatchObject({
      path: 'paper.feeds[1].generate',
      reason: "can't stand beside path",
      remedy: 'Leave out generate or path.',
    });
    const generated = PAPER.replace('seed: 7', 'sed: 7');
    expect(await onlyFault(generated)).toMatchObject({
      path: 'paper.feeds[1].generate.sed',
      remedy: 'Did you mean seed?',
    });
  });

  test.each([
    ['{ maker_bp: 1.5 }', 'paper.fees.maker_bp', /maker_bps, taker_bps, service_bps/],
    ['{ BTC: { takr_bps: 3 } }', 'paper.fees.BTC.takr_bps', /^Did you mean taker_bps\?$/],
    ['{ ETH: { venue: kraken } }', 'paper.fees.ETH.venue', /published first-tier fees/],
    ['{ taker_bps: -1 }', 'paper.fees.taker_bps', /basis points/],
  ])('fees of %s are refused at %s', async (fees, path, remedy) => {
    const fault = await onlyFault(PAPER.replace('  feeds:', `  fees: ${fees}\n  feeds:`));
    expect(fault).toMatchObject({ path, remedy: expect.stringMatching(remedy) });
  });

  test.each([
    ['{ BTC: { rate_bps: 1, intervl: 8h } }', 'paper.funding.BTC.intervl', 'intervl', /interval/],
    ['{ BTC: { rate_bps: lots } }', 'paper.funding.BTC.rate_bps', 'lots', /basis points/],
    ['{ BTC: { rate_bps: 2000 } }', 'paper.funding.BTC.rate_bps', '2000', /basis points/],
    ['{ BTC: { rate_bps: 1, interval: 30m } }', 'paper.funding.BTC.interval', '30m', /multiples/],
  ])('funding of %s is refused at %s', async (funding, path, at, remedy) => {
    const text = PAPER.replace('  feeds:', `  funding: ${funding}\n  feeds:`);
    const faults = await faultsOf(text);
    expect(faults[0]).toMatchObject({
      path,
      place: placeOf(text, at),
      remedy: expect.stringMatching(remedy),
    });
  });

  test.each([
    'fees: { BTCC: { taker_bps: 3 } }',
    'funding: { BTCC: { rate_bps: 1 } }',
    'instruments: { BTCC: {} }',
  ])('%s of a symbol without a feed is refused there', async (setting) => {
    const section = setting.slice(0, setting.indexOf(':'));
    const text = PAPER.replace('  feeds:', `  ${setting}\n  feeds:`);
    expect(await onlyFault(text)).toMatchObject({
      code: 'TRIMTAB_CONFIG_NO_FEED',
      path: `paper.${section}.BTCC`,
      place: { line: placeOf(text, 'BTCC').line },
      reason: 'no feed serves the symbol BTCC',
      remedy: 'Did you mean BTC?',
    });
  });

  test('a symbol without a feed and without a near match is refused with the known ones', async () => {
    const text = PAPER.replace('  feeds:', '  fees: { xyz:TSLA: { taker_bps: 3 } }\n  feeds:');
    const { remedy } = await onlyFault(text);
    expect(remedy).toBe('Feeds are of: BTC, ETH. Remove it, or add a feed.');
    const overrides = { feeds: ['xyz:TSLA@1h=t.csv'] };
    await configOf(text, { overrides });
  });

  test('a wrong value is reported with place, value, reason and the meaning of the key', async () => {
    const text = `${PAPER}guards: { max_leverage: lots }`;
    const fault = await onlyFault(text);
    expect(fault).toMatchObject({ place: placeOf(text, 'lots'), reason: 'must be a number' });
    expect(fault.value).toBe('"lots"');
    expect(fault.remedy).toContain('equity');
  });

  test.each(['.inf', '-.inf', '.nan'])('%s is shown as it is written', async (written) => {
    const fault = await onlyFault(`${PAPER}guards: { max_data_age_seconds: ${written} }`);
    expect(fault).toMatchObject({ path: 'guards.max_data_age_seconds', value: written });
  });

  test.each([
    ['"3"', 'Remove the quotes: 3.'],
    ["'0.5'", 'Remove the quotes: 0.5.'],
    ['"10,000"', 'Write it as 10000.'],
    ['10_000', 'Write it as 10000.'],
    ['1 000', 'Write it as 1000.'],
  ])('a number that is written as the text %s is shown as one', async (written, remedy) => {
    const fault = await onlyFault(`${PAPER}guards: { max_leverage: ${written} }`);
    expect(fault.reason).toBe('must be a number');
    expect(fault.remedy).toContain(remedy);
    expect(fault.remedy).toContain('equity');
  });

  test('a number beside a word, a truth value and a text have their quotes named, too', async () => {
    const speed = await onlyFault(PAPER.replace('paper:\n', 'paper:\n  speed: "5"\n'));
    expect(speed.remedy).toContain('Remove the quotes: 5.');
    const paused = await onlyFault(PAPER.replace('paper:\n', 'paper:\n  paused: "true"\n'));
    expect(paused.remedy).toContain('Remove the quotes: true.');
    const named = await onlyFault(PAPER.replace(/^name: .*$/m, 'name: 12'));
    expect(named.remedy).toContain('Put it into quotes: "12".');
  });

  test('a number or a fixed word is described as both', async () => {
    const fault = await onlyFault(PAPER.replace('paper:\n', 'paper:\n  speed: fast\n'));
    expect(fault).toMatchObject({ path: 'paper.speed', reason: 'must be a number or max' });
    const below = await onlyFault(PAPER.replace('paper:\n', 'paper:\n  speed: -1\n'));
    expect(below.reason).toBe('must be at least 0');
  });

  test('keys of a service on a paper link are reported with their link', async () => {
    const link =
      '{ kind: paper, base_url: "https://a.example", ws_url: "wss://a.example", key_id: vk_1, secret: { env: S }, start_retry_seconds: 3, auth_retry_seconds: 3 }';
    const faults = await faultsOf(PAPER.replace('{ kind: paper }', link));
    expect(faults.map(({ path }) => path)).toEqual([
      'link.base_url',
      'link.ws_url',
      'link.key_id',
      'link.secret',
      'link.start_retry_seconds',
      'link.auth_retry_seconds',
    ]);
    for (const { reason, remedy } of faults) {
      expect(reason).toContain('belongs to link.kind live or paper_service');
      expect(remedy).toContain('link.kind');
    }
  });

  test('a replay that would never advance is refused with a remedy', async () => {
    const fault = await onlyFault(PAPER.replace('paper:\n', 'paper:\n  speed: 0\n'));
    expect(fault).toMatchObject({ path: 'paper.speed', place: { line: 4 } });
    expect(fault.remedy).toContain('max');
  });

  test('a misspelt choice suggests the intended one', async () => {
    const fault = await onlyFault(`${PAPER}stop_policy: flaten`);
    expect(fault.reason).toBe('must be one of leave, pause, stop, flatten');
    expect(fault.remedy).toBe('Did you mean flatten?');
    // A backtest, which is on paper whatever the link, refuses it as well.
    const papr = PAPER.replace('kind: paper', 'kind: papr');
    const file = join(directory, 'papr.yaml');
    await writeFile(file, papr);
    const onPaper = await loadConfig(file, { overrides: { onPaper: true } });
    expect(onPaper).toMatchObject({ ok: false, faults: [{ path: 'link.kind' }] });
    expect(await onlyFault(PAPER.replace('kind: paper', 'kind: papr'))).toMatchObject({
      path: 'link.kind',
      remedy: 'Did you mean paper?',
    });
  });

  test('a missing key is reported at the place of its parent', async () => {
    const text = PAPER.replace('    name: trend\n', '');
    const fault = await onlyFault(text);
    expect(fault).toMatchObject({ path: 'strategies[0].name', reason: 'is missing' });
    expect(fault.place?.line).toBe(placeOf(text, '- use').line);
  });

  test('a bound is reported as a number', async () => {
    expect((await onlyFault(`${PAPER}budget: { share: 1.5 }`)).reason).toBe('must be at most 1');
    expect((await onlyFault(`${PAPER}guards: { max_leverage: 0 }`)).reason).toBe('must be above 0');
  });

  test('all faults of a file are reported at once', async () => {
    const faults = await faultsOf(`${PAPER}seed: -1\nreport: 5\nfoo: 1\n`);
    expect(faults.map(({ path }) => path).toSorted()).toEqual(['foo', 'report', 'seed']);
  });

  test('the path of a recording is relative to the file', async () => {
    const { record } = await configOf(`${PAPER}record: seen.jsonl`);
    expect(record).toMatch(/^\/.*\/seen\.jsonl$/);
    expect((await configOf(PAPER)).record).toBeNull();
  });
});

describe('YAML', () => {
  test.each([
    ['a: 1\n\tb: 2', 2],
    ['name: x\nname: y', 2],
    ['name: "x', 1],
    ['name: x\n---\nname: y', 2],
    ['name: !!js/function x', 1],
    ['a: [1, 2', 1],
    ['a: 1\nparams: {{ fast: 10 }\nb: { c: 1 }\nd: 2', 2],
    ['a: 1\nparams: {{ fast: 10 }}\nd: 2', 2],
    ['a: 1\nlist: [1, 2\nb: 3\nd: 2', 2],
    ['a: { b: 1 }\nparams: [ 1, 2\nnext: { c: 2 }\nlast: 3', 2],
    ['a: [1]\nb: { c: 1 }\nparams: { x: 1, y: { z: 1 }\nnext: 5', 3],
  ])('a fault of the syntax has a line and a remedy: %j', async (text, line) => {
    const fault = (await faultsOf(text))[0]!;
    expect(fault.place?.line).toBe(line);
    expect(fault.reason).toMatch(/^not valid YAML: /);
    expect(fault.remedy).not.toBe('');
  });

  test('an empty file and a list are refused without a crash', async () => {
    const overrides = { report: 'r.html', set: ['guards.max_leverage=3'] };
    for (const text of ['', '\n', '# later\n']) {
      expect((await onlyFault(text, { overrides })).reason).toBe('the file is empty');
    }
    // With flags, too: they would have nothing to change.
    for (const overrides of [{}, { journal: 'j.sqlite', set: ['seed=1'] }]) {
      const reasonFor = async (text: string) => (await onlyFault(text, { overrides })).reason;
      expect(await reasonFor('- 1')).toBe('the file holds a list and no keys');
      expect(await reasonFor('time,open,high')).toBe('the file holds one value and no keys');
      expect(await reasonFor('SQLite format 3\0\u0001')).toBe('the file is not text in UTF-8');
      expect(await reasonFor('\uFFFDn\0a\0m\0e\0')).toBe('the file is not text in UTF-8');
    }
  });

  test.each(['__proto__', 'constructor', 'prototype'])('the key %s is refused', async (key) => {
    const text = `${PAPER}    params: { ${key}: { polluted: 1 } }`;
    expect(await onlyFault(text)).toMatchObject({ path: key, reason: 'the key is reserved' });
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });

  test('aliases work, and exponential aliases are refused', async () => {
    const good = PAPER.replace('{ kind: paper }', '&l { kind: paper }');
    expect((await configOf(good)).link.kind).toBe('paper');
    const levels = Array.from(
      { length: 12 },
      (_, n) => `a${n + 1}: &a${n + 1} [${`*a${n},`.repeat(9)}]`,
    );
    const bomb = `a0: &a0 [x,x,x]\n${levels.join('\n')}\n`;
    expect((await onlyFault(bomb)).reason).toContain('alias');
  });

  test('each alias without an anchor before it is placed, and not quoted', async () => {
    const text = PAPER.replace('path: btc.csv', 'path: *word').replace('seed: 7', 'seed: *pass');
    const late = `${text}x: &word 1\n`;
    const faults = await faultsOf(late);
    expect(faults.map(({ place }) => place)).toEqual([
      placeOf(late, '*word'),
      placeOf(late, '*pass'),
    ]);
    for (const { reason, remedy } of faults) {
      expect(reason).toBe('not valid YAML: an alias (*name) has no anchor (&name) before it');
      expect(remedy).toBe('Write the value out, or quote a text that begins with *.');
    }
  });

  test('a fault inside an anchored value is placed where it was written', async () => {
    const text = PAPER.replace('seed: 7', 'seed: &s 7').replace(
      'path: btc.csv',
      'generate: &g { barz: 3 }',
    );
    const aliased = text.replace('{ seed: &s 7 }', '*g');
    const places = (await faultsOf(aliased)).map(({ place }) => place);
    expect(places).toEqual([placeOf(aliased, 'barz'), placeOf(aliased, 'barz')]);
  });

  test('a file that does not exist is a fault with a remedy', async () => {
    const result = await loadConfig(join(directory, 'no.yaml'), { env: {} });
    expect(result.ok ? [] : result.faults).toMatchObject([{ reason: 'the file does not exist' }]);
  });

  test('a folder is called one, and the file in it is the remedy', async () => {
    const result = await loadConfig(directory, { env: {} });
    const remedy = `Name the file in it, such as ${join(directory, 'bot.yaml')}, or make one: trimtab init`;
    expect(result.ok ? [] : result.faults).toMatchObject([{ reason: 'it is a folder', remedy }]);
  });
});

describe('across keys', () => {
  const second = (rest: string) => `${PAPER}  - { use: p, name: other, ${rest} }\n`;

  test.each<[string, string, string, string]>([
    [
      'two owners of one (wallet, symbol)',
      second('symbols: [ETH]'),
      'strategies[1].symbols[0]',
      'owns ETH',
    ],
    [
      'one symbol twice',
      second('symbols: [BTC, BTC]'),
      'strategies[1].symbols[1]',
      'stands here twice',
    ],
    ['a symbol without a feed', second('symbols: [BTCC]'), 'strategies[1].symbols[0]', 'no feed'],
    [
      'a wallet that is no connection',
      second('symbols: [BTC], wallet: mian'),
      'strategies[1].wallet',
      'no wallet',
    ],
    [
      'a name twice',
      PAPER + '  - { use: p, name: trend, symbols: [BTC] }\n',
      'strategies[1].name',
      'already',
    ],
    [
      'a symbol that the guards forbid',
      `${PAPER}guards: { allowed_symbols: [BTC] }`,
      'strategies[0].symbols[0]',
      'denied',
    ],
    [
      'a limit for a symbol nobody trades',
      `${PAPER}guards: { max_order_size: { ETC: 1 } }`,
      'guards.max_order_size.ETC',
      'no strategy',
    ],
    [
      'a second feed of a symbol',
      PAPER.replace('symbol: BTC', 'symbol: ETH'),
      'paper.feeds[1].symbol',
      'serves ETH already',
    ],
    [
      'paper without its section',
      PAPER.replace('paper:\n', 'papr:\n').replace(/papr:[^]*?strategies/, 'strategies'),
      'paper',
      'is missing',
    ],
  ])('%s is refused with its place', async (_, text, path, reason) => {
    const fault = await onlyFault(text);
    expect(fault.path).toBe(path);
    expect(fault.reason).toContain(reason);
    expect(fault.place).not.toBeNull();
  });

  test('the same symbol on two wallets is fine', async () => {
    await configOf(second('symbols: [ETH], wallet: second-wallet'));
  });

  test('near matches of symbols and wallets are suggested', async () => {
    expect((await onlyFault(second('symbols: [BTCC]'))).remedy).toBe('Did you mean BTC?');
    expect((await onlyFault(second('symbols: [BTC], wallet: mian'))).remedy).toBe(
      'Did you mean main?',
    );
  });

  test('shares of one wallet above 1 are refused, 0.1 + 0.2 + 0.7 is not', async () => {
    const share = (first: number, next: number) =>
      PAPER.replace('symbols: [ETH]', `symbols: [ETH]\n    capital_share: ${first}`) +
      `  - { use: p, name: other, symbols: [BTC], capital_share: ${next} }\n`;
    expect((await onlyFault(share(0.6, 0.5))).reason).toContain('add up to 1.1');
    await configOf(share(0.1 + 0.2, 0.7));
    const none = share(1, 1).replace(', capital_share: 1 }', ' }');
    expect((await onlyFault(none)).reason).toContain('leave nothing');
  });
});

describe('live', () => {
  test('needs --live besides the file', async () => {
    expect(await onlyFault(LIVE, { env: KEYS })).toMatchObject({
      path: 'link.kind',
      remedy: expect.stringContaining('--live') as string,
    });
    expect((await configOf(LIVE, { env: KEYS, allowLive: true })).link).toMatchObject({
      kind: 'live',
      baseUrl: 'https://service.example',
      wsUrl: 'wss://service.example/v1/stream',
      keyId: 'vk_abc',
    });
  });

  test.each([
    [
      'a limit',
      LIVE.replace('daily_loss_limit', 'max_position_notional'),
      'guards.daily_loss_limit',
    ],
    [
      'how long a position may stand without a stop',
      LIVE.replace(', max_uncovered_seconds: 60', ''),
      'guards.max_uncovered_seconds',
    ],
    ['a wallet', LIVE.replace(', wallet: w1', ''), 'strategies[0].wallet'],
    ['a journal that remembers', LIVE.replace('journal.sqlite', 'memory'), 'journal'],
    ['https', LIVE.replace('https:', 'http:'), 'link.base_url'],
  ])('needs %s', async (_, text, path) => {
    expect((await onlyFault(text, { env: KEYS, allowLive: true })).path).toBe(path);
  });

  test('says of any settings that are missing all at once', async () => {
    const needed: ReadonlyArray<readonly [text: string, without: string, path: string]> = [
      ['max_order_notional: 100, ', '', 'guards.max_order_notional'],
      ['max_gross_notional: 500, ', '', 'guards.max_gross_notional'],
      ['daily_loss_limit: 50, ', '', 'guards.daily_loss_limit'],
      ['max_uncovered_seconds: 60', '', 'guards.max_uncovered_seconds'],
      [', wallet: w1', '', 'strategies[0].wallet'],
      ['journal.sqlite', 'memory', 'journal'],
    ];
    for (let missing = 0; missing < 2 ** needed.length; missing++) {
      const absent = needed.filter((_row, at) => (missing >> at) % 2 === 1);
      const text = absent.reduce((yaml, [from, to]) => yaml.replace(from, to), LIVE);
      for (const allowLive of [true, false]) {
        if (allowLive && absent.length === 0) continue;
        const faults = await faultsOf(text, { env: KEYS, allowLive });
        const wanted = [...absent.map(([, , path]) => path), ...(allowLive ? [] : ['link.kind'])];
        expect(faults.map(({ path }) => path).toSorted()).toEqual(wanted.toSorted());
      }
    }
  });

  test('needs `off` for positions without a stop limit', async () => {
    const text = LIVE.replace('max_uncovered_seconds: 60', 'max_uncovered_seconds: off');
    const { guards } = await configOf(text, { env: KEYS, allowLive: true });
    expect(guards.max_uncovered_seconds).toBeUndefined();
    const mistaken = LIVE.replace('max_uncovered_seconds: 60', 'max_uncovered_seconds: never');
    expect(await onlyFault(mistaken, { env: KEYS, allowLive: true })).toMatchObject({
      path: 'guards.max_uncovered_seconds',
    });
  });

  test('plain http is for loopback only', async () => {
    const text = LIVE.replace('https://service.example', 'http://127.0.0.1:8730');
    const config = await configOf(text, { env: KEYS, allowLive: true });
    expect(config.link).toMatchObject({ wsUrl: 'ws://127.0.0.1:8730/v1/stream' });
  });
});

describe('secrets', () => {
  const CANARY = 'canary7741';
  const live = (secret: string) => LIVE.replace('{ env: TT_SECRET }', secret);

  test.each([
    'vs_canary7741',
    'canary7741',
    '{ env: vs_canary7741 }',
    '{ value: vs_canary7741 }',
    '{ file: vs_canary7741 }',
    '"canary7741" canary7741',
    '*canary7741',
    '[canary7741]',
    '{ canary: canary7741 }',
  ])('a literal secret is refused and never repeated: secret: %s', async (secret) => {
    const faults = await faultsOf(live(secret), { env: KEYS, allowLive: true });
    expect(faults.length).toBeGreaterThan(0);
    expect(JSON.stringify(faults)).not.toContain(CANARY);
  });

  test('what looks like a secret is not shown even where none belongs', async () => {
    const address = LIVE.replace('https://service', 'https://me:canary7741@service');
    const faults = [
      ...(await faultsOf(address, { env: KEYS, allowLive: true })),
      ...(await faultsOf(`${PAPER}stop_policy: vs_canary7741`)),
      ...(await faultsOf(`${PAPER}guards: { max_leverage: { token: canary7741 } }`)),
    ];
    expect(faults).toHaveLength(3);
    expect(JSON.stringify(faults)).not.toContain(CANARY);
  });

  test('a literal secret is reported with a remedy', async () => {
    const fault = await onlyFault(live('vs_canary7741'), { env: KEYS, allowLive: true });
    expect(fault).toMatchObject({ path: 'link.secret', value: null });
    expect(fault.remedy).toContain('{env: NAME}');
  });

  test('a literal secret of the watchdog is reported as one, whatever it looks like', async () => {
    const watchdog = 'watchdog: { key_id: vk_a, secret: canary7741 }\n';
    const faults = await faultsOf(`${LIVE}${watchdog}`, { env: KEYS, allowLive: true });
    expect(faults).toMatchObject([
      { code: 'TRIMTAB_CONFIG_LITERAL_SECRET', path: 'watchdog.secret', value: null },
    ]);
    expect(JSON.stringify(faults)).not.toContain(CANARY);
  });

  test('an unset or empty variable is named', async () => {
    for (const TT_SECRET of [undefined, '', '  ']) {
      const fault = await onlyFault(LIVE, { env: { ...KEYS, TT_SECRET }, allowLive: true });
      expect(fault).toMatchObject({
        path: 'link.secret',
        place: placeOf(LIVE, '{ env: TT_SECRET'),
      });
      expect(fault.reason).toContain('TT_SECRET');
    }
  });

  test.each(['vs_first\nsecond', 'vs_first\rsecond', 'vs_first\u00a0second'])(
    'a secret that is invalid in a header names the variable, not the secret: %j',
    async (TT_SECRET) => {
      const fault = await onlyFault(LIVE, { env: { ...KEYS, TT_SECRET }, allowLive: true });
      expect(fault).toMatchObject({ code: 'TRIMTAB_CONFIG_SECRET', path: 'link.secret' });
      expect(fault.reason).toContain('the environment variable TT_SECRET holds a line break');
      expect(JSON.stringify(fault)).not.toContain('first');
    },
  );

  test('swapped key id and secret are detected without showing either', async () => {
    const env = { TT_KEY: KEYS.TT_SECRET, TT_SECRET: KEYS.TT_KEY };
    const faults = await faultsOf(LIVE, { env, allowLive: true });
    expect(faults.map(({ path }) => path)).toEqual(['link.key_id', 'link.secret']);
    expect(JSON.stringify(faults)).not.toContain(CANARY);
  });

  test('a secret file is read when it is its owner’s alone', async () => {
    const file = join(directory, 'secret');
    const text = live('{ file: ./secret }');
    const options = { env: KEYS, allowLive: true };
    expect((await onlyFault(text, options)).reason).toContain('does not exist');
    await writeFile(file, '', { mode: 0o600 });
    expect((await onlyFault(text, options)).reason).toContain('is empty');
    await writeFile(file, 'vs_canary7741\n');
    const { link } = await configOf(text, options);
    expect(link.kind === 'live' && link.secret.reveal()).toBe('vs_canary7741');
    await chmod(file, 0o644);
    const open = await onlyFault(text, options);
    expect(open.reason).toContain('others may read');
    expect(open.remedy).toContain('chmod 600');
    expect(JSON.stringify(open)).not.toContain(CANARY);
  });

  describe('in $CREDENTIALS_DIRECTORY', () => {
    const place = (name: string): string => join(directory, 'credentials', name);
    const options = (more = {}): LoadOptions => ({
      env: { ...KEYS, CREDENTIALS_DIRECTORY: join(directory, 'credentials'), ...more },
      allowLive: true,
    });
    const secretOf = async (text: string, how: LoadOptions): Promise<string | false> => {
      const { link } = await configOf(text, how);
      return link.kind === 'live' && link.secret.reveal();
    };
    beforeEach(async () => {
      await mkdir(join(directory, 'credentials'));
      await writeFile(place('secret'), 'vs_credential\n', { mode: 0o400 });
    });

    test('a credential precedes a file of its name beside the configuration', async () => {
      await writeFile(join(directory, 'secret'), 'vs_beside\n', { mode: 0o600 });
      expect(await secretOf(live('{ file: secret }'), options())).toBe('vs_credential');
      expect(await secretOf(live('{ file: ./secret }'), options())).toBe('vs_beside');
    });

    test('without the variable, or a credential of that name, the file is beside it', async () => {
      await writeFile(join(directory, 'secret'), 'vs_beside\n', { mode: 0o600 });
      await writeFile(join(directory, 'other'), 'vs_other\n', { mode: 0o600 });
      for (const CREDENTIALS_DIRECTORY of [undefined, '', 'credentials']) {
        const how = options({ CREDENTIALS_DIRECTORY });
        expect(await secretOf(live('{ file: secret }'), how)).toBe('vs_beside');
      }
      expect(await secretOf(live('{ file: other }'), options())).toBe('vs_other');
    });

    test('a name with a folder is never a credential', async () => {
      await mkdir(join(directory, 'in'));
      const { reason } = await onlyFault(live('{ file: in/../secret }'), options());
      expect(reason).toBe(`the file ${join(directory, 'secret')} does not exist`);
    });

    test('the key id is read there as well', async () => {
      await writeFile(place('key_id'), 'vk_credential\n', { mode: 0o400 });
      const text = live('{ file: secret }').replace('{ env: TT_KEY }', '{ file: key_id }');
      const { link } = await configOf(text, options());
      expect(link).toMatchObject({ keyId: 'vk_credential' });
    });

    test('a missing one names both places', async () => {
      const { reason, remedy } = await onlyFault(live('{ file: nothing }'), options());
      expect(reason).toContain(join(directory, 'nothing'));
      expect(reason).toContain(`${join(directory, 'credentials')} ($CREDENTIALS_DIRECTORY)`);
      expect(remedy).toContain('LoadCredential=');
    });

    test('where there are none, a bare name may be a credential of a unit', async () => {
      const env = { CREDENTIALS_DIRECTORY: undefined };
      const { reason, remedy } = await onlyFault(live('{ file: nothing }'), options(env));
      expect(reason).toBe(`the file ${join(directory, 'nothing')} does not exist`);
      expect(remedy).toContain(`chmod 600 ${join(directory, 'nothing')}`);
      expect(remedy).toContain('a credential of a systemd unit');
      expect(remedy).toContain('LoadCredential=nothing:');
      // With a folder it can't be one.
      const path = await onlyFault(live('{ file: ./nothing }'), options(env));
      expect(path.remedy).not.toContain('systemd');
    });

    test('the mask of an ACL (0440) is no fault there, the right of others is', async () => {
      await chmod(place('secret'), 0o440);
      expect(await secretOf(live('{ file: secret }'), options())).toBe('vs_credential');
      for (const mode of [0o444, 0o460, 0o450]) {
        await chmod(place('secret'), mode);
        const fault = await onlyFault(live('{ file: secret }'), options());
        expect(fault.reason).toContain(`others may read the file ${place('secret')}`);
        expect(JSON.stringify(fault)).not.toContain('vs_credential');
      }
      await writeFile(join(directory, 'beside'), 'vs_beside', { mode: 0o440 });
      const beside = await onlyFault(live('{ file: beside }'), options());
      expect(beside.reason).toContain('others may read');
    });

    test('a literal secret in place of a name is not repeated', async () => {
      const faults = await faultsOf(live('{ file: vs_canary7741 }'), options());
      expect(faults).toHaveLength(1);
      expect(JSON.stringify(faults)).not.toContain(CANARY);
    });
  });

  test('a loaded configuration prints [secret] however it is printed', async () => {
    const config = await configOf(LIVE, { env: KEYS, allowLive: true });
    const shown = [
      JSON.stringify(config),
      inspect(config, { depth: 9, showHidden: true }),
      config.link.kind === 'live' ? String(config.link.secret) : '',
      JSON.stringify(structuredClone(JSON.parse(JSON.stringify(config)))),
    ].join('\n');
    expect(shown).not.toContain(CANARY);
    expect(shown).toContain('[secret]');
  });
});

describe('a journal in PostgreSQL', () => {
  const ELSEWHERE = LIVE.replace('kind: live', 'kind: paper_service');
  const withJournal = (text: string) => ELSEWHERE.replace('journal.sqlite', text);
  const FAR = 'postgres://bot@db.example/trimtab';
  const CANARY = 'canary7741';

  test('is an address alone, or an address with its parts', async () => {
    const url = 'postgres://bot@127.0.0.1:5433/trimtab';
    const { journal } = await configOf(withJournal(url), { env: KEYS });
    expect(journal).toMatchObject({ path: url, durability: 'power', keep_days: 90 });
    expect(journal.url?.reveal()).toBe(url);
    const parts = `{ url: '${FAR}?sslmode=verify-full', account: fleet-1, keep_days: 7 }`;
    const config = await configOf(withJournal(parts), { env: KEYS });
    expect(config.journal).toMatchObject({ path: FAR, account: 'fleet-1', keep_days: 7 });
  });

  test('is read from the environment with its password, which nothing shows', async () => {
    const env = { ...KEYS, DB: `postgres://bot:${CANARY}@127.0.0.1/trimtab` };
    const config = await configOf(withJournal('{ url: { env: DB } }'), { env });
    expect(config.journal.path).toBe('postgres://bot@127.0.0.1/trimtab');
    expect(config.journal.url?.reveal()).toBe(env.DB);
    expect(`${JSON.stringify(config)} ${inspect(config, { depth: 9 })}`).not.toContain(CANARY);
  });

  test.each([
    [
      'a password in the file',
      `postgres://bot:${CANARY}@127.0.0.1/t`,
      'journal',
      'no place for secrets',
    ],
    ['a line without protection', FAR, 'journal', 'sslmode=verify-full'],
    ['no address', '{ url: db.example }', 'journal.url', 'must be an address'],
    ['two places', '{ path: a.sqlite, url: postgres:///t }', 'journal', 'either path or url'],
    ['an address as path', '{ path: postgres:///t }', 'journal', 'write url instead'],
    ['a variable that is not set', '{ url: { env: NONE } }', 'journal.url', 'NONE is not set'],
    [
      'a variable with something else',
      '{ url: { env: ODD } }',
      'journal.url',
      'must be an address',
    ],
  ])('refuses %s', async (_, text, path, reason) => {
    const fault = await onlyFault(withJournal(text), { env: { ...KEYS, ODD: CANARY } });
    expect(fault.path).toBe(path);
    expect(fault.reason).toContain(reason);
    expect(formatFaults([fault])).not.toContain(CANARY);
  });

  test('is not for the embedded paper service, which starts over with each run', async () => {
    const fault = await onlyFault(`${PAPER}journal: postgres:///t\n`);
    expect(fault).toMatchObject({ path: 'journal' });
    expect(fault.reason).toContain('starts over');
  });

  test('--journal is known to the commands that the bot suggests, and the file’s own is not', async () => {
    const moved = await configOf(PAPER, { overrides: { journal: 'moved.sqlite' } });
    expect(moved.journalFlag).toBe(resolve('moved.sqlite'));
    expect(Object.hasOwn(await configOf(PAPER), 'journalFlag')).toBe(false);
  });

  test('--journal takes an address as it is', async () => {
    const overrides = { journal: 'postgres://bot@localhost/trimtab' };
    expect((await configOf(ELSEWHERE, { env: KEYS, overrides })).journal.path).toBe(
      overrides.journal,
    );
  });
});

describe('a budget shared by processes', () => {
  const ELSEWHERE = LIVE.replace('kind: live', 'kind: paper_service');
  const url = 'postgres://bot@127.0.0.1:5433/trimtab';
  const sharedOf = async (text: string, env: Record<string, string> = KEYS) =>
    (await configOf(text, { env })).budget.shared?.reveal();

  test('is in the database of the journal, unless the file says otherwise', async () => {
    const inDatabase = ELSEWHERE.replace('journal.sqlite', url);
    expect(await sharedOf(ELSEWHERE)).toBeUndefined();
    expect(await sharedOf(inDatabase)).toBe(url);
    expect(await sharedOf(`${inDatabase}budget: { shared: false }\n`)).toBeUndefined();
    const env = { ...KEYS, DB: 'postgres:///elsewhere' };
    expect(await sharedOf(`${inDatabase}budget: { shared: { env: DB } }\n`, env)).toBe(env.DB);
    expect(await sharedOf(`${ELSEWHERE}budget: { shared: '${url}' }\n`)).toBe(url);
  });

  test('sending a command to a bot needs neither its key nor its shared budget', async () => {
    const text = `${ELSEWHERE}budget: { shared: { env: NONE } }\n`;
    const config = await configOf(text, { env: {}, withKey: false });
    expect(config).toMatchObject({
      link: { kind: 'paper_service', keyId: '' },
      budget: { shared: null },
    });
    const { link } = config;
    expect(link.kind !== 'paper' && link.secret.reveal()).toBe('');
  });

  test.each([
    ['is not set', {}],
    ['is no address', { DB: 'canary7741' }],
  ])(
    'nor a journal whose address %s, until the journal is opened',
    async (_, env: Record<string, string>) => {
      const text = ELSEWHERE.replace('journal.sqlite', '{ url: { env: DB } }');
      const { journal } = await configOf(text, { env, withKey: false });
      expect(journal.path).toBe('postgres://…');
      const read = () => journal.url?.reveal();
      expect(read).toThrow(/^journal\.url: /);
      expect(read).toThrow(expect.objectContaining({ code: 'TRIMTAB_CONFIG_SECRET' }) as Error);
      expect(read).not.toThrow('canary7741');
      expect(inspect(journal, { depth: 9 })).not.toContain('canary7741');
    },
  );

  test('cannot be shared on a replay clock', async () => {
    const onReplay = ELSEWHERE.replace('paper_service', 'paper_service\n  budget_clock: replay');
    expect(await sharedOf(onReplay.replace('journal.sqlite', url))).toBeUndefined();
    for (const text of [onReplay, PAPER]) {
      const fault = await onlyFault(`${text}budget: { shared: '${url}' }\n`, { env: KEYS });
      expect(fault.path).toBe('budget.shared');
      expect(fault.reason).toContain('in its own time');
    }
  });

  test.each([
    ["'postgres://bot:canary7741@127.0.0.1/t'", 'no place for secrets'],
    ['{ env: NONE }', 'NONE is not set'],
    ['{ env: TT_SECRET }', 'must be an address'],
  ])('refuses %s', async (text, reason) => {
    const fault = await onlyFault(`${ELSEWHERE}budget: { shared: ${text} }\n`, { env: KEYS });
    expect(fault.path).toBe('budget.shared');
    expect(fault.reason).toContain(reason);
    expect(formatFaults([fault])).not.toContain('canary7741');
  });
});

describe('flags over the file', () => {
  test('--feed replaces the feed of its symbol and adds a new one', async () => {
    const feeds = ['ETH@5m=a/eth.csv.gz', 'xyz:TSLA@1h=t.csv'];
    const { link } = await configOf(PAPER, { overrides: { feeds } });
    expect(link.kind === 'paper' && link.paper.feeds).toMatchObject([
      { symbol: 'BTC' },
      { symbol: 'ETH', interval: '5m', path: join(process.cwd(), 'a/eth.csv.gz') },
      { symbol: 'xyz:TSLA', interval: '1h', path: join(process.cwd(), 't.csv') },
    ]);
  });

  test('--set reaches any key, and is checked like the file', async () => {
    const set = ['guards.max_leverage=3', 'strategies[0].params.period=30', 'paper.speed=max'];
    const config = await configOf(PAPER, { overrides: { set } });
    expect(config.guards.max_leverage).toBe(3);
    expect(config.strategies[0]?.params).toEqual({ period: 30 });
    const fault = await onlyFault(PAPER, { overrides: { set: ['guards.max_leverage=-3'] } });
    expect(fault).toMatchObject({ file: '--set guards.max_leverage', place: null });
  });

  test.each([
    [{ feeds: ['BTC=x'] }, 'not a feed'],
    [{ feeds: ['BTC@7m=x'] }, 'unknown interval 7m'],
    [{ feeds: ['BTC@1min=x'] }, 'unknown interval 1min'],
    [{ set: ['nothing'] }, 'not a setting'],
    [{ set: ['name.x=1'] }, 'the key name.x leads nowhere'],
    [{ set: ['strategies.foo=1'] }, 'the key strategies.foo leads nowhere'],
    [
      { set: ['strategies.trend.params.fast=5'] },
      'the key strategies.trend.params.fast leads nowhere',
    ],
    [{ set: ['strategies[7].name=x'] }, 'the key strategies[7].name leads nowhere'],
    // A list goes on where it ends: 2 would be the next one.
    [{ set: ['paper.feeds[3].symbol=X'] }, 'the key paper.feeds[3].symbol leads nowhere'],
  ])('a flag that can’t be read is a fault: %j', async (overrides, reason) => {
    expect((await onlyFault(PAPER, { overrides })).reason).toBe(reason);
  });

  test('a run on paper has nothing of the service that the file trades on', async () => {
    const paper = PAPER.slice(PAPER.indexOf('paper:\n'), PAPER.indexOf('strategies:'));
    const text = `${LIVE}${paper}`.replace('wallet: w1', 'wallet: main');
    const { link } = await configOf(text, { overrides: { onPaper: true } });
    expect(link).toEqual({ kind: 'paper', paper: expect.anything() });
  });

  test('a run on paper needs none of the operator’s secrets', async () => {
    const text = `${PAPER}operate:
  listen: 127.0.0.1:0
  control_token: { env: TRIMTAB_NOT_SET }
  notify: [{ kind: webhook, url: { env: TRIMTAB_NOT_SET_EITHER }, min: ticket }]
`;
    const paths = (await faultsOf(text)).map(({ path }) => path);
    expect(paths).toContain('operate.control_token');
    expect(paths).toContain('operate.notify[0].url');
    const { operate } = await configOf(text, { overrides: { onPaper: true } });
    expect(operate).toMatchObject({ controlToken: null, notify: null });
  });

  test('--set of a section that does not exist blames the flag, and of two the one whose value it is', async () => {
    const unknown = await onlyFault(PAPER, { overrides: { set: ['guard.x=1'] } });
    expect(unknown).toMatchObject({ file: '--set guard.x', place: null, path: 'guard' });
    const set = ['paper.latency.order_ms=5', 'paper.latency.oder_ms=5'];
    const fault = await onlyFault(PAPER, { overrides: { set } });
    expect(fault).toMatchObject({ file: '--set paper.latency.oder_ms', place: null });
  });

  test('--set on a feed that --feed replaces is reported', async () => {
    const feeds = ['ETH@5m=eth.csv'];
    const set = ['paper.feeds[1].generate.seed=3'];
    expect(await onlyFault(PAPER, { overrides: { feeds, set } })).toMatchObject({
      file: '--set paper.feeds[1].generate.seed',
      reason:
        '--feed ETH@5m=eth.csv takes the place of this feed, and there is nothing to generate',
      remedy: 'Leave out one of the two.',
    });
    const other = ['paper.feeds[0].interval=5m'];
    await configOf(PAPER, { overrides: { feeds, set: other } });
  });

  test('--set can’t reach a prototype', async () => {
    const faults = await faultsOf(PAPER, { overrides: { set: ['__proto__.polluted=1'] } });
    expect(faults.length).toBeGreaterThan(0);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });
});

describe('a shadow', () => {
  const withShadow = (shadow: string) => `${PAPER}    shadow: { ${shadow} }\n`;

  test('has an absolute path, no parameters, a tenth of the capital and a worker', async () => {
    const config = await configOf(withShadow('use: ./trend2.ts'));
    expect(config.strategies[0]?.shadow).toEqual({
      use: join(directory, 'trend2.ts'),
      params: {},
      canary: 0.1,
      isolation: { turnDeadlineMs: 1_000, memoryMb: 256 },
    });
    expect((await configOf(PAPER)).strategies[0]?.shadow).toBeUndefined();
  });

  test.each([
    ['10 %', 0.1],
    ['2.5%', 0.025],
    ['100 %', 1],
    ['0.25', 0.25],
  ])('canary: %s', async (written, canary) => {
    const config = await configOf(withShadow(`use: p, isolation: none, canary: ${written}`));
    expect(config.strategies[0]?.shadow).toMatchObject({ use: 'p', canary, isolation: null });
  });

  test.each([
    ['0', 'above 0'],
    ['1.5', 'at most 1'],
    ['0 %', 'above 0'],
    ['110 %', 'at most 1'],
    ['-5 %', 'above 0 and at most 1'],
    ['ten', 'above 0 and at most 1'],
    ['true', 'a number or a text'],
  ])('canary: %s is refused at its place', async (written, reason) => {
    const text = withShadow(`use: p, canary: ${written}`);
    const fault = await onlyFault(text);
    expect(fault).toMatchObject({ path: 'strategies[0].shadow.canary' });
    expect(fault.place).toEqual(placeOf(text, `${written} }`));
    expect(fault.reason).toContain(reason);
  });

  test.each([
    ['params: { a: 1 }', 'strategies[0].shadow.use', 'is missing'],
    ['use: p, kanary: 0.1', 'strategies[0].shadow.kanary', 'unknown'],
  ])('{ %s } is refused', async (written, path, reason) => {
    const fault = await onlyFault(withShadow(written));
    expect(fault).toMatchObject({ path });
    expect(fault.reason).toContain(reason);
  });
});

test('a later stage can place its findings in the file', async () => {
  const text = `${PAPER}    params: { period: fast, lenght: 3 }\n`;
  const result = await load(text);
  if (!result.ok) throw new Error(formatFaults(result.faults));
  const schema = z.strictObject({ period: z.int(), length: z.int().default(2) });
  const path = ['strategies', 0, 'params'];
  const faults = result.faultsOf(path, result.config.strategies[0]?.params, schema);
  expect(faults).toMatchObject([
    { path: 'strategies[0].params.period', place: placeOf(text, 'fast'), value: '"fast"' },
    {
      path: 'strategies[0].params.lenght',
      place: placeOf(text, 'lenght'),
      remedy: 'Did you mean length?',
    },
  ]);
  const use = result.faultAt({
    code: 'TRIMTAB_CONFIG_BAD_VALUE',
    path: ['strategies', 0, 'use'],
    reason: 'r',
    remedy: 'm',
  });
  expect(use.place).toEqual(placeOf(text, '../strategies/emaTrend.ts'));
});
