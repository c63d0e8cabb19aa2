import { chmodSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { formatFault, loadConfig } from '../../src/config/index.ts';
import { everyGuard } from '../config/everyGuard.ts';
import { expectRecorded, type Outcome } from './expectRecorded.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'trimtab-configurations-')));
afterAll(() => rmSync(folder, { recursive: true }));
const file = join(folder, 'bot.yaml');
const ENV = {
  KEY_ID: 'vk_of_the_environment',
  SECRET: `vs_${'s'.repeat(40)}`,
  TOKEN: 't'.repeat(40),
  TELEGRAM: `123456789:${'a'.repeat(35)}`,
  OTHER: 'u'.repeat(40),
  HOOK: 'https://hooks.example/services/one',
  MAIL: 'smtps://me:pass@mail.example:465',
  DB: 'postgres://user:pass@db.example/bots?sslmode=verify-full',
  BAD: 'ftp://nowhere',
  EMPTY: '',
};
for (const [name, mode] of [
  ['secret', 0o600],
  ['open', 0o644],
  ['empty', 0o600],
] as const) {
  writeFileSync(join(folder, name), name === 'empty' ? '' : `vs_${'f'.repeat(40)}\n`);
  chmodSync(join(folder, name), mode);
}

const guards = { ...everyGuard, warn_uncovered_seconds: 11 };
const strategies = [
  {
    use: './one.ts',
    name: 'one',
    symbols: ['BTC'],
    wallet: 'main',
    capital_share: 0.4,
    restart: { max: 3, backoff_seconds: 4, within_seconds: 5 },
    isolation: 'none',
    params: { period: 6 },
    shadow: { use: './two.ts', params: { period: 8 }, canary: '25 %', isolation: 'none' },
  },
  { use: 'package/two', name: 'two', symbols: ['ETH'], wallet: 'side' },
];
const quiet = { from: '22:00', until: '06:30', tz: 'Europe/Berlin' };
const operate = {
  listen: '0.0.0.0:9464',
  read_token: { env: 'TOKEN' },
  control_token: { env: 'OTHER' },
  hosts: ['bots.example'],
  tls_in_front: true,
  notify: [
    {
      kind: 'webhook',
      url: { env: 'HOOK' },
      template: 'slack',
      min: 'ticket',
      digest_seconds: 5,
      repeat_minutes: 6,
      quiet_hours: quiet,
    },
    { kind: 'telegram', token: { env: 'TELEGRAM' }, chat: 1234 },
    {
      kind: 'email',
      url: { env: 'MAIL' },
      to: ['a@example.org'],
      from: 'b@example.org',
      min: 'report',
    },
  ],
};

/** Files that say everything between them. */
const WHOLE: Readonly<Record<string, Record<string, unknown>>> = {
  paper: {
    name: 'whole',
    link: { kind: 'paper' },
    paper: {
      feeds: [
        {
          symbol: 'BTC',
          interval: '1m',
          path: './btc.csv',
          book: './book.csv',
          snapshot: './snap.csv',
        },
        { symbol: 'ETH', interval: '1m', generate: { seed: 3, bars: 900, start_price: 10 } },
      ],
      balance: 500,
      connections: [{ label: 'Side', balance: 100, status: 'active' }],
      speed: 'max',
      paused: false,
      warmup: 40,
      port: 8_731,
      budget_clock: 'replay',
      limits: 'on',
      tier: 'elite',
      retention: 900,
      instruments: { BTC: { size_decimals: 3 } },
      fees: { venue: 'binance', maker_bps: 1, taker_bps: 2, service_bps: 0.5 },
      half_spread_bps: 2,
      impact_bps: 3,
      volume_share: 0.2,
      fill_on_touch: true,
      latency: { order_ms: 5, cancel_ms: { median: 5, p99: 50 }, data_ms: 0 },
      state: './state.json',
      funding: { BTC: './funding.csv', ETH: { rate_bps: 0.5, interval: '8h' } },
    },
    strategies,
    isolation: { worker: { turn_deadline_seconds: 2.5, memory_mb: 99 } },
    guards,
    budget: { share: 0.5, reserve_share: 0.1, weight_per_minute: 600 },
    journal: { path: './bot.sqlite', durability: 'process', keep_days: 3 },
    stop_policy: 'flatten',
    stop_seconds: 1.5,
    report: './out/report.html',
    record: '/var/run.jsonl',
    sweep: {
      params: { period: [1, 2] },
      objective: 'pnl',
      random: 5,
      walk_forward: { kind: 'rolling', train_days: 2, test_days: 1 },
    },
    seed: 77,
  },
  live: {
    name: 'real',
    link: {
      kind: 'live',
      base_url: 'https://service.example',
      ws_url: 'wss://service.example/v1/stream',
      key_id: { env: 'KEY_ID' },
      secret: { env: 'SECRET' },
      start_retry_seconds: 5,
      auth_retry_seconds: 6,
    },
    strategies: strategies.map(({ isolation: _none, ...one }) => one),
    guards,
    protection: 'reattach',
    budget: { share: 0.5, reserve_share: 0.1, shared: { env: 'DB' } },
    journal: { url: { env: 'DB' }, account: 'bots', control_directory: './control', keep_days: 3 },
    stop_policy: 'stop',
    dialect: {
      headers: { wallet: 'X-Wallet' },
      names: {
        fields: { symbol: 'market' },
        words: { side: { buy: 'BUY' } },
        clientIdPrefix: 'c:',
      },
      signing: {
        timestampToleranceSeconds: 20,
        signQueryString: false,
        idempotencyConflict: 'replay',
      },
      limits: {
        bodyBytes: 1_000,
        pageDefault: 10,
        pageMax: 20,
        idempotencyHours: 12,
        pacemakerMinSeconds: 30,
      },
      budget: { window: 'fixed', windowMs: 1_000, standard: 100 },
      stream: { lacks: ['markets'], serverPingMs: 1_000 },
      venue: { minOrderValue: 1, algoMinValue: 2, marketSlippageBps: 3 },
    },
    dialect_module: './dialect.ts',
    watchdog: { key_id: 'vk_watch', secret: { file: './secret' }, silence_seconds: 33 },
    operate,
  },
  paper_service: {
    name: 'served',
    link: {
      kind: 'paper_service',
      base_url: 'http://127.0.0.1:8730',
      key_id: 'vk_paper',
      secret: { file: './secret' },
      budget_clock: 'replay',
    },
    strategies: [
      {
        use: './one.ts',
        name: 'one',
        symbols: ['BTC'],
        wallet: 'main',
        isolation: { worker: { memory_mb: 64 } },
      },
    ],
    journal: './bot.sqlite',
    operate: { listen: '127.0.0.1:9464' },
  },
};

/** What takes the place of a value. */
const VALUES: readonly unknown[] = [
  null,
  '',
  'x',
  'Main',
  'off',
  0,
  -1,
  0.5,
  1.5,
  101,
  1e12,
  true,
  [],
  {},
  ['a', 'a'],
  { env: 'EMPTY' },
  { env: 'NONE' },
  { env: 'BAD' },
  { file: './secret' },
  { file: './open' },
  { file: './empty' },
  { file: './none' },
  './a.b',
  'vs_abcdefgh12345678',
  'http://example.org',
  'BTC',
];

type Path = ReadonlyArray<string | number>;

function pathsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  const own = path.length === 0 ? [] : [path];
  return [
    ...own,
    ...Object.entries(value).flatMap(([key, held]) =>
      pathsOf(held, [...path, Array.isArray(value) ? Number(key) : key]),
    ),
  ];
}

