import { request as httpRequest } from 'node:http';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, test } from 'vitest';
import { Secret } from '../../src/config/index.ts';
import { createLiveEnv } from '../../src/env/index.ts';
import { createSqliteStore } from '../../src/journal/index.ts';
import { openOperator, type Operator } from '../../src/operate/serve/index.ts';
import { drawRun } from '../backtest/walks/drawRun.ts';
import { runDriven } from '../backtest/runParity.ts';
import { configOf } from '../operate/watchedBot.ts';
import { expectRecorded, type Outcome } from './expectRecorded.ts';
import { fillJournal } from './fillJournal.ts';

const folder = mkdtempSync(join(tmpdir(), 'trimtab-served-'));
afterAll(() => rmSync(folder, { recursive: true }));

const TOKENS = {
  read: 'read-token-0123456789-0123456789',
  control: 'control-token-0123456789-0123456789',
};
const live = createLiveEnv();
const TIME = Date.UTC(2026, 0, 5);
const CHANGING = /"(config_hash|version)":"[^"]*"/g;
/** What the machine says of itself. */
const NOISE = /build_info|disk|loop|process|heap|version/i;

const plain = (line: string): string =>
  line.replaceAll(folder, 'FOLDER').replaceAll(CHANGING, '"$1":""');

interface Asked {
  method?: string;
  path: string;
  token?: string | null;
  body?: string;
  headers?: Record<string, string>;
}

