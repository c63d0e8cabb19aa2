import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Exchange, ServiceRequest } from '../../src/contract/exchange.ts';
import { createVirtualEnv } from '../../src/env/createVirtualEnv.ts';
import { createStreams, type CandleEvent, type StreamFault } from '../../src/streams/index.ts';
import { holdLaw } from '../holdLaw.ts';
import { playChannel, STEPS, type PlayedStep } from './playChannel.ts';
import { bar, bars, MINUTE } from './records.ts';
import { ScriptedLink } from './ScriptedLink.ts';

const someChoice = fc.integer({ min: 0, max: 999 });
const LATE_MS = 10_000;
/** Bars of a snapshot, and of a first read. */
const LIMIT = 500;
const START = 20;

/** `closed 7 history`, `forming 8 late`. */
const lineOf = (event: CandleEvent): string => {
  const late = event.catchUp === true ? ' late' : '';
  const history = event.kind === 'closed' && event.history ? ' history' : '';
  return `${event.kind} ${event.bar.time / MINUTE}${history}${late}`;
};
const historyOf = (closed: number, count: number): string[] =>
  bars(Math.max(0, closed - count), closed).map(({ time }) => `closed ${time / MINUTE} history`);

test('MKT-1: whatever a line does, each listener gets history and then each bar once, and late ones as such', async () => {
  const steps = fc.array(
    fc.tuple(fc.constantFrom(...STEPS), someChoice) as fc.Arbitrary<PlayedStep>,
    {
      maxLength: 60,
      size: 'max',
    },
  );
  const cases = fc.tuple(steps, fc.boolean(), fc.constantFrom(0, 1, 3));
  await holdLaw(200, cases, async ([drawn, forming, history]) => {
    const link = new ScriptedLink();
    let lagMs = 0;
    Object.assign(link, { present: () => link.market.now() + lagMs });
    link.market.advanceTo(START * MINUTE);
    const streams = createStreams({ link, env: createVirtualEnv() });
    const faults: StreamFault[] = [];
    streams.faults$.subscribe((fault) => faults.push(fault));
    await streams.open();
    const candles$ = streams.candles('BTC', '1m', { history, forming });
    const [seen, expected]: [string[], string[]] = [[], []];
    const holes: [number, number][] = [];
    let closed = START;
    /** What listeners know: how many bars have closed; undefined before a snapshot. */
    let known: number | undefined;
    let isLost = false;
    const give = (line: string, isLate: boolean): void =>
      void expected.push(isLate ? `${line} late` : line);
    const present = (): number => link.market.now() + lagMs;

    const own = forming ? { include_forming: true } : {};
    playChannel(
      {
        link,
        subscription: {
          channel: 'candles',
          params: { symbol: 'BTC', interval: '1m', limit: LIMIT, ...own },
        },
        hasSnapshot: true,
        make(isSnapshot, choice) {
          lagMs = [0, 0, LATE_MS, LATE_MS + 1][choice % 4]!;
          const isClose = !isSnapshot && choice % 3 > 0;
          if (isClose) closed++;
          // Now and then an outage is longer than a snapshot reaches back.
          if (isSnapshot)
            closed += [0, 1, 2, LIMIT, LIMIT + 1, LIMIT + 40][Math.floor(choice / 4) % 6]!;
          link.market.advanceTo(
            Math.max(link.market.now(), closed * MINUTE + (choice % 5) * 3_000),
          );
          if (isClose) return ['bar_closed', bar(closed - 1)];
          if (!isSnapshot) return ['bar_forming', bar(closed, false)];
          // A service may keep fewer than are asked for.
          const retained = choice % 7 === 0 ? 3 : LIMIT;
          const candles = bars(Math.max(0, closed - retained), closed);
          return ['snapshot', { candles: choice % 2 ? candles : [...candles, bar(closed, false)] }];
        },
        listen() {
          const first = candles$.subscribe((event) => seen.push(lineOf(event)));
          return () => {
            const late: string[] = [];
            const last = candles$.subscribe((event) => late.push(lineOf(event)));
            expect(late).toEqual(known === undefined ? [] : historyOf(known, history));
            first.unsubscribe();
            last.unsubscribe();
          };
        },
        takes({ event, ts, data }, standing) {
          const isLate = present() - ts > LATE_MS;
          if (event !== 'snapshot') {
            if (standing !== 'live') return;
            const index = (data as ReturnType<typeof bar>).time / MINUTE;
            if (known !== undefined && index < known) return;
            if (event === 'bar_closed') {
              give(`closed ${index}`, isLate);
              known = index + 1;
            } else if (forming) give(`forming ${index}`, isLate);
            return;
          }
          const { candles } = data as { candles: ReturnType<typeof bar>[] };
          const all = candles.filter((one) => one.closed).map(({ time }) => time / MINUTE);
          const end = all.at(-1)! + 1;
          if (known === undefined) expected.push(...historyOf(end, history));
          else {
            if (all.length === LIMIT && all[0]! > known) holes.push([known, all[0]!]);
            for (const index of all) {
              if (index < known) continue;
              const isPast =
                isLost || index < end - 1 || present() - (index + 1) * MINUTE > LATE_MS;
              give(`closed ${index}`, isPast);
            }
          }
          known = Math.max(known ?? 0, end);
          isLost = false;
          const isForming = candles.length > all.length;
          if (forming && isForming) give(`forming ${end}`, false);
        },
        mayMiss: (isCut) => void (isLost ||= isCut),
        forgets: () => void (known = undefined),
      },
      drawn,
    );
    expect(seen).toEqual(expected);
    const missing = faults.flatMap((fault) =>
      fault.kind === 'candles_missing' ? [[fault.from / MINUTE, fault.until / MINUTE]] : [],
    );
    expect(missing).toEqual(holes);
  });
});

