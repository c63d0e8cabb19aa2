import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createVirtualEnv } from '../../../src/env/index.ts';
import {
  createReconciliation,
  type LookUp,
} from '../../../src/runtime/pipe/createReconciliation.ts';
import { createResendRule } from '../../../src/runtime/pipe/createResendRule.ts';
import { createRests } from '../../../src/runtime/pipe/createRests.ts';
import { createLateness } from '../../../src/runtime/pipe/createLateness.ts';
import { holdLaw } from '../../holdLaw.ts';

/** Each time limit of the pipe with timers and answers just before it, at it and just after it. */

const around = (limit: number) => fc.constantFrom(0, 1, limit - 1, limit, limit + 1, 2 * limit);

describe('a query for what went unanswered', () => {
  const ABSENT_MS = 10_000;
  const QUERY_MS = 1_200_000;
  const answer = fc.record({
    kind: fc.constantFrom(
      'missing' as const,
      'missing' as const,
      'unclear' as const,
      'found' as const,
    ),
    /** How long the answer takes: it may begin before the window's end and arrive after it. */
    takes: fc.constantFrom(0, 0, 1, 5_000, ABSENT_MS - 1, ABSENT_MS, 15_000),
  });
  const drawn = fc.record({
    answers: fc.array(answer, { minLength: 1, maxLength: 8 }),
    last: fc.constantFrom('missing' as const, 'unclear' as const),
    /** Sent this long before the first query. */
    ago: around(ABSENT_MS),
    isRefused: fc.boolean(),
    settledAfter: fc.option(fc.constantFrom(1, 3, 6), { nil: undefined }),
  });

  test('is absent only by two that missed it, the last of which began after the window', async () => {
    await holdLaw(250, drawn, async ({ answers, last, ago, isRefused, settledAfter }) => {
      const env = createVirtualEnv();
      env.queue.advanceTo(1_000_000);
      const sentAt = env.clock.monotonicNow() - ago;
      const asked: Array<{ began: number; kind: LookUp['kind'] }> = [];
      const concluded: string[] = [];
      let isSettled = false;
      let isClosed = false;
      const conclusions = {
        accept: () => void concluded.push('accepted'),
        absent: async () => void concluded.push('absent'),
        reject: async () => void concluded.push('rejected'),
        unresolved: async () => void concluded.push('unresolved'),
      };
      const reconciliation = createReconciliation({
        env,
        journal: { stateOf: () => (isSettled ? 'accepted' : 'unknown') },
        conclusions,
        rests: createRests(env.timers, () => isClosed),
        absentAfterMs: ABSENT_MS,
        isClosed: () => isClosed,
        detach: (work: Promise<void>) => void work,
        background: (work: Promise<void>) => void work,
        async lookUp() {
          const at = asked.length;
          // Once an operator was told, the service answers again.
          const late = concluded.includes('unresolved') ? 'missing' : last;
          const { kind, takes } = answers[at] ?? { kind: late, takes: 0 };
          asked.push({ began: env.clock.monotonicNow(), kind });
          if (takes > 0)
            await new Promise<void>((resolve) => void env.timers.after(takes, resolve));
          if (settledAfter === at) isSettled = true;
          return kind === 'found' ? { kind, record: {} } : { kind };
        },
      } as never);
      const item = {
        key: 'k',
        request: { endpoint: 'orders.place' },
        lastSentAt: sentAt,
        unknownSince: sentAt,
      };
      reconciliation.query(item as never, isRefused ? ({ code: 'x' } as never) : undefined);
      const until = env.queue.now() + QUERY_MS + 120_000;
      while (env.queue.now() < until) {
        for (let turn = 0; turn < 6; turn++) await Promise.resolve();
        const next = env.queue.nextTime();
        if (next === undefined) break;
        env.queue.advanceTo(Math.min(next, until));
      }
      isClosed = true;
      const missed = asked.filter(({ kind }) => kind === 'missing');
      const absent = isRefused ? 'rejected' : 'absent';
      const decided = asked.findIndex(({ began, kind }, at) => {
        if (settledAfter !== undefined && at >= settledAfter) return true;
        if (kind === 'found') return true;
        const before = asked.slice(0, at + 1).filter((one) => one.kind === 'missing').length;
        return kind === 'missing' && began - sentAt >= ABSENT_MS && before >= 2;
      });
      const isSettledFirst = settledAfter !== undefined && decided === settledAfter;
      const final = concluded.filter((one) => one !== 'unresolved');
      expect(asked).toHaveLength(decided + 1);
      const one = asked[decided]!.kind === 'found' ? 'accepted' : absent;
      expect(final).toEqual(isSettledFirst ? [] : [one]);
      expect(missed.length >= 2 || isSettledFirst || one === 'accepted').toBe(true);
    });
  });
});