function ask(
  socketPath: string,
  { method = 'GET', path, token = TOKENS.read, body, headers = {} }: Asked,
): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const authorization = token === null ? {} : { authorization: `Bearer ${token}` };
    const type =
      body === undefined
        ? {}
        : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) };
    const sent = httpRequest(
      {
        socketPath,
        method,
        path,
        agent: false,
        headers: { host: 'localhost', ...authorization, ...type, ...headers },
      },
      (response) => {
        let text = '';
        const {
          date: _date,
          'content-length': _length,
          connection: _connection,
          'keep-alive': _alive,
          ...rest
        } = response.headers;
        const end = (): void =>
          resolve([
            `${method} ${path} ${token} ${body} → ${response.statusCode} ${JSON.stringify(rest)}`,
            ...text.split('\n').filter((line) => !NOISE.test(line) || line.startsWith('{')),
          ]);
        response.setEncoding('utf8').on('data', (part: string) => {
          text += part;
          // A stream does not end by itself.
          if (
            rest['content-type']?.startsWith('text/event-stream') === true &&
            text.includes('\n\n')
          ) {
            response.destroy();
            end();
          }
        });
        response.on('end', end);
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Requests of every route, well and not. */
function requestsFor(keys: readonly string[]): Readonly<Record<string, readonly Asked[]>> {
  const post = (path: string, body: unknown, token: string | null = TOKENS.control): Asked => ({
    method: 'POST',
    path,
    token,
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const reason = 'a drill';
  return {
    reads: [
      '/healthz',
      '/readyz',
      '/metrics',
      '/api/state',
      '/api/candles?symbol=BTC',
      '/api/candles?symbol=ETH',
      '/api/candles?symbol=NONE',
      '/api/candles',
      '/api/report?day=2026-01-05',
      '/api/report',
      '/api/report?day=yesterday',
      '/api/intents',
      '/api/intents?limit=3',
      '/api/intents?limit=0',
      '/api/intents?state=denied,unknown',
      '/api/intents?state=sent',
      '/api/intents?strategy=trend&limit=2',
      '/api/intents?strategy=nobody',
      '/api/intents?cursor=x',
      '/api/none',
      '/',
      '/page.css?x',
      '/api/state/',
    ]
      .filter((path) => path !== '/page.css?x')
      .map((path) => ({ path })),
    intents: [
      ...keys.map((key) => ({ path: `/api/intents/${key}` })),
      { path: `/api/intents/${keys[0]!.slice(0, 6)}` },
      { path: '/api/intents/zz' },
      { path: '/api/intents/%00' },
    ],
    admission: [
      ...['/healthz', '/readyz', '/metrics', '/api/state', '/'].flatMap((path) => [
        { path, token: null },
        { path, token: 'wrong' },
        { path, token: TOKENS.control },
      ]),
      { path: '/api/state', headers: { host: 'evil.example' } },
      { path: '/api/state', headers: { origin: 'https://evil.example' } },
      { method: 'PUT', path: '/api/state' },
      { method: 'HEAD', path: '/api/state' },
      { method: 'OPTIONS', path: '/api/kill' },
      post('/api/kill', { level: 'L1', reason }, TOKENS.read),
      post('/api/kill', { level: 'L1', reason }, null),
      { ...post('/api/kill', { level: 'L1', reason }), headers: { 'content-type': 'text/plain' } },
      {
        ...post('/api/kill', { level: 'L1', reason }),
        headers: { origin: 'https://evil.example' },
      },
    ],
    commands: [
      post('/api/kill', ''),
      post('/api/kill', '{'),
      post('/api/kill', []),
      post('/api/kill', { level: 'L9', reason }),
      post('/api/kill', { level: 'L1' }),
      post('/api/kill', { level: 'L1', reason: '' }),
      post('/api/kill', { level: 'L1', reason: 'x'.repeat(5_000) }),
      post('/api/kill', { level: 'L1', reason: 'a\nb' }),
      post('/api/kill', { level: 'L1', reason, more: 1 }),
      post('/api/kill', `{"level":"L1","reason":"${'y'.repeat(70_000)}"}`),
      post('/api/strategies/nobody/pause', { reason }),
      post('/api/strategies/nobody/promote', { reason }),
      post('/api/settle', { key: keys[4], as: 'perhaps', reason }),
      post('/api/settle', { key: keys[4], reason }),
      post('/api/rearm', {}),
      post('/api/none', { reason }),
    ],
  };
}

test('the operator’s server answers as before', async () => {
  const outcomes = new Map<string, Outcome>();
  for (const [seed, hasControl] of [
    [3, true],
    [4, true],
    [8, false],
  ] as const) {
    const place = join(folder, `${seed}.sqlite`);
    const store = createSqliteStore(place);
    const keys = await fillJournal(store, TIME);
    await store.close();
    const socket = join(folder, `${seed}.sock`);
    const { tape } = drawRun(`served ${seed}`);
    let operator: Operator | undefined;
    let names: readonly string[] = [];
    await runDriven({
      ...tape,
      async onBot({ bot, plan, env, link }) {
        names = plan.strategies.map(({ name }) => name);
        const operate = {
          listen: { socket },
          hosts: [],
          readToken: new Secret(TOKENS.read),
          controlToken: hasControl ? new Secret(TOKENS.control) : null,
          notify: null,
          uncoveredSeconds: 60,
        };
        const config = configOf(plan, {
          operate,
          journal: { path: place, durability: 'process', keep_days: 90 },
        } as never);
        operator = await openOperator({
          bot,
          config,
          plan,
          // Its clock is the run's; what it waits for, such as a file, is the machine's.
          env: { ...env, timers: live.timers },
          now: () => link.market.now(),
          service: 'service.example',
          takesCommands: true,
        });
      },
      async onEnd() {
        const sections = new Map<string, string[]>();
        for (const [section, asked] of Object.entries(requestsFor(keys))) {
          const lines: string[] = [];
          for (const one of asked) lines.push(...(await ask(socket, one)));
          sections.set(section, lines.map(plain));
        }
        const own: string[] = [];
        for (const action of ['pause', 'resume', 'promote', 'dance'])
          for (const body of ['{}', '{"reason":""}', '{"reason":1}'])
            if (action !== 'promote' || body === '{}')
              own.push(
                ...(await ask(socket, {
                  method: 'POST',
                  path: `/api/strategies/${names[0]}/${action}`,
                  token: TOKENS.control,
                  body,
                })),
              );
        sections.set('strategies', own);
        outcomes.set(`bot ${seed}`, sections);
        await operator!.close();
      },
    });
  }
  await expectRecorded('operatorServers', outcomes);
}, 300_000);
