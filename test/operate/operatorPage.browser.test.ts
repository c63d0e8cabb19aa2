import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { createRequire } from 'node:module';
import { chromium, type Browser, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { EventRow, WholeView } from '../../src/operate/state/index.ts';
import { everyBar } from '../e2e/plugins.ts';
import {
  openWorkshop,
  remoteBot,
  type Service,
  type Started,
  type Workshop,
} from '../e2e/startProcess.ts';
import { rotated } from '../tiers.ts';
import {
  CHROMIUM_FLAGS,
  chromiumPath,
  chromiumReason,
  expectChromiumOnCi,
} from './findChromium.ts';

expectChromiumOnCi();

const CONTROL = 'control-token-of-the-test';
const READ = 'read-token-of-the-test';
const HOSTILE = '<img src=x onerror="document.title=1"> "quoted" & more';
/** The page has 5 s to notice; a busy machine gets some to draw. */
const NOTICED_MS = 5_000;

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** A state and the page's texts, read in one turn of the page. */
interface Both {
  state: WholeView;
  cells: Record<string, string[][]>;
  header: string;
  gate: string;
  facts: string;
  budget: string;
  control: boolean;
}

const READ_BOTH = `(async () => {
  const state = await (await fetch('/api/state')).json();
  const cells = {};
  for (const id of ['wallets', 'positions', 'strategies', 'orders', 'executions', 'unanswered', 'feeds', 'events'])
    cells[id] = [...document.querySelectorAll('#' + id + ' tbody tr')].map((row) => [...row.cells].map((cell) => cell.textContent));
  const text = (selector) => document.querySelector(selector).textContent;
  return { state, cells, header: text('.title'), gate: text('.gate'), facts: text('header .facts'),
    budget: text('#budget .facts'), control: !document.getElementById('control').hidden };
})()`;

const money = (value: number): string =>
  value.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const plain = (text: string): number => Number(text.replaceAll(/[,+×%]/g, '').replace('−', '-'));

const name = (text: string): string => `${text} ${HOSTILE}`;

/** A bot on a bad day: every block has rows, and every name is hostile. */
function onABadDay(view: WholeView): WholeView {
  const { blocks } = view;
  const about = { wallet: name('main'), symbol: name('BTC'), owner: null };
  const placed = { ...about, side: 'buy', reduce_only: false, created_time: view.time - 90_000 };
  const [strategy] = blocks.strategies;
  const intent = { ...strategy!.intent!, kind: 'launch', symbol: name('BTC') };
  const line = (level: EventRow['level'], text: string): EventRow => ({
    ...view.events.at(-1)!,
    level,
    text: name(text),
    fields: { reason: HOSTILE },
  });
  return {
    ...view,
    control: true,
    events: [line('info', 'One'), line('warn', 'Two'), line('error', 'Three')],
    blocks: {
      ...blocks,
      bot: {
        ...blocks.bot,
        name: name('bot'),
        kind: 'live',
        kill_level: 'L2',
        kill_reason: name('why'),
        gate: [name('gate')],
        closed_wallets: [{ wallet: about.wallet, reason: name('loss') }],
        closed_symbols: [{ ...about, reason: name('closed') }],
        key_refused: name('key'),
      },
      connection: { ...blocks.connection, state: 'lost', reason: name('lost'), reconnects: 7 },
      feeds: [{ ...blocks.feeds[0]!, symbol: name('BTC'), close_time: view.time - 600_000 }],
      wallets: [{ ...blocks.wallets[0]!, wallet: name('main'), leverage: null, day_pnl: -399 }],
      positions: [
        {
          ...blocks.positions[0]!,
          ...about,
          ownership: 'orphan',
          uncovered_since: view.time - 42_000,
        },
      ],
      strategies: [
        {
          ...strategy!,
          name: name('own'),
          life: 'quarantined',
          fault: name('fault'),
          paused: name('paused'),
          throttled: name('throttled'),
          denied: { [name('guard')]: 3 },
          intent,
        },
      ],
      orders: [
        {
          ...placed,
          order_id: 'ord_7',
          execution_id: null,
          order_type: 'limit',
          size: 2,
          filled_size: 1,
          price: 9,
          status: 'open',
        },
      ],
      executions: [
        {
          ...placed,
          execution_id: 'exe_7',
          algo: 'twap',
          total_size: 4,
          filled_size: 1,
          progress: 0.25,
          status: 'running',
          phase: 'working',
        },
      ],
      unanswered: [
        {
          ...intent,
          ...about,
          strategy: name('own'),
          state: 'unresolved',
          reason: name('lost'),
          command: name('npx trimtab settle'),
        },
      ],
      budget: { ...blocks.budget, held_until: view.time + 9_000, deferred: { [name('entry')]: 5 } },
    },
  };
}

/** Where the page says something else than the state; empty if nowhere. */
function differences({ state, cells, ...page }: Both): string[] {
  const found: string[] = [];
  const check = (name: string, shown: unknown, known: unknown): void => {
    if (JSON.stringify(shown) !== JSON.stringify(known))
      found.push(`${name}: ${JSON.stringify(shown)} for ${JSON.stringify(known)}`);
  };
  /** To the digits that are shown. */
  const near = (name: string, shown: string, known: number): void => {
    if (Math.abs(plain(shown) - known) > Math.max(0.005, Math.abs(known) * 1e-5))
      found.push(`${name}: ${shown} for ${known}`);
  };
  const { blocks, events } = state;
  const { bot } = blocks;
  check('header', page.header.startsWith(`${bot.name}PAPER${bot.kill_level}`), true);
  check(
    'gate',
    page.gate.startsWith(bot.gate.length === 0 ? 'Entries are open' : 'Entries are closed'),
    true,
  );
  for (const reason of bot.gate) check(reason, page.gate.includes(reason), true);
  for (const text of [bot.version, bot.config_hash.slice(0, 16), bot.service!])
    check(text, page.facts.includes(text), true);
  check('control', page.control, state.control);
  check(
    'budget',
    page.budget.includes(
      `${blocks.budget.used} of ${blocks.budget.allowance.toLocaleString('en-US')}`,
    ),
    true,
  );
  for (const [at, row] of blocks.wallets.entries()) {
    const shown = cells['wallets']![at]!;
    check('wallet', [shown[0], shown[1]], [row.wallet, money(row.equity)]);
    near('day', shown[2]!, row.day_pnl!);
    near('leverage', shown[4]!, row.leverage!);
    near('margin', shown[5]!, row.used_margin);
  }
  check('positions', cells['positions']!.length, blocks.positions.length);
  for (const [at, row] of blocks.positions.entries()) {
    const shown = cells['positions']![at]!;
    check('position', [shown[0], shown[2], shown[12]], [row.symbol, row.side, row.owner]);
    near('size', shown[3]!, row.size);
    near('entry', shown[4]!, row.entry_price!);
    near('mark', shown[5]!, row.mark_price!);
    near('notional', shown[6]!, row.notional!);
    check('uncovered', shown[10]!.startsWith(`${row.uncovered} for `), row.uncovered > 0);
  }
  for (const [at, row] of blocks.strategies.entries()) {
    const shown = cells['strategies']![at]!;
    const denied = Object.entries(row.denied).map(
      ([name, count]) => `${name} ${count.toLocaleString('en-US')}`,
    );
    check(
      'strategy',
      [shown[0], shown[2], shown[7], shown[8], shown[10]],
      [row.name, row.life, row.emitted, row.accepted, row.fills].map((value) =>
        value.toLocaleString('en-US'),
      ),
    );
    check('denied', shown[9]!.split(', ').sort(), denied.length === 0 ? ['none'] : denied.sort());
    check('intent', shown[5], `${row.intent!.kind} ${row.intent!.symbol} ${row.intent!.state}`);
    near('P&L', shown[11]!, row.net_pnl);
  }
  check(
    'orders',
    cells['orders']!.map((row) => row[8]),
    blocks.orders.map((row) => row.order_id),
  );
  check(
    'executions',
    cells['executions']!.map((row) => row[8]),
    blocks.executions.map((row) => row.execution_id),
  );
  check(
    'unanswered',
    cells['unanswered']!.map((row) => row[6]),
    blocks.unanswered.map((row) => row.command),
  );
  check(
    'feeds',
    cells['feeds']!.map((row) => [row[0], plain(row[1]!)]),
    blocks.feeds.map((row) => [row.symbol, row.price]),
  );
  check(
    'events',
    cells['events']!.map((row) => row[2]),
    events.map((row) => row.text).toReversed(),
  );
  return found;
}

describe.skipIf(chromiumPath === undefined)(`the operator’s page${chromiumReason}`, () => {
  let workshop: Workshop;
  let service: Service;
  let browser: Browser;
  let port: number;
  let axe: string;
  let bot: Started;

  const run = (file: string): Started =>
    workshop.start(['run', file], {
      TRIMTAB_TEST_SECRET: service.secret,
      TRIMTAB_TEST_CONTROL: CONTROL,
      TRIMTAB_TEST_READ: READ,
    });
  const configOf = (at: number, more = ''): string =>
    remoteBot(
      service,
      `guards: { max_position_notional: 600, daily_loss_limit: 400 }
operate:
  listen: 127.0.0.1:${at}
  control_token: { env: TRIMTAB_TEST_CONTROL }
${more}`,
    );

  beforeAll(async () => {
    workshop = openWorkshop('page');
    service = await workshop.startPaper(60);
    port = await freePort();
    workshop.write('own.ts', everyBar);
    workshop.write('bot.yaml', configOf(port));
    bot = run('bot.yaml');
    axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
    browser = await chromium.launch({ executablePath: chromiumPath!, args: CHROMIUM_FLAGS });
    await waitForBot(port);
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    workshop?.close();
  });

  async function waitForBot(at: number): Promise<void> {
    const ask = async (): Promise<unknown> => fetch(`http://127.0.0.1:${at}/healthz`);
    await vi.waitFor(ask, { timeout: 60_000, interval: 100 });
  }

  /** A page, and what its browser complained of; that a bot was not reached is no fault of the page. */
  async function open(
    options: { width?: number; colorScheme?: 'light' | 'dark'; at?: number } = {},
  ): Promise<{ page: Page; complaints: string[] }> {
    const { width = 1400, colorScheme = 'light', at = port } = options;
    const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (!message.text().startsWith('Failed to load resource')) complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(`http://127.0.0.1:${at}/`);
    return { page, complaints };
  }

  const alertOf = (page: Page): Promise<string> => page.locator('.link-alert').innerText();
  const isReady = (page: Page) => page.waitForSelector('html[data-ready="true"]');

  /** What axe finds, each with the element and what to do. */
  const violations = (page: Page, options = '{}') =>
    page.evaluate<string[]>(
      `axe.run('html', { resultTypes: ['violations'], ...${options} }).then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map((node) => id + ': ' + node.target + ': ' + node.failureSummary)))`,
    );

  /** Milliseconds until the page says that the bot does not answer. */
  async function noticed(page: Page): Promise<number> {
    const from = performance.now();
    await expect
      .poll(() => alertOf(page), { timeout: 20_000, interval: 50 })
      .toContain('No answer from the bot since');
    return performance.now() - from;
  }

  /** Fills the dialog of a command and sends it. */
  async function command(
    page: Page,
    name: string,
    fields: Record<string, string>,
  ): Promise<string> {
    await page.getByRole('button', { name }).click();
    for (const [label, text] of Object.entries(fields)) await page.getByLabel(label).fill(text);
    await page.locator('dialog button[type="submit"]').click();
    const said = page.locator('dialog [role="status"], dialog [role="alert"]:not(:empty)');
    await expect.poll(() => said.innerText(), { timeout: 20_000 }).not.toContain('carries it out');
    return said.innerText();
  }

  test('everything that it shows is what the bot’s state says', async () => {
    const { page, complaints } = await open();
    await isReady(page);
    await expect
      .poll(async () => (await page.evaluate<Both>(READ_BOTH)).state.blocks.strategies[0]!.denied, {
        timeout: 60_000,
      })
      .not.toEqual({});
    // The bot goes on between the two; they must meet.
    await expect
      .poll(async () => differences(await page.evaluate<Both>(READ_BOTH)), {
        timeout: 30_000,
        interval: 130,
      })
      .toEqual([]);
    expect(complaints).toEqual([]);
    await page.close();
  }, 120_000);

  test('rows change in place: the focus, a selection and the element survive', async () => {
    const { page } = await open();
    await isReady(page);
    await page.waitForSelector('#strategies button.in-cell');
    const first = await page.evaluate(`(() => {
      const row = document.querySelector('#strategies tbody tr');
      row.mark = 'same';
      row.querySelector('button').focus();
      const name = row.cells[0].firstChild;
      getSelection().selectAllChildren(name);
      return row.cells[7].textContent;
    })()`);
    const emitted = () =>
      page.evaluate(`document.querySelector('#strategies tbody tr').cells[7].textContent`);
    await expect.poll(emitted, { timeout: 30_000 }).not.toBe(first);
    const after = await page.evaluate(`(() => {
      const row = document.querySelector('#strategies tbody tr');
      return [row.mark, document.activeElement === row.querySelector('button'), getSelection().toString()];
    })()`);
    expect(after).toEqual(['same', true, 'own']);
    await page.close();
  }, 300_000);

  test('events are filtered, and lead to the explanation of their intent', async () => {
    const { page } = await open();
    await isReady(page);
    const rows = page.locator('#events tbody tr');
    await page.getByLabel('Filter events').fill('place_order ACCEPTED');
    await expect
      .poll(
        async () =>
          (await rows.allInnerTexts()).every((text) => text.includes('place_order accepted')),
        { timeout: 10_000 },
      )
      .toBe(true);
    await rows.first().getByRole('button').click();
    await expect
      .poll(() => page.locator('dialog pre').innerText(), { timeout: 20_000 })
      .toContain('In short');
    await page.keyboard.press('Escape');
    expect(await page.locator('dialog').isVisible()).toBe(false);
    await page.getByLabel('Filter events').fill('no such words');
    expect(await page.locator('#events').innerText()).toContain('No event matches.');
    await page.close();
  }, 300_000);

  test('a day is reported from the journal, as the command line has it', async () => {
    const { page, complaints } = await open();
    await isReady(page);
    await page.getByRole('button', { name: 'Day…' }).click();
    const text = page.locator('dialog pre');
    await expect
      .poll(() => text.innerText(), { timeout: 20_000 })
      .toMatch(/remote, \d{4}-\d\d-\d\d \(UTC\)[^]*Intents: [^]*own .*place_order \d+/);
    await page.getByLabel('Day (UTC)').fill('2025-01-01');
    await expect.poll(() => text.innerText(), { timeout: 20_000 }).toContain('No intents.');
    await page.evaluate(axe);
    expect(await violations(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await page.close();
  }, 300_000);

  test('candles are drawn', async () => {
    const { page } = await open();
    await isReady(page);
    const painted = () =>
      page.evaluate<number>(`[...document.querySelectorAll('#candle-chart canvas')].reduce((sum, canvas) => {
        const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
        for (let at = 3; at < data.length; at += 4) if (data[at] > 0) sum += 1;
        return sum;
      }, 0)`);
    await expect.poll(painted, { timeout: 20_000 }).toBeGreaterThan(5_000);
    expect(await page.locator('#candle-legend').innerText()).toMatch(/^BTC 1 min {2}O /);
    await page.close();
  }, 300_000);

  test('a kill and its re-arming, with a token, a reason and the bot’s name; hostile text stays text', async () => {
    const { page, complaints } = await open();
    await isReady(page);
    const wrong = await command(page, 'Kill to L1…', {
      'Reason, for the journal': HOSTILE,
      'Control token': 'not-the-control-token',
    });
    expect(wrong).toBe('This is not the control token.');
    await page.keyboard.press('Escape');
    expect(
      await command(page, 'Kill to L1…', {
        'Reason, for the journal': HOSTILE,
        'Control token': CONTROL,
      }),
    ).toBe('The bot is at L1.');
    await page.keyboard.press('Escape');
    await expect
      .poll(() => page.locator('.gate').innerText(), { timeout: 10_000 })
      .toContain(HOSTILE);
    await expect
      .poll(() => page.locator('#events').innerText(), { timeout: 10_000 })
      .toContain(HOSTILE);
    expect(await page.locator('#page img').count()).toBe(0);
    expect(await page.title()).toBe('remote L1');
    // The token is known now; the name is not the bot's.
    const name = 'The bot’s name, remote, to confirm';
    expect(
      await command(page, 'Kill to L3…', { 'Reason, for the journal': 'a test', [name]: 'other' }),
    ).toContain('needs the bot');
    await page.keyboard.press('Escape');
    expect(await command(page, 'Re-arm…', { 'Reason, for the journal': 'a test' })).toBe(
      'The bot is at L0.',
    );
    await page.keyboard.press('Escape');
    await page.route('**/api/kill', (route) =>
      route.fulfill({ json: { level: 'L2', gate: [], not_ended: ['main: ord_1', HOSTILE] } }),
    );
    const said = await command(page, 'Kill to L2…', { 'Reason, for the journal': 'a test' });
    for (const part of ['could not end or verify', 'main: ord_1', HOSTILE, 'Look at the service.'])
      expect(said).toContain(part);
    expect(complaints).toEqual([]);
    await page.close();
  }, 90_000);

  test('a token that was refused meanwhile is asked for in the form that is open', async () => {
    const { page, complaints } = await open();
    await isReady(page);
    const held: Array<(status: number, json: object) => Promise<void>> = [];
    const tokens: Array<string | undefined> = [];
    await page.route('**/api/kill', (route) => {
      tokens.push(route.request().headers()['authorization']);
      held.push((status, json) => route.fulfill({ status, json }));
    });
    const answer = async (status: number, json: object): Promise<void> => {
      await expect.poll(() => held.length, { timeout: 10_000 }).toBe(1);
      await held.pop()!(status, json);
    };
    const begin = async (level: string): Promise<void> => {
      await page.getByRole('button', { name: `Kill to ${level}…` }).click();
      await page.getByLabel('Reason, for the journal').fill('a test');
    };
    const send = (): Promise<void> => page.locator('dialog button[type="submit"]').click();
    const field = page.getByLabel('Control token');
    const refused = { error: { code: 'unauthorized', message: 'no' } };
    await begin('L1');
    await field.fill('the-old-token');
    await send();
    await answer(200, { level: 'L1', gate: [], not_ended: [] });
    await expect.poll(() => page.locator('dialog [role="status"]').count()).toBe(1);
    await page.keyboard.press('Escape');
    // The token has been replaced since, and another form is open when that is found out.
    await begin('L2');
    expect(await field.isVisible()).toBe(false);
    await send();
    await page.keyboard.press('Escape');
    await begin('L3');
    await page.getByLabel('The bot’s name, remote, to confirm').fill('remote');
    await answer(401, refused);
    await expect
      .poll(() => page.locator('.late').innerText(), { timeout: 10_000 })
      .toContain('not the control token');
    await send();
    await expect.poll(() => field.isVisible(), { timeout: 5_000 }).toBe(true);
    const said = page.locator('dialog .answer');
    expect(await said.innerText()).toBe('This is not the control token.');
    // What was typed is still there.
    await field.fill('the-new-token');
    await send();
    await answer(401, refused);
    await expect.poll(() => said.innerText()).toBe('This is not the control token.');
    await field.fill('the-newest-token');
    await send();
    await answer(200, { level: 'L3', gate: [], not_ended: [] });
    await expect
      .poll(() => page.locator('dialog [role="status"]').innerText(), { timeout: 10_000 })
      .toBe('The bot is at L3.');
    expect(tokens.map((one) => one?.replace('Bearer ', ''))).toEqual([
      'the-old-token',
      'the-old-token',
      'the-new-token',
      'the-newest-token',
    ]);
    expect(complaints).toEqual([]);
    await page.close();
  }, 90_000);

  test('what comes of a command or an explanation late is never shown in another form', async () => {
    const { page, complaints } = await open();
    await isReady(page);
    const held: Array<(answer: { status: number; json: object }) => Promise<void>> = [];
    for (const path of ['**/api/kill', '**/api/intents/*'])
      await page.route(path, (route) => void held.push((answer) => route.fulfill(answer)));
    const answer = async (status: number, json: object): Promise<void> => {
      await expect.poll(() => held.length, { timeout: 10_000 }).toBe(1);
      await held.pop()!({ status, json });
    };
    const ask = async (fields: Record<string, string>): Promise<void> => {
      await page.getByRole('button', { name: 'Kill to L1…' }).click();
      for (const [label, text] of Object.entries(fields)) await page.getByLabel(label).fill(text);
      await page.locator('dialog button[type="submit"]').click();
    };
    const late = page.locator('.late');
    const reason = { 'Reason, for the journal': 'a test' };
    // Its form was closed.
    await ask({ ...reason, 'Control token': CONTROL });
    await page.keyboard.press('Escape');
    await answer(500, { error: { code: 'not_durable', message: 'The disk is full.' } });
    await expect.poll(() => late.innerText(), { timeout: 10_000 }).toContain('The disk is full.');
    expect(await late.innerText()).toContain('Kill to L1: ');
    expect(await late.getAttribute('role')).toBe('alert');
    await page.evaluate(axe);
    expect(await violations(page)).toEqual([]);
    await late.getByRole('button').click();
    expect(await late.innerText()).toBe('');
    // Another one is open.
    await ask({ ...reason, 'Control token': CONTROL });
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Kill to L3…' }).click();
    await page.getByLabel('Reason, for the journal').fill('half a sen');
    await answer(200, { level: 'L1', gate: [], not_ended: ['main: ord_1'] });
    await expect.poll(() => late.innerText(), { timeout: 10_000 }).toContain('main: ord_1');
    const isKept = async (): Promise<void> => {
      expect(await page.locator('dialog button[type="submit"]').innerText()).toBe('Kill to L3');
      expect(await page.getByLabel('Reason, for the journal').inputValue()).toBe('half a sen');
    };
    await isKept();
    await page.keyboard.press('Escape');
    // An explanation, which nobody waits for any more.
    await page.locator('#events tbody button').first().click();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Kill to L3…' }).click();
    await page.getByLabel('Reason, for the journal').fill('half a sen');
    await answer(200, { key: 'k', strategy: 's', kind: 'x', state: 'y', explanation: 'In short' });
    await page.evaluate('new Promise((done) => setTimeout(done, 300))');
    await isKept();
    expect(complaints).toEqual([]);
    await page.close();
  }, 300_000);

  const looks = [1400, 390].flatMap((width) =>
    (['light', 'dark'] as const).map((scheme) => [width, scheme] as const),
  );
  test.each(rotated(looks, 2))(
    'axe finds nothing at %i px, %s, and nothing is wider',
    async (width, colorScheme) => {
      const { page } = await open({ width, colorScheme });
      await isReady(page);
      await page.waitForSelector('#candle-chart canvas');
      await page.evaluate(axe);
      expect(await violations(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      await page.getByRole('button', { name: 'Kill to L4…' }).click();
      expect(await violations(page)).toEqual([]);
      await page.close();
    },
    90_000,
  );

  test.each(rotated(looks, 1))(
    'a bad day at %i px, %s: all of it is there, as text',
    async (width, colorScheme) => {
      const { page, complaints } = await open({ width, colorScheme });
      await isReady(page);
      const state = (await page.evaluate<Both>(READ_BOTH)).state;
      const body = `event: view\nid: 1\ndata: ${JSON.stringify(onABadDay(state))}\n\n`;
      const headers = { 'content-type': 'text/event-stream' };
      await page.route('**/api/events', (route) => route.fulfill({ headers, body }));
      await page.reload();
      await isReady(page);
      const text = (selector: string) => page.locator(selector).innerText();
      expect(await text('.title')).toMatch(/LIVE\s*L2/);
      for (const part of ['kill level L2: why', 'gate', 'closed', 'key'])
        expect(await text('.gate')).toContain(part);
      expect(await text('header .facts')).toContain(`lost: lost ${HOSTILE}`);
      for (const part of ['ORPHAN', 'for 42 s']) expect(await text('#positions')).toContain(part);
      for (const part of ['quarantined', 'fault', 'throttled', 'paused', 'guard', 'Resume…'])
        expect(await text('#strategies')).toContain(part);
      expect(await text('#orders')).toContain('1 / 2');
      expect(await text('#executions')).toContain('25 %');
      expect(await text('#unanswered code')).toBe(name('npx trimtab settle'));
      expect(await text('#budget')).toContain(`entry ${HOSTILE}`);
      expect(await text('#feeds')).toContain('reconnects: 7');
      expect(await page.locator('#feeds td.loss').count()).toBe(1);
      await expect
        .poll(() => text('#candles'), { timeout: 10_000 })
        .toContain(`No candles of BTC ${HOSTILE}`);
      await page.getByLabel('Level of events').selectOption('warnings and errors');
      expect(await page.locator('#events tbody tr').count()).toBe(2);
      expect(await page.locator('#page img').count()).toBe(0);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      await page.evaluate(axe);
      // A line that is pale on purpose says that it is old; its contrast is that of a disabled control.
      expect(await violations(page, "{ rules: { 'color-contrast': { enabled: false } } }")).toEqual(
        [],
      );
      await page.getByRole('button', { name: 'Settle' }).click();
      const sent = page.waitForRequest('**/api/settle');
      await page.getByLabel('Its outcome').selectOption('accepted');
      await page.getByLabel('Ids of its records').fill('ord_1, ord_2');
      await page.getByLabel('Reason, for the journal').fill('looked it up');
      await page.getByLabel('Control token').fill(CONTROL);
      await page.keyboard.press('Enter');
      const asked = (await sent).postDataJSON() as Record<string, unknown>;
      expect(asked).toMatchObject({
        as: 'accepted',
        records: ['ord_1', 'ord_2'],
        reason: 'looked it up',
      });
      expect(complaints).toEqual([]);
      await page.close();
    },
    90_000,
  );

  test('a strategy is paused and resumed from its row', async () => {
    const { page } = await open();
    await isReady(page);
    const given = { 'Reason, for the journal': 'a test', 'Control token': CONTROL };
    expect(await command(page, 'Pause own', given)).toBe('The strategy is paused.');
    await page.keyboard.press('Escape');
    await expect
      .poll(() => page.locator('#strategies').innerText(), { timeout: 10_000 })
      .toContain('paused: a test');
    expect(await command(page, 'Resume own', { 'Reason, for the journal': 'over' })).toBe(
      'The strategy is resumed.',
    );
    await page.close();
  }, 300_000);

  test('the focus stays where the reader was: in a dialog whose content changes, and after it where its row was', async () => {
    const { page } = await open();
    await isReady(page);
    const focus = (): Promise<string> =>
      page.evaluate<string>(`(() => {
        const { activeElement: at } = document;
        if (at === null || at === document.body) return 'nowhere';
        return at.closest('dialog') ? 'dialog' : (at.closest('section, header')?.id ?? 'page');
      })()`);
    const given = { 'Reason, for the journal': 'a test', 'Control token': CONTROL };
    expect(await command(page, 'Pause own', given)).toBe('The strategy is paused.');
    expect(await focus()).toBe('dialog');
    await page.keyboard.press('Escape');
    await expect.poll(focus).toBe('strategies');
    expect(await command(page, 'Resume own', { 'Reason, for the journal': 'over' })).toBe(
      'The strategy is resumed.',
    );
    await page.keyboard.press('Escape');
    await page.getByLabel('Filter events').fill('place_order ACCEPTED');
    const opener = page.locator('#events tbody tr').first().getByRole('button');
    await opener.press('Enter');
    await expect.poll(focus).toBe('dialog');
    // The list is bounded: by the time that it was read, the row is gone.
    await page.evaluate(`document.querySelector('#events tbody').replaceChildren()`);
    await page.keyboard.press('Escape');
    await expect.poll(focus).toBe('events');
    await page.close();
  }, 300_000);

  test('every control is reached with the keyboard', async () => {
    const { page } = await open();
    await isReady(page);
    await page.getByLabel('Filter events').fill('Entries are open');
    await page.evaluate(`document.activeElement.blur()`);
    const wanted = await page.evaluate<number>(`(() => {
      const all = [...document.querySelectorAll('button, a, input, select')]
        .filter((one) => one.checkVisibility() && one.tabIndex >= 0);
      all.forEach((one, at) => (one.dataset.order = at));
      return all.length;
    })()`);
    const reached = new Set<string>();
    for (let at = 0; at < wanted * 2 + 10; at += 1) {
      await page.keyboard.press('Tab');
      const order = await page.evaluate<string | null>(
        `document.activeElement?.dataset.order ?? null`,
      );
      if (order !== null) reached.add(order);
    }
    expect(wanted).toBeGreaterThan(10);
    expect(reached.size).toBe(wanted);
    await page.close();
  }, 300_000);

  test('with a read token it asks, refuses a wrong one, and goes on with the right one', async () => {
    const at = await freePort();
    const config = configOf(at, '  read_token: { env: TRIMTAB_TEST_READ }').replace(
      './bot.sqlite',
      './token.sqlite',
    );
    workshop.write('token.yaml', config);
    const other = run('token.yaml');
    await waitForBot(at);
    const { page, complaints } = await open({ at });
    const token = page.getByLabel('Read token');
    await token.waitFor();
    expect(await page.locator('#dashboard').isVisible()).toBe(false);
    expect(await page.locator('main.token [role="alert"]').innerText()).toBe('');
    await token.fill('not-the-token-of-this-bot');
    await page.keyboard.press('Enter');
    await expect
      .poll(() => page.locator('main.token [role="alert"]').innerText(), { timeout: 10_000 })
      .toContain('The token was not accepted.');
    await token.fill(READ);
    await page.keyboard.press('Enter');
    await isReady(page);
    expect(await page.locator('h1:visible').innerText()).toBe('remote');
    // As long as the tab lives.
    await page.reload();
    await isReady(page);
    expect(await page.evaluate('localStorage.length')).toBe(0);
    expect(complaints).toEqual([]);
    await page.close();
    other.child.kill('SIGKILL');
  }, 90_000);

  test('a bot that hangs is noticed within 5 s, and so is its return', async () => {
    const { page, complaints } = await open();
    await isReady(page);
    bot.child.kill('SIGSTOP');
    const took = await noticed(page);
    expect(await page.locator('.data').getAttribute('class')).toContain('stale');
    bot.child.kill('SIGCONT');
    await expect.poll(() => alertOf(page), { timeout: 20_000 }).toBe('');
    expect(await page.locator('.link-back').innerText()).toMatch(/^The bot is back since /);
    expect(await page.locator('.data').getAttribute('class')).not.toContain('stale');
    expect(took).toBeLessThan(NOTICED_MS);
    expect(complaints).toEqual([]);
    await page.close();
  }, 300_000);

  test('a bot that is killed is noticed within 5 s; started again, it is followed again', async () => {
    const { page, complaints } = await open();
    await isReady(page);
    const started = (await page.evaluate<Both>(READ_BOTH)).state.blocks.bot.wall_started;
    const exit = once(bot.child, 'exit');
    bot.child.kill('SIGKILL');
    const took = await noticed(page);
    await exit;
    expect(await alertOf(page)).toMatch(/^No answer from the bot since \d\d:\d\d:\d\d UTC/);
    bot = run('bot.yaml');
    await expect.poll(() => alertOf(page), { timeout: 60_000 }).toBe('');
    await expect
      .poll(async () => differences(await page.evaluate<Both>(READ_BOTH)), {
        timeout: 30_000,
        interval: 130,
      })
      .toEqual([]);
    const both = await page.evaluate<Both>(READ_BOTH);
    expect(both.state.blocks.bot.wall_started).toBeGreaterThan(started);
    expect(took).toBeLessThan(NOTICED_MS);
    expect(complaints).toEqual([]);
    await page.close();
  }, 120_000);
});
