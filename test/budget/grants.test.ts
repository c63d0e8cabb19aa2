import { describe, expect, test } from 'vitest';
import type { LedgerAnswer, LedgerTurn } from '../../src/budget/BudgetLedger.ts';
import { createGrant } from '../../src/budget/createGrant.ts';
import { createTurns } from '../../src/budget/createTurns.ts';
import { createUnreported } from '../../src/budget/createUnreported.ts';
import { createVirtualEnv } from '../../src/env/index.ts';

describe('what a process holds', () => {
  const setUp = () => {
    let time = 10_000;
    const grant = createGrant(() => time);
    return { grant, wait: (ms: number) => void (time += ms) };
  };

  test('is spent ordinary weight first, and an entry never has the part for exits', () => {
    const { grant } = setUp();
    grant.take({ urgent: 25, ordinary: 20 });
    expect([grant.inHand('exit'), grant.inHand('entry')]).toEqual([45, 20]);
    grant.spend(12);
    expect([grant.inHand('exit'), grant.inHand('entry')]).toEqual([33, 8]);
    grant.spend(20);
    expect([grant.inHand('exit'), grant.inHand('entry'), grant.total()]).toEqual([13, 0, 13]);
  });

  test('is no longer held once a turn has given it back', () => {
    const { grant } = setUp();
    grant.take({ urgent: 25, ordinary: 20 });
    grant.giveBack({ urgent: 5, ordinary: 0 });
    expect([grant.inHand('exit'), grant.inHand('entry')]).toEqual([5, 0]);
  });

  test('is needed until it is granted, exits by either kind of weight', () => {
    const { grant } = setUp();
    expect(grant.need('entry', 50)).toBe(true);
    expect(grant.need('entry', 40)).toBe(false);
    expect(grant.need('exit', 30)).toBe(true);
    expect(grant.toTurn(false).needed).toEqual({ urgent: 30, ordinary: 50 });
    grant.take({ urgent: 10, ordinary: 20 });
    expect(grant.toTurn(false).needed).toEqual({ urgent: 0, ordinary: 50 });
    grant.take({ urgent: 0, ordinary: 50 });
    expect(grant.isShort()).toBe(false);
  });

  test('is asked for no longer than something has asked lately', () => {
    const { grant, wait } = setUp();
    grant.demand('entry', 50);
    grant.need('entry', 50);
    wait(1_000);
    grant.forget();
    expect(grant.isShort()).toBe(true);
    wait(1);
    grant.forget();
    expect(grant.isShort()).toBe(false);
  });

  test('is nothing beyond an exit’s for one that has asked for nothing yet, however young its clock', () => {
    for (const time of [0, 1, 2_000, 10_000]) {
      const { wanted } = createGrant(() => time).toTurn(true);
      expect(wanted).toEqual({ urgent: 25, ordinary: 0 });
    }
  });

  test('is given back when it is idle and another waits', () => {
    const { grant, wait } = setUp();
    grant.demand('entry', 60);
    grant.take({ urgent: 25, ordinary: 60 });
    wait(2_000);
    expect(grant.toTurn(true)).toMatchObject({
      held: { urgent: 25, ordinary: 60 },
      wanted: { urgent: 25, ordinary: 60 },
    });
    wait(1);
    expect(grant.toTurn(true)).toMatchObject({
      held: { urgent: 25, ordinary: 0 },
      wanted: { urgent: 25, ordinary: 0 },
    });
    expect(grant.toTurn(false)).toMatchObject({ held: { ordinary: 20 }, wanted: { ordinary: 20 } });
  });
});

describe('what the ledger does not know yet', () => {
  const setUp = () => {
    let time = 0;
    const unreported = createUnreported(() => time);
    return { unreported, wait: (ms: number) => void (time += ms) };
  };

  test('is reported with its age, once, and what came meanwhile with the next turn', () => {
    const { unreported, wait } = setUp();
    unreported.spend(5);
    wait(300);
    unreported.spend(7);
    const acknowledge = unreported.begin();
    expect(unreported.toTurn().spent).toEqual([
      { weight: 5, ageMs: 300 },
      { weight: 7, ageMs: 0 },
    ]);
    unreported.spend(9);
    acknowledge();
    expect(unreported.toTurn().spent).toEqual([{ weight: 9, ageMs: 0 }]);
    unreported.begin()();
    expect(unreported.isUrgent()).toBe(false);
  });

  test('is reported again if the turn is not acknowledged', () => {
    const { unreported } = setUp();
    unreported.spend(5);
    unreported.begin();
    expect(unreported.toTurn().spent).toHaveLength(1);
  });

  test('an equal count that the service reported later is another', () => {
    const { unreported } = setUp();
    unreported.learnUsed(40);
    const acknowledge = unreported.begin();
    unreported.learnUsed(40);
    acknowledge();
    expect(unreported.toTurn().reported).toBe(40);
    unreported.begin()();
    expect(unreported.toTurn().reported).toBeUndefined();
  });

  test('a 429 is passed on with what remains of it, until it is over', () => {
    const { unreported, wait } = setUp();
    unreported.holdUntil(1_000);
    wait(400);
    expect(unreported.toTurn().holdMs).toBe(600);
    wait(600);
    expect(unreported.toTurn().holdMs).toBeUndefined();
  });
});

