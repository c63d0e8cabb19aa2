import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Secret } from '../../../src/config/index.ts';
import { createLiveEnv } from '../../../src/env/index.ts';
import { createSqliteReader, createSqliteStore } from '../../../src/journal/index.ts';
import { formatDay, readDay, type DayReport } from '../../../src/operate/journal/index.ts';
import { createReportRoute } from '../../../src/operate/serve/createReportRoute.ts';
import { openOperator, type Operator } from '../../../src/operate/serve/index.ts';
import { journalOn, openIntent, rowOf } from '../../journal/journalRows.ts';
import type { TestServer } from '../../paper/server/openTestServer.ts';
import { openTestBot, type TestBot } from '../../runtime/openTestBot.ts';
import { configOf, openTwoWallets, STRATEGIES } from '../watchedBot.ts';

const READ = 'read-token-of-the-test';
const DAY_MS = 86_400_000;
const DAY = Date.parse('2025-03-05');
const PER_DAY = 250;

let folder: string;
let path: string;
let server: TestServer;
let bot: TestBot;
let operator: Operator;

/** Three days of intents, every fifth of them denied. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'trimtab-report-'));
  path = join(folder, 'bot.sqlite');
  const store = createSqliteStore(path, 'process');
  for (let at = 0; at < 3 * PER_DAY; at++) {
    const journal = journalOn(store, DAY - DAY_MS + (at * DAY_MS) / PER_DAY);
    if (at % 5 > 0) await openIntent(journal, `key-${at}`, ['emitted', 'guarded']);
    else
      await journal.open(rowOf(`key-${at}`), [
        { state: 'emitted' },
        { state: 'denied', data: { guard: 'max_leverage' } },
      ]);
  }
  const change = { value: 'L1', reason: 'a test', time: DAY + 1 };
  await store.setLatch('kill', change);
  await store.close();
  server = await openTwoWallets();
  bot = await openTestBot(server, {
    strategies: STRATEGIES,
    async onBot(created, plan) {
      const operate = {
        listen: { host: '127.0.0.1', port: 0 },
        hosts: [],
        readToken: new Secret(READ),
        controlToken: null,
        notify: null,
      };
      const journal = { path, durability: 'power', keep_days: 90 } as never;
      const config = configOf(plan, { operate, journal });
      const from = { bot: created, plan, config, env: createLiveEnv(), now: () => created.instant };
      operator = (await openOperator({ ...from, service: null, takesCommands: false }))!;
    },
  });
});
afterAll(async () => {
  await operator.close();
  await bot.close();
  await server.close();
  rmSync(folder, { recursive: true });
});

const ask = (query: string, accept?: string): Promise<Response> =>
  fetch(new URL(`/api/report${query}`, operator.address!), {
    headers: { authorization: `Bearer ${READ}`, ...(accept === undefined ? {} : { accept }) },
  });
const dayOf = async (query: string): Promise<DayReport> =>
  (await (await ask(query)).json()) as DayReport;

describe('the report of a day over HTTP', () => {
  test('is the one of the command line, as JSON and as text', async () => {
    const reader = createSqliteReader(path);
    const expected = await readDay(reader, '2025-03-05');
    await reader.close();
    const report = await dayOf('?day=2025-03-05');
    expect(report).toEqual({ ...expected, pnl: null });
    expect(report.intents).toEqual({ denied: 50, guarded: 200 });
    expect(report.strategies[0]!.refused).toEqual({ max_leverage: 50 });
    expect(report.latches).toMatchObject([{ name: 'kill', value: 'L1' }]);
    const text = await ask('?day=2025-03-05', 'text/plain;q=0.9, application/json;q=0.1');
    expect(text.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(await text.text()).toBe(formatDay('watched', expected));
    const preferred = await ask('?day=2025-03-05', 'application/json, text/plain');
    expect(preferred.headers.get('content-type')).toMatch('application/json');
  });

  test('counts each intent on one day, and none on a day that is empty or still to come', async () => {
    for (const day of ['2025-03-04', '2025-03-05', '2025-03-06'])
      expect([day, (await dayOf(`?day=${day}`)).intents]).toEqual([
        day,
        { denied: 50, guarded: 200 },
      ]);
    const today = new Date().toISOString().slice(0, 10);
    for (const query of ['?day=2025-03-03', '?day=2025-03-07', '?day=2999-01-01', ''])
      expect([query, await dayOf(query)]).toMatchObject([
        query,
        { day: query === '' ? today : query.slice(5), intents: {}, strategies: [], latches: [] },
      ]);
  });

  test.each([
    '?day=',
    '?day=2025-02-30',
    '?day=2025-3-5',
    '?day=05.03.2025',
    '?day=2025-03-05T00:00:00Z',
    '?day=+002025-03-05',
    '?day=today',
    '?day=2025-03-05&day=2025-03-06',
    '?day=%3Cscript%3E',
  ])('%s is refused with the remedy', async (query) => {
    const answer = await ask(query);
    const { error } = (await answer.json()) as { error: { code: string; message: string } };
    expect([answer.status, error.code]).toEqual([400, 'invalid_request']);
    expect(error.message).toMatch(/^day is one day of UTC, such as \/api\/report\?day=20\d\d-/);
  });

  test('two who ask at once get the same, and another day waits its turn', async () => {
    const days = ['2025-03-05', '2025-03-05', '2025-03-04'];
    const [one, same, other] = await Promise.all(days.map((day) => dayOf(`?day=${day}`)));
    expect(one).toEqual(same);
    expect([one!.day, other!.day]).toEqual(['2025-03-05', '2025-03-04']);
  });
});

test('a large day is read in pages, with a rest after each', async () => {
  const reader = createSqliteReader(path);
  const sizes: number[] = [];
  let rests = 0;
  const counting = {
    ...reader,
    async find(filter: Parameters<typeof reader.find>[0]) {
      const page = await reader.find(filter);
      sizes.push(page.items.length);
      return page;
    },
  };
  await readDay(counting, '2025-03-05', async () => void (rests += 1));
  await reader.close();
  expect(sizes).toEqual([100, 100, 50]);
  expect(rests).toBe(3);
});

test('who asks for a day that is being read waits for it, and who asks later has it read again', async () => {
  let readings = 0;
  const clock = { wallNow: () => DAY };
  const route = createReportRoute({
    name: 'demo',
    env: { timers: createLiveEnv().timers, clock } as Parameters<
      typeof createReportRoute
    >[0]['env'],
    async read(use) {
      readings += 1;
      const reader = createSqliteReader(path);
      return use(reader).finally(() => reader.close());
    },
  });
  const ask = async (day: string): Promise<DayReport> => {
    let answer = '';
    const response = { writeHead: () => {}, end: (text: string) => void (answer = text) };
    const query = new URLSearchParams({ day });
    const call = { request: { headers: {} }, response, query, params: {}, body: undefined };
    expect(await route(call as unknown as Parameters<typeof route>[0])).toBeUndefined();
    return JSON.parse(answer) as DayReport;
  };
  const days = ['2025-03-05', '2025-03-05', '2025-03-04', '2025-03-05', '2025-03-04'];
  const answers = await Promise.all(days.map(ask));
  expect(readings).toBe(2);
  expect(answers.map(({ day }) => day)).toEqual(days);
  expect(answers[1]).toEqual(answers[0]);
  expect(await ask('2025-03-05')).toEqual(answers[0]);
  expect(readings).toBe(3);
});
