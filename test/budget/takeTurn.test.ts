import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { LedgerTurn } from '../../src/budget/index.ts';
import { emptyLedger, leave, takeTurn } from '../../src/budget/takeTurn.ts';

const NOTHING = { urgent: 0, ordinary: 0 };
const turnOf = (over: Partial<LedgerTurn> = {}): LedgerTurn => ({
  windowMs: 10_000,
  share: 0.9,
  reserveShare: 0.3,
  reserveFloor: 40,
  limit: 1_000,
  exitWeight: 0,
  spent: [],
  held: NOTHING,
  wanted: NOTHING,
  needed: NOTHING,
  ...over,
});

describe('the shared ledger', () => {
  test('never grants more than the allowance, whatever its processes request, spend or lose', () => {
    const step = fc.record({
      after: fc.nat(3_000),
      member: fc.constantFrom('a', 'b', 'c'),
      wanted: fc.record({ urgent: fc.nat(200), ordinary: fc.nat(400) }),
      needed: fc.record({ urgent: fc.nat(50), ordinary: fc.nat(50) }),
      spends: fc.double({ min: 0, max: 1, noNaN: true }),
      dies: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 150 }), (steps) => {
        const state = emptyLedger();
        const held: Record<string, { urgent: number; ordinary: number }> = {};
        const log: Array<{ time: number; weight: number }> = [];
        let now = 1_000_000;
        const lives: Record<string, number> = {};
        for (const { after, member: name, wanted, needed, spends, dies } of steps) {
          now += after;
          const member = `${name}${lives[name] ?? 0}`;
          const mine = held[member] ?? NOTHING;
          const weight = Math.floor((mine.urgent + mine.ordinary) * spends);
          if (weight > 0) log.push({ time: now, weight });
          const ordinary = Math.max(0, mine.ordinary - weight);
          const urgent = mine.urgent - Math.max(0, weight - mine.ordinary);
          if (dies) {
            // It spent without reporting, and its successor has another name.
            held[member] = NOTHING;
            lives[name] = (lives[name] ?? 0) + 1;
            continue;
          }
          const spent = weight > 0 ? [{ weight, ageMs: 0 }] : [];
          const turn = turnOf({ wanted, needed, spent, held: { urgent, ordinary } });
          held[member] = { ...takeTurn(state, member, turn, now).held };
          const inWindow = log.filter(({ time }) => time > now - 10_000);
          const out = Object.values(held).reduce((sum, one) => sum + one.urgent + one.ordinary, 0);
          const all = inWindow.reduce((sum, one) => sum + one.weight, 0) + out;
          expect(all).toBeLessThanOrEqual(900);
        }
      }),
    );
  });

  describe.each([3_600_000, 50])('a clock that was set back by %d ms', (stepMs) => {
    const START = 10_000_000;
    const setUp = () => {
      const state = emptyLedger();
      const spent = [{ weight: 500, ageMs: 0 }];
      takeTurn(state, 'a', turnOf({ spent, holdMs: 4_000, reported: 600 }), START);
      return state;
    };

    test('changes nothing of what was spent, of a wait, or of what others spent', () => {
      const state = setUp();
      const before = structuredClone(takeTurn(state, 'a', turnOf(), START));
      expect(before).toMatchObject({ spent: 500, foreign: 100, holdMs: 4_000 });
      expect(takeTurn(state, 'a', turnOf(), START - stepMs)).toEqual(before);
      const later = takeTurn(state, 'a', turnOf(), START - stepMs + 4_000);
      expect(later).toMatchObject({ spent: 500, foreign: 100, holdMs: 0 });
      const over = takeTurn(state, 'a', turnOf(), START - stepMs + 10_100);
      expect(over).toMatchObject({ spent: 0, foreign: 0 });
    });

    test('counts from the turn in which a process leaves', () => {
      const state = setUp();
      leave(state, 'a', turnOf(), START - stepMs);
      const over = takeTurn(state, 'b', turnOf(), START - stepMs + 10_100);
      expect(over).toMatchObject({ spent: 0, foreign: 0, holdMs: 0, members: 1 });
    });

    test('lets a process be cut off as soon as it is silent', () => {
      const state = setUp();
      takeTurn(state, 'a', turnOf({ wanted: { urgent: 0, ordinary: 100 } }), START);
      const at = (afterMs: number) =>
        takeTurn(state, 'b', turnOf(), START - stepMs + afterMs).outstanding;
      expect([at(0), at(4_900), at(5_000)]).toEqual([30, 30, 0]);
    });
  });

  test('a state of an earlier version has no time of its last turn', () => {
    const state = emptyLedger();
    takeTurn(state, 'a', turnOf({ spent: [{ weight: 500, ageMs: 0 }] }), 10_000_000);
    delete state.now;
    expect(takeTurn(state, 'a', turnOf(), 10_001_000).spent).toBe(500);
    expect(state.now).toBe(10_001_000);
  });

  test('keeps the reserve for exits, and counts what is held for them as part of it', () => {
    const state = emptyLedger();
    const wants = (ordinary: number) => turnOf({ wanted: { urgent: 25, ordinary } });
    expect(takeTurn(state, 'a', wants(900), 0).held).toEqual({ urgent: 25, ordinary: 630 });
    expect(takeTurn(state, 'b', wants(900), 0).held).toEqual({ urgent: 25, ordinary: 0 });
    const exits = turnOf({
      held: { urgent: 25, ordinary: 0 },
      needed: { urgent: 245, ordinary: 0 },
    });
    expect(takeTurn(state, 'b', exits, 0).held.urgent).toBe(245);
  });

  test('the reserve grows with what closing everything of every process would cost', () => {
    const state = emptyLedger();
    takeTurn(state, 'a', turnOf({ exitWeight: 200 }), 0);
    const turn = turnOf({ exitWeight: 160, wanted: { urgent: 0, ordinary: 900 } });
    expect(takeTurn(state, 'b', turn, 0).held.ordinary).toBe(500); // 900 − (40 + 200 + 160)
  });

  test('the waiting process with the least spending goes first, and no light request overtakes it', () => {
    const state = emptyLedger();
    const all = { urgent: 0, ordinary: 620 };
    expect(takeTurn(state, 'a', turnOf({ wanted: all }), 0).held.ordinary).toBe(620);
    takeTurn(state, 'a', turnOf({ spent: [{ weight: 620, ageMs: 0 }] }), 0);
    const heavy = turnOf({ needed: { urgent: 0, ordinary: 20 } });
    const light = turnOf({ needed: { urgent: 0, ordinary: 1 } });
    expect(takeTurn(state, 'b', heavy, 100)).toMatchObject({ held: NOTHING, waitMs: 9_900 });
    expect(takeTurn(state, 'a', light, 200)).toMatchObject({ held: NOTHING, isContended: true });
    expect(takeTurn(state, 'b', heavy, 10_001).held.ordinary).toBe(20);
    expect(takeTurn(state, 'a', light, 10_002).held.ordinary).toBe(1);
  });

  test('a request that no budget could ever admit does not block others', () => {
    const state = emptyLedger();
    takeTurn(state, 'a', turnOf({ spent: [{ weight: 5, ageMs: 0 }] }), 0);
    takeTurn(state, 'b', turnOf({ needed: { urgent: 0, ordinary: 5_000 } }), 0);
    const light = turnOf({ needed: { urgent: 0, ordinary: 20 } });
    expect(takeTurn(state, 'a', light, 1).held.ordinary).toBe(20);
  });

  test('what each process spent before it left counts, and none of what it had open', () => {
    const state = emptyLedger();
    for (const [member, weight] of [
      ['a', 100],
      ['b', 200],
    ] as const) {
      const last = turnOf({ spent: [{ weight, ageMs: 0 }], exitWeight: 400 });
      takeTurn(state, member, turnOf({ exitWeight: 400 }), 0);
      leave(state, member, last, 1);
    }
    const answer = takeTurn(state, 'c', turnOf({ wanted: { urgent: 0, ordinary: 900 } }), 2);
    expect(answer).toMatchObject({ spent: 300, members: 1 });
    expect(answer.held.ordinary).toBe(330); // 900 − 300, less the reserve of 270
  });

  test('what the service still counts of a window that is over was no other client', () => {
    const state = emptyLedger();
    takeTurn(state, 'a', turnOf({ spent: [{ weight: 100, ageMs: 0 }] }), 0);
    const reports = (now: number) => takeTurn(state, 'a', turnOf({ reported: 100 }), now).foreign;
    expect(reports(10_000 + 1_900)).toBe(0);
    expect(reports(10_000 + 2_100)).toBe(100);
  });

  test('LIM-2: one process’s 429 holds all of them', () => {
    const state = emptyLedger();
    takeTurn(state, 'a', turnOf({ holdMs: 4_000 }), 1_000);
    expect(takeTurn(state, 'b', turnOf(), 2_000).holdMs).toBe(3_000);
    expect(takeTurn(state, 'b', turnOf(), 5_000).holdMs).toBe(0);
  });

  test('weight that the service counted and no process spent is foreign, for one window', () => {
    const state = emptyLedger();
    takeTurn(state, 'a', turnOf({ spent: [{ weight: 100, ageMs: 0 }] }), 0);
    expect(takeTurn(state, 'b', turnOf({ reported: 400 }), 10).foreign).toBe(300);
    const turn = turnOf({ wanted: { urgent: 0, ordinary: 900 } });
    expect(takeTurn(state, 'b', turn, 20).held.ordinary).toBe(230); // 900 − 270 − 100 − 300
    expect(takeTurn(state, 'b', turnOf(), 10_010).foreign).toBe(0);
  });

  test('the share of a silent process stays reserved: it may be alive and spending', () => {
    const state = emptyLedger();
    takeTurn(state, 'a', turnOf({ wanted: { urgent: 25, ordinary: 20 } }), 0);
    const turn = turnOf({ wanted: { urgent: 0, ordinary: 900 }, reserveShare: 0, reserveFloor: 0 });
    // Half of 900 is a's, of which it may have spent the 45 that it held.
    expect(takeTurn(state, 'b', turn, 6_000).held.ordinary).toBe(450);
    expect(takeTurn(state, 'b', turn, 130_000).held.ordinary).toBe(900);
  });

  test('a silent process takes nothing of the room for exits that entries left', () => {
    const state = emptyLedger();
    takeTurn(state, 'a', turnOf({ wanted: { urgent: 25, ordinary: 20 } }), 0);
    const entries = takeTurn(state, 'b', turnOf({ wanted: { urgent: 0, ordinary: 900 } }), 4_000);
    const spent = [{ weight: entries.held.ordinary, ageMs: 0 }];
    takeTurn(state, 'b', turnOf({ spent }), 4_000);
    const exit = turnOf({ needed: { urgent: 200, ordinary: 0 } });
    expect(takeTurn(state, 'c', exit, 5_500).held.urgent).toBe(200);
  });

  test('a silent process has the share of those that it knew, however many join', () => {
    const state = emptyLedger();
    takeTurn(state, 'a', turnOf(), 0);
    takeTurn(state, 'b', turnOf(), 0);
    takeTurn(state, 'a', turnOf(), 1);
    takeTurn(state, 'a', turnOf(), 2);
    const turn = turnOf({ wanted: { urgent: 0, ordinary: 900 }, reserveShare: 0, reserveFloor: 0 });
    takeTurn(state, 'c', turnOf(), 10_002);
    takeTurn(state, 'd', turnOf(), 10_002);
    // Each of a and b may spend a third of 900.
    expect(takeTurn(state, 'e', turn, 10_002).held.ordinary).toBe(300);
  });

  test('a silent process may not have learned of one that had just joined', () => {
    const state = emptyLedger();
    takeTurn(state, 'a', turnOf(), 0);
    takeTurn(state, 'b', turnOf(), 0);
    takeTurn(state, 'c', turnOf(), 0);
    takeTurn(state, 'a', turnOf(), 10);
    leave(state, 'b', turnOf(), 10);
    leave(state, 'c', turnOf(), 10);
    const turn = turnOf({ wanted: { urgent: 0, ordinary: 900 }, reserveShare: 0, reserveFloor: 0 });
    // Half of 900, of one that was told of itself before it was told of three.
    expect(takeTurn(state, 'd', turn, 5_010).held.ordinary).toBe(450);
  });

  test('a leaving process leaves only its spending behind', () => {
    const state = emptyLedger();
    takeTurn(state, 'a', turnOf({ wanted: { urgent: 25, ordinary: 600 } }), 0);
    leave(state, 'a', turnOf({ spent: [{ weight: 100, ageMs: 0 }] }), 10);
    const turn = turnOf({ wanted: { urgent: 0, ordinary: 900 }, reserveShare: 0, reserveFloor: 0 });
    const answer = takeTurn(state, 'b', turn, 20);
    expect(answer).toMatchObject({ held: { ordinary: 800 }, spent: 100, members: 1 });
  });
});
