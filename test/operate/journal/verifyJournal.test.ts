/** What a verification finds in a journal that was changed behind the bot's back, intent by intent. */
import fc from 'fast-check';
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  idempotencyKeyOf,
  isFinal,
  isLegalTransition,
  type IntentLife,
  type IntentState,
  type JournalReader,
} from '../../../src/journal/index.ts';
import { counted } from '../../../src/env/index.ts';
import {
  countProblems,
  formatVerification,
  verifyJournal,
} from '../../../src/operate/journal/verifyJournal.ts';
import { holdLaw, Tried } from '../../holdLaw.ts';
import { isFull } from '../../tiers.ts';

/** Lives as a bot writes them. */
const WHOLE: ReadonlyArray<readonly IntentState[]> = [
  ['emitted', 'denied'],
  ['emitted', 'guarded', 'sending', 'accepted'],
  ['emitted', 'guarded', 'deferred', 'sending', 'rejected'],
  ['emitted', 'guarded', 'deferred', 'expired'],
  ['emitted', 'guarded', 'sending', 'unknown', 'absent'],
  ['emitted', 'guarded', 'sending', 'unknown'],
  ['emitted', 'guarded'],
];

const life = fc.record({
  states: fc.constantFrom(...WHOLE),
  /** What is changed behind the bot's back. */
  wrong: fc.constantFrom(
    'nothing',
    'nothing',
    'nothing',
    'key',
    'row',
    'no guards',
    'a step twice',
    'no steps',
  ),
  generation: fc.constantFrom(0, 1),
});
const drawn = fc.record({
  lives: fc.oneof(
    { weight: 4, arbitrary: fc.array(life, { maxLength: 20 }) },
    { weight: 1, arbitrary: fc.array(life, { minLength: 90, maxLength: 120, size: 'max' }) },
  ),
  /** Problems that the storage itself has found. */
  stored: fc.constantFrom(0, 0, 0, 1, 3),
  /** Reading ends at this life with damage. */
  damagedAt: fc.option(fc.nat({ max: 20 }), { freq: 3, nil: undefined }),
  retired: fc.nat({ max: 3 }),
});

test('each change is found, counted and told, and a whole journal has none', async () => {
  const tried = new Tried();
  await holdLaw(150, drawn, async ({ lives, stored, damagedAt, retired }) => {
    const made = lives.map(({ states, wrong, generation }, at): IntentLife => {
      const decisionKey = `decision ${at}`;
      const own = idempotencyKeyOf(decisionKey, generation);
      const key = wrong === 'key' ? idempotencyKeyOf(decisionKey, generation + 1) : own;
      const steps =
        wrong === 'no guards'
          ? states.filter((state) => state !== 'guarded')
          : wrong === 'a step twice'
            ? states.flatMap((state, place) => (place === 0 ? [state, state] : [state]))
            : wrong === 'no steps'
              ? []
              : states;
      const last = states.at(-1)!;
      const state = wrong === 'row' ? (last === 'accepted' ? 'rejected' : 'accepted') : last;
      return {
        intent: { key, decisionKey, generation, state },
        entries: steps.map((each) => ({ key, state: each })),
      } as unknown as IntentLife;
    });
    const read = damagedAt === undefined ? made : made.slice(0, damagedAt);
    const isCut = damagedAt !== undefined && damagedAt < made.length;
    const reader = {
      problems: async () => Array.from({ length: stored }, (_none, at) => `stored ${at}`),
      retired: async () => retired,
      async *lives() {
        for (const [at, each] of made.entries()) {
          if (at === damagedAt) throw new Error('the file is damaged');
          yield each;
        }
      },
    } as unknown as JournalReader;
    const found = await verifyJournal(reader);

    const wanted: string[] = [];
    for (const { intent, entries } of read) {
      const { key, decisionKey, generation, state } = intent;
      if (key !== idempotencyKeyOf(decisionKey, generation)) wanted.push(`${key} is not the key`);
      const states = entries.map((entry) => entry.state);
      for (const [at, each] of states.entries()) {
        if (!isLegalTransition(states[at - 1], each))
          wanted.push(`${key}: ${states[at - 1] ?? 'nothing'} → ${each} is not`);
        if (each === 'sending' && !states.slice(0, at).includes('guarded'))
          wanted.push(`${key}: it was sent before the guards`);
      }
      if (states.at(-1) !== state)
        wanted.push(`${key}: its steps end in ${states.at(-1) ?? 'nothing'}`);
    }
    if (isCut) wanted.push('the file is damaged');
    const all = [...Array.from({ length: stored }, (_none, at) => `stored ${at}`), ...wanted];
    expect(found.problems).toHaveLength(Math.min(all.length, Math.max(50, stored)));
    for (const [at, problem] of found.problems.entries())
      expect(problem.startsWith(all[at]!)).toBe(true);
    const atLeast = stored > 0 || isCut ? 'at least ' : '';
    expect(countProblems(found)).toBe(`${atLeast}${counted(all.length, 'problem')}`);
    const hashOf = (of: (one: IntentLife) => string): string =>
      createHash('sha256')
        .update(read.map((one) => `${one.intent.key} ${of(one)}\n`).join(''))
        .digest('hex');
    expect(found).toMatchObject({
      intents: read.length,
      steps: read.reduce((sum, { entries }) => sum + entries.length, 0),
      open: read.filter(({ intent }) => !isFinal(intent.state)).length,
      retired,
      replayedHash: hashOf(({ entries }) => entries.at(-1)?.state ?? 'nothing'),
      storedHash: hashOf(({ intent }) => intent.state),
    });
    const text = formatVerification(found);
    expect(text.includes('No problem found.')).toBe(all.length === 0);
    expect(text.includes('(NOT the same)')).toBe(found.replayedHash !== found.storedHash);
    if (all.length === 0) tried.take('whole');
    if (all.length > 50) tried.take('more than are listed');
    if (isCut) tried.take('damaged');
  });
  if (isFull) expect(tried.rare(['whole', 'more than are listed', 'damaged'], 3)).toEqual([]);
});