const READ_STEPS = [
  ...(['pass', 'pass', 'pass', 'answer', 'answer', 'answer', 'join', 'join'] as const),
  ...(['pass', 'pass', 'pass', 'answer', 'answer', 'answer', 'join', 'leave'] as const),
] as const;

/** What a read of candles is answered with. */
const ANSWERS = ['bars', 'bars', 'bars', 'unbuilt', 'busy', 'asked', 'page', 'lost'] as const;

/** Milliseconds until the next read, after an answer without bars. */
const AFTER: Readonly<Record<string, number>> = {
  busy: 1_000,
  asked: 7_000,
  page: 1_000,
  lost: 1_000,
};

test('without a channel the same comes by reads: of the history, then at each bar, until nobody listens', async () => {
  const step = fc.tuple(fc.constantFrom(...READ_STEPS), someChoice);
  const cases = fc.array(step, { maxLength: 60, size: 'max' });
  await holdLaw(200, cases, async (steps) => {
    const link = new ScriptedLink();
    link.market.advanceTo(START * MINUTE + 5_000);
    /** Requests without an answer, in order. */
    const open: { request: ServiceRequest; at: number; answer(exchange: Exchange): void }[] = [];
    let count = 0;
    link.request = (request) =>
      new Promise((resolve) => {
        count++;
        open.push({ request, at: link.market.now(), answer: resolve });
      });
    const streams = createStreams({ link, env: createVirtualEnv(), lacks: ['candles'] });
    const faults: StreamFault[] = [];
    streams.faults$.subscribe((fault) => faults.push(fault));
    await streams.open();
    const listeners: { end(): void; seen: string[]; expected: string[]; history: number }[] = [];
    let known: number | undefined;
    let hasFailed = false;
    /** When the next request is due; undefined while one is open, or nobody listens. */
    let due: number | undefined;
    let awaited = false;
    let failures = 0;
    let wanted = 0;
    const now = (): number => link.market.now();
    const minuteNow = (): number => Math.floor(now() / MINUTE);
    const settle = async (): Promise<void> => {
      for (let turn = 0; turn < 6; turn++) await Promise.resolve();
    };
    /** A request has gone out, and says what it wants. */
    const expectRequest = (): void => {
      wanted++;
      awaited = true;
      due = undefined;
      const { request } = open.at(-1)!;
      const query =
        known === undefined
          ? { interval: '1m', limit: LIMIT }
          : { interval: '1m', start_time: known * MINUTE };
      expect(request).toMatchObject({
        endpoint: 'market.candles',
        pathParams: { symbol: 'BTC' },
        query,
      });
    };
    const take = (end: number): void => {
      if (known === undefined) {
        for (const { expected, history } of listeners) expected.push(...historyOf(end, history));
      }
      for (let index = known ?? end; index < end; index++) {
        const isLate = index < end - 1 || (hasFailed && now() - (index + 1) * MINUTE > LATE_MS);
        for (const { expected } of listeners)
          expected.push(`closed ${index}${isLate ? ' late' : ''}`);
      }
      known = Math.max(known ?? 0, end);
    };
    for (const [kind, choice] of steps) {
      if (kind === 'pass') {
        const until = now() + [1, 250, 1_000, 9_000, 20_000, MINUTE][choice % 6]!;
        if (due !== undefined && due <= until) {
          const [at, before] = [due, count];
          link.market.advanceTo(until);
          await settle();
          expect(count).toBe(before + 1);
          expect(open.at(-1)!.at).toBe(at);
          expectRequest();
        } else link.market.advanceTo(until);
      } else if (kind === 'join' && listeners.length < 3) {
        const history = choice % 4;
        const one = { seen: [] as string[], expected: [] as string[], history, end: () => {} };
        if (known !== undefined) one.expected.push(...historyOf(known, history));
        listeners.push(one);
        const subscribed = streams
          .candles('BTC', '1m', { history })
          .subscribe((event) => one.seen.push(lineOf(event)));
        one.end = () => subscribed.unsubscribe();
        if (listeners.length === 1) expectRequest();
      } else if (kind === 'leave' && listeners.length > 0) {
        const [left] = listeners.splice(choice % listeners.length, 1);
        left!.end();
        expect(left!.seen).toEqual(left!.expected);
        if (listeners.length === 0) [known, due, awaited] = [undefined, undefined, false];
      } else if (kind === 'answer' && open.length > 0) {
        const { request, answer } = open.shift()!;
        // An answer to a request of listeners that left is nobody's.
        const isOfThese = awaited && open.length === 0;
        const what = ANSWERS[choice % ANSWERS.length]!;
        const closed = Math.floor(now() / MINUTE) - (what === 'unbuilt' ? 1 : 0);
        const from = Number(request.query['start_time'] ?? 0) / MINUTE;
        const candles = [...bars(Math.min(from, closed), closed), bar(closed, false)];
        const asked =
          choice % 2
            ? { headers: { 'retry-after': '7' }, body: null }
            : { headers: {}, body: { error: { details: { retry_after_seconds: 7 } } } };
        const responses: Readonly<Record<string, object>> = {
          busy: { status: 429, headers: {}, body: null },
          asked: { status: 429, ...asked },
          // A proxy's copy of an old answer.
          page: { status: 502, headers: {}, body: { candles, cached: true, age_seconds: 0 } },
        };
        const response = responses[what] ?? {
          status: 200,
          headers: {},
          body: { candles, cached: true, age_seconds: 0 },
        };
        answer(
          what === 'lost'
            ? { kind: 'no_answer', reason: 'lost' }
            : ({ kind: 'answered', response } as never),
        );
        if (isOfThese) {
          awaited = false;
          const isRead = what === 'bars' || what === 'unbuilt';
          const before = known;
          if (isRead) take(closed);
          else failures++;
          // What was missed may come in several answers.
          const isPart = before !== undefined && before < known! && known! < minuteNow();
          hasFailed = isRead ? hasFailed && isPart : true;
          const isCurrent = (known ?? 0) >= minuteNow();
          const next = (Math.floor(now() / MINUTE) + 1) * MINUTE + 250;
          const lateMs = now() % MINUTE;
          const late = Math.min(next, now() + Math.max(1_000, lateMs / 4));
          const again = hasFailed ? now() + 1_000 : late;
          due = isRead ? (isCurrent ? next : again) : now() + AFTER[what]!;
        }
      }
      await settle();
      expect(count).toBe(wanted);
    }
    for (const { seen, expected } of listeners) expect(seen).toEqual(expected);
    expect(faults.filter((fault) => fault.kind === 'read_failed')).toHaveLength(failures);
  });
});