/** A copy in which the holder of a path's end is changed. */
function changed(
  whole: Record<string, unknown>,
  path: Path,
  change: (holder: Record<string | number, unknown>, key: string | number) => void,
): Record<string, unknown> {
  const copy = structuredClone(whole);
  const holder = path.slice(0, -1).reduce<unknown>((at, key) => (at as never)[key], copy);
  change(holder as Record<string | number, unknown>, path.at(-1)!);
  return copy;
}

/** Every change of one value that is tried: without it, another one, a misspelt key, an element twice. */
function changesOf(
  whole: Record<string, unknown>,
): Array<{ path: Path; name: string; value: Record<string, unknown> }> {
  return pathsOf(whole).flatMap((path, at) => {
    const named = (name: string, change: Parameters<typeof changed>[2]) => ({
      path,
      name: `${path.join('.')} ${name}`,
      value: changed(whole, path, change),
    });
    const isElement = typeof path.at(-1) === 'number';
    const others = VALUES.filter((_value, index) => (index + at) % 7 === 0);
    return [
      named('is gone', (holder, key) => {
        if (Array.isArray(holder)) holder.splice(Number(key), 1);
        else delete holder[key];
      }),
      isElement
        ? named('twice', (holder, key) => void (holder as unknown as unknown[]).push(holder[key]))
        : named('misspelt', (holder, key) => {
            holder[`${key}s`] = holder[key];
            delete holder[key];
          }),
      ...others.map((value) =>
        named(`is ${JSON.stringify(value)}`, (holder, key) => void (holder[key] = value)),
      ),
    ];
  });
}

async function load(
  text: string,
  options: Parameters<typeof loadConfig>[1] = {},
): Promise<string[]> {
  writeFileSync(file, text);
  const loaded = await loadConfig(file, { env: ENV, allowLive: true, ...options });
  const lines = loaded.ok
    ? [JSON.stringify(loaded.config)]
    : loaded.faults.map((fault) => `${formatFault(fault)} ${JSON.stringify(fault)}`);
  return lines.map((line) => line.replaceAll(folder, 'FOLDER').replaceAll(process.cwd(), 'HERE'));
}

