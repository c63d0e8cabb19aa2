import { test } from 'vitest';
import { admitAlone } from '../../src/budget/admitAlone.ts';
import {
  createBudget,
  createReplaceableBudget,
  createSharedBudget,
  LANES,
  type Budget,
  type LedgerClasses,
  type SharedBudget,
} from '../../src/budget/index.ts';
import { emptyLedger, leave, takeTurn } from '../../src/budget/takeTurn.ts';
import { createRandom, createVirtualEnv, type Random } from '../../src/env/index.ts';
import { learnBudget } from '../../src/runtime/links/learnBudget.ts';
import { createTestLedger } from '../budget/createTestLedger.ts';
import { answered, rateLimited, silence } from '../runtime/setUpPipe.ts';
import { between, pick } from '../simulation/drawing.ts';
import { laterLine, lineOf } from './answerLine.ts';
import { expectRecorded, type Outcome } from './expectRecorded.ts';

const CASES = 24;
const START = 1_000_000;
const NONE: LedgerClasses = { urgent: 0, ordinary: 0 };

/** Shares of a budget, some of them too small for their own reserves. */
const drawShares = (random: Random) => ({
  limit: pick(random, [60, 400, 1_000, 1_200.5]),
  windowMs: pick(random, [10_000, 60_000]),
  share: pick(random, [0.5, 0.9, 1]),
  reserveShare: pick(random, [0, 0.3, 0.45]),
  reserveFloor: pick(random, [0, 20, 40, 300]),
});

/** What answers teach a budget, of every kind that it distinguishes. */
const exchangeOf = (random: Random) =>
  pick(random, [
    answered(200),
    answered(429),
    answered(503),
    silence,
    rateLimited,
    { kind: 'not_sent', reason: 'no route' } as const,
    answered(429, { error: { code: 'rate_limited', message: '', details: {} } }),
    answered(429, {
      error: {
        code: 'rate_limited',
        message: '',
        details: { bucket_exceeded: 'read_headroom_gate', retry_after_seconds: 3 },
      },
    }),
  ]);

/** Does to a budget what a bot does with it, and notes down what it says of each. */
function drawUse(
  budget: Budget,
  random: Random,
  { name, note }: { name: string; note: (line: string) => void },
): void {
  const lane = pick(random, LANES);
  const weight = pick(random, [1, 2, 5, 20, 55, 120, 400]);
  const what = random.next();
  if (what < 0.62) {
    const admission = budget.admit(lane, weight);
    note(`${name} ${lane} ${weight}: ${lineOf(admission)}`);
    if (admission.admitted) budget.spend(weight, lane);
  } else if (what < 0.68) {
    budget.spend(weight, lane);
  } else if (what < 0.78) {
    budget.learnRemaining(Math.floor(between(random, -20, 1_100)));
  } else if (what < 0.81) {
    budget.learnLimit(pick(random, [60, 400, 1_000, 2_000]));
  } else if (what < 0.87) {
    budget.holdFor(pick(random, [0, 500, 5_000]), pick(random, ['wall', undefined] as const));
  } else if (what < 0.94) {
    budget.served();
  }
  note(`${name} ${lineOf([budget.status(), budget.use()])}`);
}

// LIM-1, LIM-2: who may send, what is said to who may not, and what answers teach.
test('a budget of drawn spending says what it said before', async () => {
  const outcomes = new Map<string, Outcome>();
  for (let seed = 0; seed < CASES; seed++) {
    const random = createRandom(`budget ${seed}`);
    const used: string[] = [];
    let time = START;
    let exitWeight = 0;
    let aheadMs = 0;
    const budget = createBudget({
      ...drawShares(random),
      now: () => time,
      exitWeight: () => exitWeight,
      ...(seed % 3 === 0 ? {} : { wallNow: () => time + aheadMs }),
    });
    const remainingHeader = 'x-remaining';
    const learning = learnBudget(budget, { remainingHeader, wallNow: () => time + aheadMs });
    const underWay = [learning.leaves()];
    for (let step = 0; step < 250; step++) {
      time += pick(random, [0, 0, 1, 40, 250, 900, 4_000, 20_000]);
      if (random.next() < 0.05) exitWeight = pick(random, [0, 100, 700]);
      if (random.next() < 0.05) aheadMs += pick(random, [-2_000, 700, 3_000]);
      if (random.next() < 0.02) {
        learning.startOver();
        budget.startOver?.(pick(random, [400, 1_000]), pick(random, [0, 350, 1_200]));
      }
      if (random.next() < 0.2) underWay.push(learning.leaves());
      if (random.next() < 0.25) {
        const exchange = structuredClone(exchangeOf(random));
        if (exchange.kind === 'answered') {
          const { headers } = exchange.response as { headers: Record<string, string> };
          const remaining = pick(random, [undefined, '900', '12.5', 'many', '0']);
          if (remaining !== undefined) headers[remainingHeader] = remaining;
          const after = pick(random, [undefined, undefined, '7', 'Mon, 12 Jan 1970 13:50:00 GMT']);
          if (after !== undefined) headers['retry-after'] = after;
        }
        pick(random, underWay)(exchange);
      }
      drawUse(budget, random, { name: `${time}`, note: (line) => used.push(line) });
    }
    outcomes.set(`alone ${seed}`, new Map([['used', used]]));
  }
  await expectRecorded('budgets', outcomes);
}, 120_000);

const drawClasses = (random: Random, most: number): LedgerClasses => ({
  urgent: Math.floor(random.next() * most),
  ordinary: Math.floor(random.next() * most),
});