test('what may have been sent is sent again within its time, by the same key, and no entry of a killed bot', async () => {
  const RESEND_MS = 600_000;
  const drawn = fc.record({
    triedMs: fc.option(around(RESEND_MS), { nil: undefined }),
    sentBeforeMs: fc.constantFrom(undefined, 0, 1, RESEND_MS - 1, RESEND_MS),
    opens: fc.boolean(),
    endpoint: fc.constantFrom(
      'executions.launch',
      'orders.cancel',
      'executions.stop',
      'executions.resume',
      'positions.close',
      'orders.bulkCancel',
      'positions.attachLegs',
    ),
    signedBy: fc.constantFrom(undefined, 'old', 'new'),
    isKilled: fc.boolean(),
    isPaused: fc.constantFrom(false, false, true),
    mayRun: fc.constantFrom(true, true, false),
    isPastEnd: fc.boolean(),
    isTooOld: fc.boolean(),
    isLifted: fc.boolean(),
  });
  await holdLaw(2_000, drawn, (one) => {
    const rule = createResendRule({
      env: { clock: { monotonicNow: () => 5_000_000 } },
      explainTooOld: () => (one.isTooOld ? 'old' : undefined),
      explainLifted: () => (one.isLifted ? 'lifted' : undefined),
      isPastEnd: () => one.isPastEnd,
      keyInUse: () => 'new',
      isKilled: () => one.isKilled,
      isPaused: (instance) => one.isPaused && instance === 'ema',
      mayRun: (instance) => one.mayRun || instance !== 'ema',
    });
    const item = {
      emission: { instance: 'ema' },
      request: { endpoint: one.endpoint },
      opens: one.opens,
      ...(one.triedMs === undefined ? {} : { unknownSince: 5_000_000 - one.triedMs }),
      ...(one.sentBeforeMs === undefined ? {} : { sentBeforeMs: one.sentBeforeMs }),
      ...(one.signedBy === undefined ? {} : { signedBy: one.signedBy }),
    } as never;
    const isUnknown = one.triedMs !== undefined;
    const ageMs = (one.triedMs ?? 0) + (one.sentBeforeMs ?? 0);
    const canEndOnly = ['orders.cancel', 'executions.stop'].includes(one.endpoint);
    const isOver = (ageMs >= RESEND_MS || one.isLifted) && !canEndOnly;
    const isOther = one.signedBy === 'old' && (one.opens || one.endpoint === 'executions.launch');
    const isHalted = one.isKilled || one.isPaused || !one.mayRun;
    const isBarred = one.opens && (isHalted || one.isPastEnd || one.isTooOld);
    expect(rule.resendRefusal(item) !== undefined).toBe(
      isUnknown && (isOther || isOver || isBarred),
    );
    expect(rule.isTried(item)).toBe(isUnknown && one.triedMs! >= RESEND_MS);
  });
});

test('what waited is too late after its end, and an entry by a closed gate, its age or without its strategy, unless it may have been sent', async () => {
  const drawn = fc.record({
    notAfter: fc.option(fc.constantFrom(-1, 0, 1, 9, 10), { nil: undefined }),
    behindMs: fc.constantFrom(0, 10),
    opens: fc.boolean(),
    isUnknown: fc.boolean(),
    refusal: fc.constantFrom(undefined, 'closed'),
    tooOld: fc.constantFrom(undefined, 'old'),
    lifted: fc.constantFrom(undefined, undefined, 'lifted'),
    mayRun: fc.constantFrom(true, true, false),
  });
  await holdLaw(500, drawn, (one) => {
    const { notAfter, behindMs, opens, isUnknown, refusal, tooOld, lifted, mayRun } = one;
    const lateness = createLateness({
      market: { now: () => 1_000 } as never,
      present: () => 1_000 + behindMs,
      entryRefusal: () => refusal,
      explainTooOld: () => tooOld,
      explainLifted: () => lifted,
      mayRun: (instance) => mayRun || instance !== 'ema',
    });
    const intent = notAfter === undefined ? {} : { not_after: 1_000 + notAfter };
    const item = {
      emission: { intent, instance: 'ema' },
      opens,
      ...(isUnknown ? { unknownSince: 1 } : {}),
    } as never;
    // What opens ends by the latest time that is known.
    const isPast = notAfter !== undefined && notAfter < (opens ? behindMs : 0);
    expect(lateness.isPastEnd(item)).toBe(isPast);
    const isBarred = !mayRun || (refusal ?? tooOld) !== undefined;
    const isLate = isPast || lifted !== undefined || (opens && isBarred);
    expect(lateness.explainTooLate(item) !== undefined).toBe(!isUnknown && isLate);
  });
});
