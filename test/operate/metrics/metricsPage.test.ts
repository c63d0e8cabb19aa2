import { afterEach, describe, expect, test } from 'vitest';
import { Secret, type OperateConfig } from '../../../src/config/index.ts';
import { createLiveEnv } from '../../../src/env/index.ts';
import { placeOrder } from '../../../src/intents/index.ts';
import { meterLink, meterStore, withMetrics } from '../../../src/operate/metrics/index.ts';
import { createPrometheusMetrics } from '../../../src/operate/metrics/createPrometheusMetrics.ts';
import { METRICS, PREFIX } from '../../../src/operate/metrics/metricCatalogue.ts';
import { openOperator, type Operator } from '../../../src/operate/serve/index.ts';
import type { BotView } from '../../../src/operate/state/index.ts';
import { createMemoryStore } from '../../../src/journal/index.ts';
import { openTestBot } from '../../runtime/openTestBot.ts';
import { configOf, openTwoWallets, STRATEGIES } from '../watchedBot.ts';

const open: Array<{ close(): unknown }> = [];
afterEach(async () => {
  for (const item of open.splice(0).toReversed()) await item.close();
});

const TOKEN = 'read-token-of-the-test';

async function openServed(operate: Partial<OperateConfig> = {}) {
  const server = await openTwoWallets();
  open.push(server);
  const operators: Operator[] = [];
  const bot = await openTestBot(server, {
    strategies: STRATEGIES,
    guards: { max_order_notional: 5_000, daily_loss_limit: 400 },
    async onBot(created, plan) {
      const listen = { host: '127.0.0.1', port: 0 };
      const tokens = { readToken: null, controlToken: null };
      const all = { listen, hosts: [], ...tokens, notify: null, ...operate };
      const config = configOf(plan, { operate: all });
      const now = (): number => created.instant;
      const from = { bot: created, plan, config, env: createLiveEnv(), now };
      const rest = { service: null, takesCommands: false, clockOffsetMs: () => 250 };
      operators.push((await openOperator({ ...from, ...rest }))!);
    },
  });
  open.push(bot);
  const operator = operators[0]!;
  open.push(operator);
  const url = (path: string): string => new URL(path, operator.address!).href;
  return { bot, url, scrape: async () => samplesOf(await (await fetch(url('/metrics'))).text()) };
}

/** The lines of a page by name and labels, without the bot's. */
function samplesOf(page: string): Map<string, number> {
  const lines = page.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const [, name, labels, value] = /^(\w+)\{(.*)\} (\S+)$/.exec(line)!;
      const rest = labels!.replace(/,?bot="watched"/, '').replace(/^,/, '');
      return [rest === '' ? name! : `${name}{${rest}}`, Number(value)];
    }),
  );
}

describe('the page of metrics', () => {
  test('has what the state has, and what was counted', async () => {
    const { bot, url, scrape } = await openServed();
    await bot.step(2);
    bot.propose(placeOrder.market({ symbol: 'BTC', side: 'buy', size: 0.02 }));
    bot.propose(placeOrder.market({ symbol: 'BTC', side: 'buy', size: 20 }));
    await bot.step(1);
    const got = await scrape();
    const { blocks } = (await (await fetch(url('/api/state'))).json()) as BotView;
    const wallet = blocks.wallets[0]!;
    const position = blocks.positions[0]!;
    const at = `wallet="${wallet.wallet}"`;
    expect(got.get(`trimtab_equity{${at}}`)).toBe(wallet.equity);
    expect(got.get(`trimtab_day_loss_limit{${at}}`)).toBe(400);
    const of = `${at},strategy="first",symbol="BTC"`;
    expect(got.get(`trimtab_position_notional{${of}}`)).toBe(position.notional);
    expect(got.get(`trimtab_fills_total{${of}}`)).toBe(1);
    expect(got.get(`trimtab_fees_total{${of}}`)).toBeGreaterThan(0);
    const ofOther = 'wallet="second",strategy="second",symbol="ETH"';
    expect(got.get(`trimtab_position_notional{${ofOther}}`)).toBe(0);
    expect(got.get('trimtab_intents_total{kind="place_order",state="accepted"}')).toBe(1);
    expect(got.get('trimtab_denied_total{guard="max_order_notional"}')).toBe(1);
    expect(got.get('trimtab_up')).toBe(1);
    expect(got.get('trimtab_entries_open')).toBe(1);
    expect(got.get('trimtab_kill_level')).toBe(0);
    expect(got.get('trimtab_budget_used_ratio{lane="entry"}')).toBeGreaterThan(
      got.get('trimtab_budget_used_ratio{lane="exit"}')!,
    );
    expect(got.get('trimtab_clock_offset_seconds')).toBe(0.25);
    // The journal is in memory: a 0 would be taken for a full disk.
    expect(got.has('trimtab_disk_free_bytes')).toBe(false);
    expect(await scrape()).toHaveProperty('size', got.size);

    await bot.bot.kill('L2', 'a test');
    const killed = await scrape();
    expect(killed.get('trimtab_kill_level')).toBe(2);
    expect(killed.get('trimtab_entries_open')).toBe(0);
  });

  test('has no name, label or value that the catalogue lacks', async () => {
    const { bot, url } = await openServed();
    await bot.step(2);
    const page = await (await fetch(url('/metrics'))).text();
    const typed = [...page.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name, type]) => [
      name,
      type,
    ]);
    expect(typed).toEqual(METRICS.map(({ name, type }) => [`${PREFIX}${name}`, type]));
    for (const [line] of samplesOf(page)) {
      const [, name, labels = ''] = /^trimtab_(\w+?)(?:\{(.*)\})?$/.exec(line)!;
      const known = METRICS.find(
        (one) =>
          one.name === name || (one.type === 'histogram' && name!.startsWith(`${one.name}_`)),
      )!;
      const used = [...labels.matchAll(/(\w+)="/g)].map(([, label]) => label!);
      for (const label of used) expect([...known.labels, 'le']).toContain(label);
    }
  });

  test('needs the token of those who read', async () => {
    const { url } = await openServed({ readToken: new Secret(TOKEN) });
    expect((await fetch(url('/metrics'))).status).toBe(401);
    const headers = { authorization: `Bearer ${TOKEN}` };
    const answer = await fetch(url('/metrics'), { headers });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      'text/plain; version=0.0.4; charset=utf-8',
    ]);
  });
});