// What processes that share a key are granted, whatever they want, spend, report, or lose.
test('a ledger grants drawn processes what it granted before', async () => {
  const outcomes = new Map<string, Outcome>();
  for (let seed = 0; seed < CASES; seed++) {
    const random = createRandom(`ledger ${seed}`);
    const shares = drawShares(random);
    const lines: string[] = [];
    const state = emptyLedger();
    const held = new Map<string, LedgerClasses>();
    let time = START;
    for (let step = 0; step < 120; step++) {
      time += pick(random, [0, 10, 90, 400, 2_100, 5_000, random.next() < 0.05 ? 130_000 : 30]);
      if (random.next() < 0.03) time -= 30_000;
      const member = pick(random, ['a', 'b', 'c', 'd']);
      const mine = held.get(member) ?? NONE;
      const gone = random.next() < 0.1;
      const weight = random.next() < 0.6 ? Math.floor(random.next() * (mine.ordinary + 1)) : 0;
      const turn = {
        ...shares,
        exitWeight: pick(random, [0, 0, 30, 200]),
        spent: [
          { weight, ageMs: pick(random, [0, 30, 1_200]) },
          ...(random.next() < 0.2 ? [{ weight: 7, ageMs: 2_500 }] : []),
        ],
        held: { urgent: mine.urgent, ordinary: mine.ordinary - weight },
        wanted: drawClasses(random, pick(random, [30, 300])),
        needed: random.next() < 0.5 ? NONE : drawClasses(random, pick(random, [40, 700])),
        ...(random.next() < 0.2 ? { reported: Math.floor(random.next() * 900) } : {}),
        ...(random.next() < 0.08 ? { holdMs: pick(random, [400, 9_000]) } : {}),
      };
      if (gone) {
        leave(state, member, turn, time);
        held.delete(member);
        lines.push(`${time} ${member} leaves`);
      } else {
        const answer = takeTurn(state, member, turn, time);
        held.set(member, { ...answer.held });
        lines.push(`${time} ${member} ${lineOf(answer)}`);
      }
      lines.push(lineOf(state));
    }
    outcomes.set(`ledger ${seed}`, new Map([['turns', lines]]));
  }

  const alone: string[] = [];
  const random = createRandom('alone');
  for (let at = 0; at < 3_000; at++) {
    const { limit, windowMs, share, reserveShare } = drawShares(random);
    const state = {
      limit,
      windowMs,
      share,
      reserveShare,
      members: 1 + Math.floor(random.next() * 4),
      silentMs: pick(random, [0, 4_999, 5_000, windowMs + 4_999, windowMs + 5_000, 90_000, 90_001]),
      isCounted: random.next() < 0.7,
      inHand: pick(random, [0, 20, 45]),
      used: pick(random, [0, 50, 200]),
      spentAlone: pick(random, [0, 10, 40]),
    };
    const [lane, weight] = [pick(random, LANES), pick(random, [1, 20, 45, 100])];
    alone.push(`${lane} ${weight} ${lineOf(state)} ${admitAlone(lane, weight, state)}`);
  }
  outcomes.set('cut off', new Map([['admissions', alone]]));
  await expectRecorded('ledgers', outcomes);
}, 120_000);

// Three processes, whose ledger is slow or away for a while, and of which one takes another key.
test('budgets that share a key say what they said before', async () => {
  const outcomes = new Map<string, Outcome>();
  for (let seed = 0; seed < CASES / 2; seed++) {
    const random = createRandom(`shared ${seed}`);
    const env = createVirtualEnv({ startTime: START });
    const shares = drawShares(random);
    const now = (): number => env.queue.now();
    const ledgers = [createTestLedger(env), createTestLedger(env)] as const;
    const lines: string[] = [];
    const settle = async (): Promise<void> => {
      for (let tick = 0; tick < 12; tick++) await Promise.resolve();
    };
    const openAt = (member: string, at: 0 | 1): Promise<SharedBudget> => {
      const exitWeight = (): number => (member === 'b' ? 60 : 0);
      const ledger = ledgers[at].at(member);
      return createSharedBudget({ ...shares, ledger, timers: env.timers, now, exitWeight });
    };
    const budgets = [
      createReplaceableBudget(await openAt('a', 0)),
      createReplaceableBudget(await openAt('b', 0)),
      createReplaceableBudget(await openAt('c', 0)),
    ];
    for (let step = 0; step < 220; step++) {
      const passing = pick(random, [0, 5, 10, 40, 250, 600, 1_000, 6_000]);
      for (let ms = 0; ms < passing; ms += 50) {
        env.queue.advanceTo(now() + Math.min(50, passing - ms));
        await settle();
      }
      const name = Math.floor(random.next() * budgets.length);
      const budget = budgets[name]!;
      if (random.next() < 0.03) ledgers[0].cut();
      if (random.next() < 0.08) ledgers[0].mend();
      if (random.next() < 0.03) ledgers[0].delay(pick(random, [0, 30, 400]));
      if (random.next() < 0.01) void budget.replace(await openAt(`next ${step}`, 1));
      drawUse(budget, random, { name: `${now()} ${name}`, note: (line) => lines.push(line) });
      await settle();
      lines.push(lineOf(budgets.map(({ isAlone, members }) => [isAlone, members])));
    }
    ledgers[0].mend();
    const closing = budgets.map((budget) => laterLine(() => budget.close()));
    env.queue.advanceTo(now() + 2_000);
    await settle();
    lines.push(...(await Promise.all(closing)));
    outcomes.set(`shared ${seed}`, new Map([['used', lines]]));
  }
  await expectRecorded('sharedBudgets', outcomes);
}, 120_000);
