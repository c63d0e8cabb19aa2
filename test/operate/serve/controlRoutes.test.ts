/** What the routes ask of a bot, in what order, and what they answer, for drawn commands and outcomes. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { createVirtualEnv } from '../../../src/env/index.ts';
import {
  controlFilesOf,
  killCommand,
  readWhole,
  settlement,
  strategyCommand,
  writeWhole,
} from '../../../src/operate/control/controlFiles.ts';
import { pollRequests } from '../../../src/operate/control/pollRequests.ts';
import type { RouteFault } from '../../../src/operate/serve/answer.ts';
import { controlRoutes } from '../../../src/operate/serve/controlRoutes.ts';
import { holdLaw, Tried } from '../../holdLaw.ts';
import { isFull } from '../../tiers.ts';

const OUTCOMES = ['done', 'refused', 'failed'] as const;
const STATUS = { done: 200, refused: 409, failed: 500 } as const;
const KEY = 'abcdef-whole';

const ask = fc.record({
  what: fc.constantFrom('pause', 'resume', 'promote', 'settle', 'kill', 'rearm'),
  nonce: fc.constantFrom('nonce-01', 'nonce-02', 'nonce-03', 'nonce-04', 'nonce-05', 'short'),
  reason: fc.constantFrom('why', 'why', 'why', ' ', 'two\nlines'),
  strategy: fc.constantFrom('trend', 'trend', 'nobody'),
  outcome: fc.constantFrom(...OUTCOMES),
  level: fc.constantFrom('L0', 'L1', 'L2', 'L3', 'L4'),
  name: fc.constantFrom(undefined, 'bot', 'other'),
  as: fc.constantFrom('accepted', 'absent'),
  records: fc.constantFrom([], ['exe_1'], ['exe_1', 'exe_2']),
  unchecked: fc.constantFrom({}, {}, { unchecked: true }),
  move: fc.constantFrom(undefined, 'back', 'live'),
  handOver: fc.constantFrom([], ['BTC', 'ETH']),
  isAuditLost: fc.boolean(),
});

test('a command is carried out once, as it was asked, and after it is in the journal', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'trimtab-routes-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const tried = new Tried();
  let cases = 0;
  await holdLaw(25, fc.array(ask, { minLength: 2, maxLength: 10 }), async (asks) => {
    const files = controlFilesOf(join(folder, String(cases++)));
    const env = createVirtualEnv();
    const happened: unknown[] = [];
    let one = asks[0]!;
    const pulse = { pid: 1, time: 0, level: 'L0' as const, reasons: [], obeyed: 0 };
    writeWhole(files.pulse, pulse);
    const act = async (asked: object): Promise<string | undefined> => {
      const { time: _time, ...rest } = asked as { time: number };
      happened.push(rest);
      if (one.outcome === 'failed') throw new Error('the disk is full');
      return one.outcome === 'refused' ? 'it may not' : undefined;
    };
    const polls = [
      pollRequests({
        env,
        request: files.settlement,
        response: files.settled,
        schema: settlement,
        command: 'x',
        run: act,
      }),
      pollRequests({
        env,
        request: files.strategy,
        response: files.strategyDone,
        schema: strategyCommand,
        command: 'x',
        run: act,
      }),
    ];
    let obeyed = 0;
    const obey = (): void => {
      const asked = readWhole(files.command, killCommand);
      if (asked === undefined || asked.time <= obeyed) return;
      obeyed = asked.time;
      happened.push({ level: asked.level, reason: asked.reason });
      const left = one.outcome === 'refused' ? ['BTC of main'] : [];
      const failed = one.outcome === 'failed' ? { failed: { time: obeyed, reason: 'full' } } : {};
      const given = { ...pulse, level: asked.level, obeyed, unended: { time: obeyed, left } };
      writeWhole(files.pulse, { ...given, ...failed });
    };
    const routes = controlRoutes({
      bot: {
        async audit(text: string, reason: string) {
          happened.push(`${text}: ${reason}`);
          if (one.isAuditLost) throw new Error('the journal is full');
        },
      } as never,
      config: { name: 'bot', strategies: [{ name: 'trend' }] } as never,
      env,
      files,
      read: (use) =>
        use({
          life: async (key: string) =>
            key === KEY ? { intent: { key: KEY }, entries: [] } : undefined,
          keysLike: async () => [KEY],
        } as never),
    });
    const used = new Set<string>();
    for (one of asks) {
      happened.length = 0;
      const isStrategy = ['pause', 'resume', 'promote'].includes(one.what);
      const path = isStrategy ? `/api/strategies/:name/${one.what}` : `/api/${one.what}`;
      const route = routes.find((each) => each.path === path)!;
      expect([route.method, route.access]).toEqual(['POST', 'control']);
      const { nonce, reason, level, name, as, records, move, handOver } = one;
      const body = {
        reason,
        nonce,
        ...(one.what === 'kill' && { level, ...(name && { name }) }),
        ...(one.what === 'settle' && { key: 'abc', as, records, ...one.unchecked }),
        ...(one.what === 'promote' && { ...(move && { move }), hand_over: handOver }),
      };
      let status = 0;
      let sent: Record<string, unknown> = {};
      const response = {
        writeHead: (code: number) => void (status = code),
        end: (text: string) => void (sent = JSON.parse(text) as typeof sent),
      };
      let isOver = false;
      const handled = Promise.resolve(
        route.handle({ body, params: { name: one.strategy }, response } as never),
      )
        .catch((error: unknown) => ({ status: 500, code: String(error) }))
        .then((fault) => {
          if (fault) ({ status } = fault);
        })
        .finally(() => (isOver = true));
      for (let turn = 0; !isOver && turn < 100; turn++) {
        await new Promise(setImmediate);
        obey();
        env.queue.advanceTo(env.queue.nextTime() ?? 0);
      }
      await handled;
      const isShaped =
        nonce !== 'short' && reason === 'why' && !(one.what === 'kill' && level === 'L0');
      const isNamed = one.what !== 'kill' || !['L3', 'L4'].includes(level) || name === 'bot';
      if (!isShaped || !isNamed) {
        expect([status, happened]).toEqual([422, []]);
        continue;
      }
      if (used.has(nonce)) {
        expect([status, happened]).toEqual([409, []]);
        tried.take('sent twice');
        continue;
      }
      if (isStrategy && one.strategy === 'nobody') {
        expect([status, happened]).toEqual([404, []]);
        continue;
      }
      if (one.what === 'settle' && as === 'absent' && records.length > 0) {
        expect([status, happened]).toEqual([422, []]);
        continue;
      }
      const said = {
        kill: `kill ${level}`,
        rearm: 'rearm',
        settle: `settle ${KEY} as ${as}`,
        promote: `promote trend to ${move ?? 'next'}`,
        pause: 'pause trend',
        resume: 'resume trend',
      }[one.what]!;
      expect(happened.shift()).toBe(`${said}: why`);
      // Only what takes exposure away goes on without its journal.
      if (one.isAuditLost && !['kill', 'pause'].includes(one.what)) {
        expect([status, happened]).toEqual([500, []]);
        continue;
      }
      const by = 'the operator’s server';
      const isLevel = one.what === 'kill' || one.what === 'rearm';
      const strategy = { instance: 'trend', do: one.what, reason };
      const wanted = isLevel
        ? { level: one.what === 'kill' ? level : 'L0', reason: `why (by ${by})` }
        : one.what === 'settle'
          ? { key: KEY, as, records, unchecked: false, ...one.unchecked, reason, by }
          : one.what === 'promote'
            ? { ...strategy, move: move ?? 'next', hand_over: handOver }
            : strategy;
      expect(happened).toEqual([wanted]);
      expect(status).toBe(isLevel && one.outcome === 'refused' ? 200 : STATUS[one.outcome]);
      // What was refused or failed may be sent again.
      if (status !== 200) {
        tried.take('to be tried again');
        continue;
      }
      used.add(nonce);
      tried.take(one.what);
      if (isLevel)
        expect(sent['not_ended']).toEqual(one.outcome === 'refused' ? ['BTC of main'] : []);
      if (one.what === 'settle') expect(sent).toEqual({ key: KEY, state: as });
      if (one.what === 'pause') expect(sent).toEqual({ strategy: 'trend', paused: true });
      if (one.what === 'resume') expect(sent).toEqual({ strategy: 'trend', paused: false });
    }
    for (const stop of polls) stop();
  });
  if (isFull)
    expect(tried.rare(['sent twice', 'to be tried again', 'pause', 'settle', 'kill'], 1)).toEqual(
      [],
    );
});

test('the newest thousand commands are never carried out again, and older ones are forgotten', async () => {
  const MOST = 1_000;
  const later = fc.array(
    fc.oneof(
      fc.integer({ min: 0, max: 4 }),
      fc.integer({ min: MOST - 3, max: MOST + 3 }),
      fc.constant(undefined),
    ),
    { minLength: 5, maxLength: 30 },
  );
  await holdLaw(4, fc.tuple(fc.integer({ min: MOST - 2, max: MOST + 3 }), later), async (drawn) => {
    const [first, asks] = drawn;
    const routes = controlRoutes({
      bot: { audit: async () => {} } as never,
      config: { name: 'bot', strategies: [] } as never,
      env: createVirtualEnv(),
      files: controlFilesOf('nowhere'),
      read: (use) =>
        use({
          life: async () => ({ intent: { key: KEY }, entries: [] }),
          keysLike: async () => [KEY],
        } as never),
    });
    // No bot answers there: whether it was done is unknown.
    const settle = routes.find(({ path }) => path === '/api/settle')!;
    const body = { key: 'abc', as: 'absent', records: [], reason: 'why' };
    const newest: number[] = [];
    let fresh = 0;
    const all = [...Array.from({ length: first }, () => undefined), ...asks];
    for (const asked of all) {
      const nonce = asked ?? fresh++;
      const call = { body: { ...body, nonce: `nonce-of-${nonce}` }, params: {}, response: {} };
      const fault = await settle.handle(call as never);
      const isKnown = newest.includes(nonce);
      expect([nonce, fault?.status]).toEqual([nonce, isKnown ? 409 : 503]);
      if (!isKnown) newest.push(nonce);
      if (newest.length > MOST) newest.shift();
    }
  });
});

test('what the bot may still carry out is not sent a second time, but for a kill', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'trimtab-routes-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const env = createVirtualEnv();
  const routes = controlRoutes({
    bot: { audit: async () => {} } as never,
    config: { name: 'bot', strategies: [{ name: 'trend' }] } as never,
    env,
    files: controlFilesOf(join(folder, 'bot')),
    read: async () => undefined as never,
  });
  /** Nobody reads the command files. */
  async function ask(path: string, body: object): Promise<RouteFault | undefined> {
    let fault: RouteFault | undefined;
    let isOver = false;
    const call = { body: { ...body, reason: 'why', nonce: 'nonce-01' }, params: { name: 'trend' } };
    void Promise.resolve(routes.find((one) => one.path === path)!.handle(call as never)).then(
      (answer) => {
        fault = answer ?? undefined;
        isOver = true;
      },
    );
    while (!isOver) {
      await new Promise(setImmediate);
      env.queue.advanceTo(env.queue.nextTime() ?? 0);
    }
    return fault;
  }
  const late = { status: 503, code: 'no_answer' };
  expect(await ask('/api/kill', { level: 'L2' })).toMatchObject(late);
  expect(await ask('/api/kill', { level: 'L2' })).toMatchObject(late);
  expect(await ask('/api/strategies/:name/pause', {})).toMatchObject(late);
  expect(await ask('/api/strategies/:name/pause', {})).toMatchObject({
    status: 409,
    code: 'nonce_used',
  });
});

