import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Secret } from '../../../src/config/index.ts';
import { defaultDialect } from '../../../src/contract/index.ts';
import { sha256 } from '../../../src/env/index.ts';
import { createMemoryStore } from '../../../src/journal/index.ts';
import { createKeyRotation } from '../../../src/operate/run/createKeyRotation.ts';
import { confirmKey, lastKeyChange } from '../../../src/runtime/control/rotateKey.ts';
import { holdLaw, Tried } from '../../holdLaw.ts';
import { clientOfKey, GRANTED } from './clientOfKey.ts';

const DAY_MS = 86_400_000;
const WALLETS = ['main', 'sub'];

const keyOf = (keyId: string, secret: string) => ({ keyId, secret: new Secret(secret) });
type Key = ReturnType<typeof keyOf>;
const textOf = ({ keyId, secret }: Key): string => `${keyId} ${secret.reveal()}`;
const fingerprintOf = ({ secret }: Key): string => sha256(secret.reveal()).slice(0, 8);

const drawnStep = fc.record({
  keyId: fc.constantFrom('vk_1', 'vk_2', 'vk_3'),
  secret: fc.constantFrom('one', 'two'),
  /** What the service shows of the key: two connections a page. */
  known: fc.shuffledSubarray(['main', 'sub', 'old', 'idle', 'spare'], { minLength: 3 }),
  lacks: fc.subarray(['trade', 'algo']),
  /** What comes of a key that passes: `unwritten` signs, and the journal lacks it. */
  end: fc.constantFrom('changed', 'changed', 'refused', 'away', 'unwritten'),
  unanswered: fc.nat(2),
  afterMs: fc.constantFrom(0, 1_000, DAY_MS, DAY_MS + 1, -2 * DAY_MS),
});
type Step = typeof drawnStep extends fc.Arbitrary<infer T> ? T : never;

function setUp() {
  const store = createMemoryStore();
  const seen: unknown[] = [];
  let now = 100 * DAY_MS;
  let step!: Step;
  const first = keyOf('vk_1', 'one');
  const rotation = createKeyRotation({
    bot: {
      async keyRotated(about) {
        seen.push(['rotated', about]);
        // A journal takes its time, and the answer waits for it.
        await Promise.resolve();
        if (step.end === 'unwritten') throw new Error('the disk is full');
        await confirmKey(store, about, now);
      },
      keyConfirmed: (about) => confirmKey(store, about, now),
      lastKeyChange: (keyId) => lastKeyChange(store, keyId),
      keyRotationRefused: (reason) => void seen.push(['refused', reason]),
    },
    wallNow: () => now,
    key: {
      keyId: first.keyId,
      async change(_next, check, onChange) {
        await check(clientOfKey(step));
        if (step.end === 'away') throw new Error('the service is away');
        if (step.end === 'refused') return { kind: 'refused', reason: 'another one is under way' };
        onChange(step.unanswered);
        return { kind: 'changed', unanswered: step.unanswered };
      },
    },
    first,
    dialect: defaultDialect,
    wallets: WALLETS,
    scopes: ['read', 'trade'],
    weightPerMinute: undefined,
    hide: () => {},
    async open(keyId, limit) {
      seen.push(['open', keyId, limit]);
      return {
        use: () => void seen.push(['use', keyId]),
        drop: async () => void seen.push(['drop', keyId]),
      };
    },
  });
  return {
    first,
    store,
    rotation,
    now: () => now,
    take: () => seen.splice(0),
    async play(next: Step) {
      step = next;
      now += next.afterMs;
      const key = keyOf(next.keyId, next.secret);
      return rotation.rotate(async () => key, 'quarterly').catch(String);
    },
  };
}

test('a key signs once the service has shown all that the bot needs, and the journal says in place of which', async () => {
  const tried = new Tried();
  await holdLaw(300, fc.array(drawnStep, { minLength: 1, maxLength: 8 }), async (steps) => {
    const { first, store, rotation, now, take, play } = setUp();
    let inUse = first;
    let unansweredBefore = 0;
    /** What the journal says of the last change. */
    let latch: { keyId: string; previous: string; time: number } | undefined;
    for (const step of steps) {
      const next = keyOf(step.keyId, step.secret);
      const isOther = next.keyId !== inUse.keyId;
      const result = await play(step);
      const seen = take();
      const missing = WALLETS.find((wallet) => !step.known.includes(wallet));
      const opened = isOther ? [['open', next.keyId, GRANTED.budget]] : [];
      const dropped = isOther ? [...opened, ['drop', next.keyId]] : [];
      const refuse = (reason: string, mayPass: boolean, before: unknown[] = []): void => {
        tried.take(mayPass ? 'refused for now' : 'refused for good');
        expect(result).toEqual({ refused: reason, mayPass });
        expect(seen).toEqual([...before, ['refused', reason]]);
      };
      if (textOf(next) === textOf(inUse)) {
        expect(seen).toEqual([]);
        const isLately = latch?.keyId === inUse.keyId && Math.abs(now() - latch.time) <= DAY_MS;
        tried.take(isLately ? 'confirmed' : 'in use all along');
        expect(result).toHaveProperty(isLately ? 'done' : 'refused');
        if (!isLately || latch === undefined) continue;
        latch.time = now();
        const text = `secret ${fingerprintOf(inUse)}, in place of ${latch.previous}: quarterly`;
        expect(store.latch('api key')).toMatchObject({ value: inUse.keyId, reason: text });
        const { done } = result as { done: string };
        expect(done.includes('it can be revoked')).toBe(unansweredBefore === 0);
      } else if (missing !== undefined)
        refuse(`${next.keyId} can't be used: it has no wallet ${missing}`, false);
      else if (step.lacks.includes('trade'))
        refuse(`${next.keyId} can't be used: it lacks the scope trade`, false);
      else if (step.end === 'away')
        refuse(`${next.keyId} can't be used: the service is away`, true, dropped);
      else if (step.end === 'refused') refuse('another one is under way', true, dropped);
      else {
        tried.take(isOther ? 'another key' : 'another secret', step.end);
        const { unanswered } = step;
        const about = {
          keyId: next.keyId,
          previous: inUse.keyId,
          fingerprint: fingerprintOf(next),
          reason: 'quarterly',
          unanswered,
        };
        const budget = { limit: GRANTED.budget, remaining: GRANTED.remaining };
        const rotated = ['rotated', isOther ? { ...about, budget } : about];
        const used = isOther ? [['use', next.keyId]] : [];
        expect(seen).toEqual([...opened, ...used, rotated]);
        if (step.end === 'unwritten') expect(result).toBe('Error: the disk is full');
        else {
          latch = { keyId: next.keyId, previous: inUse.keyId, time: now() };
          const { done } = result as { done: string };
          const tail =
            unanswered === 0
              ? '; nothing of the old key is in flight, and it can be revoked'
              : `; ${unanswered} request${unanswered === 1 ? '' : 's'} of the old key had no answer yet: revoke it once trimtab status shows none`;
          expect(done).toBe(`signs with ${next.keyId}${tail}`);
        }
        inUse = next;
        unansweredBefore = unanswered;
      }
      expect(rotation.isInUse(inUse)).toBe(true);
      expect(rotation.isInUse(next)).toBe(textOf(next) === textOf(inUse));
    }
  });
  const names = ['refused for now', 'refused for good', 'confirmed', 'in use all along'];
  const ends = ['another key', 'another secret', 'changed', 'unwritten'];
  expect(tried.rare([...names, ...ends], 5)).toEqual([]);
});