describe('the port', () => {
  test('escapes what a user wrote, in a label of its own and in that of all', async () => {
    const metrics = createPrometheusMetrics('a "bot"\\\nup 1');
    metrics.port.count('quarantines_total', { strategy: 'say "hi"\\\ntrimtab_up 0' });
    const { text } = await metrics.render([]);
    const line = text.split('\n').find((one) => one.startsWith('trimtab_quarantines_total{'));
    expect(line).toContain(String.raw`strategy="say \"hi\"\\\ntrimtab_up 0"`);
    expect(line).toContain(String.raw`bot="a \"bot\"\\\nup 1"`);
    expect(text).not.toMatch(/^(trimtab_up|up) /m);
  });

  test('ignores a name that the catalogue lacks, or a kind that it is not', async () => {
    const { port, render } = createPrometheusMetrics('bot');
    port.count('no_such_total');
    port.observe('no_such_seconds', 1);
    port.observe('http_429_total', 1);
    expect((await render([])).text).not.toContain('no_such');
  });

  test('a registry of its own: two bots of a process do not share counts', async () => {
    const [first, second] = [createPrometheusMetrics('a'), createPrometheusMetrics('b')];
    first.port.count('http_429_total');
    expect((await second.render([])).text).toContain('trimtab_http_429_total{bot="b"} 0');
  });
});

describe('what is measured from outside', () => {
  const metered = () => {
    const metrics = createPrometheusMetrics('bot');
    return { env: withMetrics(createLiveEnv(), metrics), page: () => metrics.render([]) };
  };

  test('a link that answers 429, and one that fails', async () => {
    const { env, page } = metered();
    const answers = [
      { kind: 'answered', response: { status: 429, headers: {}, body: null } },
      { kind: 'no_answer', reason: 'lost' },
    ];
    const link = meterLink({ market: {}, request: async () => answers.shift() } as never, env);
    expect(await link.request({} as never)).toMatchObject({ kind: 'answered' });
    expect(await link.request({} as never)).toMatchObject({ kind: 'no_answer' });
    const { text } = await page();
    expect(text).toContain('trimtab_http_429_total{bot="bot"} 1');
    expect(text).toContain('trimtab_request_seconds_count{bot="bot"} 2');
    expect(link.held).toBeUndefined();
  });

  test('appends of a store, which does all that it did', async () => {
    const { env, page } = metered();
    const plain = createMemoryStore();
    const store = meterStore(plain, env);
    const row = { key: 'k', decisionKey: 'd', generation: 0, instance: 'i', wallet: 'w' };
    const entry = { key: 'k', state: 'emitted' as const, wallTime: 1, marketTime: 1, data: '{}' };
    await store.append({ intent: { ...row, kind: 'x', intent: '{}' }, entries: [entry] });
    expect(store.holds('k')).toBe(true);
    expect((await page()).text).toContain('trimtab_journal_append_seconds_count{bot="bot"} 1');
    const missing = Object.keys(plain).filter((name) => !(name in store));
    expect(missing).toEqual([]);
    await store.close();
  });

  test('an append by the second: one that took longer is apart from all that did not', async () => {
    const { env, page } = metered();
    for (const seconds of [0.25, 0.4, 1, 1.001, 9])
      env.metrics.observe('journal_append_seconds', seconds);
    const { text } = await page();
    const upTo = (limit: string): string | undefined =>
      new RegExp(`journal_append_seconds_bucket\\{le="${limit}",bot="bot"\\} (\\d+)`).exec(
        text,
      )?.[1];
    expect(['0.25', '1', '\\+Inf'].map(upTo)).toEqual(['1', '3', '5']);
  });

  test('nothing, if nobody measures', () => {
    const env = createLiveEnv();
    const store = createMemoryStore();
    expect(meterStore(store, env)).toBe(store);
    const link = {} as never;
    expect(meterLink(link, env)).toBe(link);
  });
});