test('each change of a configuration has the outcome that it had before', async () => {
  const outcomes = new Map<string, Outcome>();
  for (const [kind, whole] of Object.entries(WHOLE)) {
    const lines = await load(stringify(whole));
    expect(lines.filter((line) => !line.startsWith('{'))).toEqual([]);
    outcomes.set(kind, new Map([['whole', lines]]));
    const sections = new Map<string, { refused: string[]; accepted: string[] }>();
    for (const { path, name, value } of changesOf(whole)) {
      const section = path
        .slice(0, 2)
        .filter((key) => typeof key === 'string')
        .join('.');
      const found = sections.get(section) ?? { refused: [], accepted: [] };
      sections.set(section, found);
      const lines = await load(stringify(value));
      const isTaken = lines.length === 1 && lines[0]!.startsWith('{');
      found[isTaken ? 'accepted' : 'refused'].push(name, ...lines);
    }
    for (const [section, found] of sections)
      outcomes.set(
        `${kind} ${section}`,
        new Map(Object.entries(found).filter(([, lines]) => lines.length > 0)),
      );
  }
  await expectRecorded('configurations', outcomes);
}, 300_000);

/** Texts that are no configuration, or not quite. */
const TEXTS: Readonly<Record<string, string>> = {
  empty: '',
  'a comment': '# nothing\n',
  'a list': '- a\n- b\n',
  'a word': 'name',
  'not YAML': 'name: [a\nlink: }\n',
  'a key twice': 'name: a\nname: b\n',
  'two documents': 'name: a\n---\nname: b\n',
  'an alias': 'name: &a x\nlink: *a\n',
  'aliases of aliases': 'a: &a [x,x]\nb: &b [*a,*a]\nc: [*b,*b]\n',
  'a tag': 'name: !!js/function x\n',
  tabs: 'name: a\n\tlink: b\n',
  'no kind': 'name: a\nlink: {}\nstrategies: []\n',
  'an unknown kind': 'name: a\nlink: { kind: papr }\nstrategies: []\n',
  'a number as key': '1: a\n',
  'a merge key': 'a: &a { name: x }\n<<: *a\n',
};

/** Addresses of a service and of its stream. */
const ADDRESSES = [
  'http://service.example',
  'http://localhost:1',
  'https://me:word@service.example',
  'https://service.example/v1',
  'https://service.example/?a=1#b',
  'ws://service.example',
  'ws://127.0.0.1:1/v1/stream',
  'wss://service.example',
  'service.example',
];

/** What a command line changes. */
const OVERRIDES: ReadonlyArray<Record<string, unknown>> = [
  { set: ['guards.max_leverage=3', 'strategies[0].params.period=9'] },
  { set: ['guards.max_leverage'] },
  { set: ['guards.max_levrage=3'] },
  { set: ['strategies[7].name=x'] },
  { set: ['strategies[two].capital_share=0.2'] },
  { set: ['=3'] },
  { set: ['seed=[1'] },
  { set: ['paper.feeds[0].path=other.csv'] },
  { params: ['period=3'] },
  { params: ['one.period=3', 'two.period=4'] },
  { params: ['three.period=3'] },
  { params: ['period'] },
  { feeds: ['BTC@5m=b.csv'] },
  { feeds: ['SOL@5m=b.csv'] },
  { feeds: ['BTC=b.csv'] },
  { feeds: ['BTC@7m=b.csv'] },
  { journal: './other.sqlite' },
  { journal: 'memory' },
  { report: './other.html' },
  { seed: '5' },
  { seed: 'x' },
  { onPaper: true },
];

test('other texts, overrides and permissions have the outcome that they had before', async () => {
  const texts: string[] = [];
  for (const [name, text] of Object.entries(TEXTS)) texts.push(name, ...(await load(text)));
  const rest = new Map<string, string[]>([
    ['texts', texts],
    ['overrides', []],
    ['options', []],
  ]);
  for (const [kind, whole] of Object.entries(WHOLE)) {
    for (const overrides of OVERRIDES)
      rest
        .get('overrides')!
        .push(
          `${kind} ${JSON.stringify(overrides)}`,
          ...(await load(stringify(whole), { overrides })),
        );
    for (const options of [
      { allowLive: false },
      { withKey: false },
      { env: {} },
      { withKey: false, env: {} },
    ])
      rest
        .get('options')!
        .push(`${kind} ${JSON.stringify(options)}`, ...(await load(stringify(whole), options)));
  }
  const addresses: string[] = [];
  for (const kind of ['live', 'paper_service'])
    for (const key of ['base_url', 'ws_url'])
      for (const url of ADDRESSES) {
        const whole = WHOLE[kind]!;
        const link = { ...(whole['link'] as object), [key]: url };
        addresses.push(`${kind} ${key} ${url}`, ...(await load(stringify({ ...whole, link }))));
      }
  rest.set('addresses', addresses);
  const missing = await loadConfig(join(folder, 'none.yaml'), { env: ENV });
  rest.get('options')!.push(JSON.stringify(missing).replaceAll(folder, 'FOLDER'));
  await expectRecorded('configurationTexts', new Map([['configuration', rest]]));
});