test('a settlement whose journal cannot be read is refused with the reason, and may be sent again', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'trimtab-routes-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const faults: Error[] = [new Error('the database is away'), new Error('it is still away')];
  const routes = controlRoutes({
    bot: { audit: () => Promise.reject(new Error('not reached')) } as never,
    config: { name: 'bot', strategies: [] } as never,
    env: createVirtualEnv(),
    files: controlFilesOf(join(folder, 'bot')),
    read: () => Promise.reject(faults.shift()!),
  });
  const route = routes.find(({ path }) => path === '/api/settle')!;
  const body = { key: 'abc', as: 'absent', reason: 'looked', nonce: 'nonce-01' };
  for (const why of ['the database is away', 'it is still away'])
    expect(await route.handle({ body, params: {} } as never)).toEqual({
      status: 503,
      code: 'journal_unreadable',
      message: `The journal can't be read: ${why}.`,
    });
});

test('a kill and a pause do not wait for a journal that does not answer, and what adds exposure does', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'trimtab-routes-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const files = controlFilesOf(join(folder, 'bot'));
  const env = createVirtualEnv();
  const started = env.queue.now();
  writeWhole(files.pulse, { pid: 1, time: started, level: 'L0', reasons: [], obeyed: 0 });
  const routes = controlRoutes({
    bot: { audit: () => new Promise<void>(() => {}) } as never,
    config: { name: 'bot', strategies: [{ name: 'trend' }] } as never,
    env,
    files,
    read: async () => undefined as never,
  });
  const ask = async (path: string, body: object): Promise<void> => {
    const call = { body: { ...body, reason: 'why' }, params: { name: 'trend' } };
    void routes.find((one) => one.path === path)!.handle(call as never);
    for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
  };
  await ask('/api/rearm', { nonce: 'nonce-01' });
  await ask('/api/strategies/:name/resume', { nonce: 'nonce-02' });
  expect(readWhole(files.command, killCommand)).toBeUndefined();
  expect(readWhole(files.strategy, strategyCommand)).toBeUndefined();
  await ask('/api/kill', { level: 'L3', name: 'bot', nonce: 'nonce-03' });
  await ask('/api/strategies/:name/pause', { nonce: 'nonce-04' });
  expect(readWhole(files.command, killCommand)).toMatchObject({ level: 'L3' });
  expect(readWhole(files.strategy, strategyCommand)).toMatchObject({ do: 'pause' });
  expect(env.queue.now()).toBe(started);
});