describe('a process at its ledger', () => {
  const ANSWER: LedgerAnswer = {
    held: { urgent: 25, ordinary: 20 },
    spent: 0,
    outstanding: 45,
    foreign: 0,
    holdMs: 0,
    members: 1,
    isContended: false,
    waitMs: 0,
  };

  async function setUp() {
    const env = createVirtualEnv();
    const now = () => env.clock.monotonicNow();
    const grant = createGrant(now);
    const unreported = createUnreported(now);
    const asked: LedgerTurn[] = [];
    let answer: (turn: LedgerTurn) => Promise<LedgerAnswer> = async () => ANSWER;
    const turns = createTurns({
      timers: env.timers,
      now,
      grant,
      unreported,
      toTurn: (isContended) =>
        ({ ...unreported.toTurn(), ...grant.toTurn(isContended) }) as LedgerTurn,
      onAnswer: () => {},
      ledger: {
        turn(turn) {
          asked.push(turn);
          return answer(turn);
        },
        close: async () => {},
      },
    });
    await turns.join();
    const settle = async (): Promise<void> => {
      for (let count = 0; count < 20; count++) await Promise.resolve();
    };
    return {
      turns,
      grant,
      unreported,
      asked,
      answerBy: (next: typeof answer) => void (answer = next),
      async run(ms: number) {
        env.queue.advanceTo(env.queue.now() + ms);
        await settle();
      },
    };
  }

  test('what left while a turn was in flight comes out of what the turn grants', async () => {
    const { turns, grant, answerBy, run } = await setUp();
    const { promise, resolve } = Promise.withResolvers<LedgerAnswer>();
    answerBy(() => promise);
    turns.atOnce();
    grant.spend(15);
    resolve(ANSWER);
    await run(0);
    expect(grant.total()).toBe(30);
  });

  test('what is asked for no more leaves the turns, which come by the heartbeat again', async () => {
    const { turns, grant, asked, run } = await setUp();
    grant.demand('entry', 50);
    grant.need('entry', 50);
    turns.atOnce();
    await run(0);
    expect(asked.at(-1)!.needed).toEqual({ urgent: 0, ordinary: 50 });
    for (let count = 0; count < 102; count++) await run(10);
    expect(asked.at(-1)!.needed).toEqual({ urgent: 0, ordinary: 0 });
    const before = asked.length;
    for (let count = 0; count < 100; count++) await run(10);
    expect(asked.length - before).toBe(1);
  });

  test('spending is reported until the ledger has answered', async () => {
    const { unreported, asked, answerBy, turns, run } = await setUp();
    unreported.spend(5);
    answerBy(() => Promise.reject(new Error('away')));
    turns.atOnce();
    await run(0);
    expect(turns.isAway).toBe(true);
    answerBy(async () => ANSWER);
    await run(500);
    expect(turns.isAway).toBe(false);
    expect(asked.slice(1).map(({ spent }) => spent.map(({ weight }) => weight))).toEqual([
      [5],
      [5],
    ]);
    await run(10);
    expect(unreported.isUrgent()).toBe(false);
  });

  test('one turn at a time, whoever asks', async () => {
    const { turns, asked, answerBy } = await setUp();
    answerBy(() => new Promise(() => {}));
    turns.atOnce();
    turns.atOnce();
    expect(asked).toHaveLength(2);
  });

  test('the end waits for the turn in flight, and takes no other', async () => {
    const { turns, asked, answerBy, run } = await setUp();
    const { promise, resolve } = Promise.withResolvers<LedgerAnswer>();
    answerBy(() => promise);
    turns.atOnce();
    let isClosed = false;
    void turns.close().then(() => (isClosed = true));
    await run(0);
    expect(isClosed).toBe(false);
    resolve(ANSWER);
    await run(0);
    expect(isClosed).toBe(true);
    await run(60_000);
    expect(asked).toHaveLength(2);
  });

  test('beats each second while nothing happens', async () => {
    const { asked, run } = await setUp();
    for (let second = 0; second < 5; second++) await run(1_000);
    expect(asked).toHaveLength(6);
  });
});
