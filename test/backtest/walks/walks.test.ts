import { describe, expect, test } from 'vitest';
import { isFull, rotated, rotation } from '../../tiers.ts';
import { compareWalks, Coverage } from './compareWalks.ts';
import { PLANTS } from './plants.ts';

/** Drawn cases; others with each commit. */
const CASES = isFull ? 200 : 48;
const PARTS = 6;
/**
 * What is rare, so that each run of the tests has some: liquidations in the first two, and in the last a loss of the day
 * that depends on when a day begins within a stretch of bars.
 */
const ALWAYS = ['10', '11', 'order 1479'];
const seedAt = (at: number): string => ALWAYS[at] ?? `${rotation} ${at}`;
/** Cases in which a planted difference must show; most show in the first. */
const MOST_CASES = 60;

describe('a backtest walks its tape as the definition of a replay says', () => {
  const coverage = new Coverage();

  test.each(Array.from({ length: PARTS }, (_none, part) => part))(
    'in all that a drawn run leaves (part %i)',
    async (part) => {
      for (let at = part; at < CASES; at += PARTS) {
        const seed = seedAt(at);
        const compared = await compareWalks(seed);
        expect(compared.difference, `seed ${seed}: ${compared.drawn.traits.join(', ')}`).toBe(
          undefined,
        );
        coverage.take(compared);
      }
    },
    60_000,
  );

  test('and the drawn runs have everything that a walk could get wrong', () => {
    const missing = COVERED.filter((name) => coverage.count(name) === 0);
    // The rarest of them are in one case of fifty.
    expect(missing.length).toBeLessThanOrEqual(isFull ? 0 : COVERED.length / 4);
  });
});

describe('a difference is found', () => {
  const names = Object.keys(PLANTS);
  test.each(isFull ? names : rotated(names, 4))(
    '%s',
    async (name) => {
      for (let seed = 0; seed < MOST_CASES; seed++) {
        const { difference } = await compareWalks(String(seed), PLANTS[name]);
        if (difference !== undefined) return;
      }
      expect.fail(`${MOST_CASES} drawn runs are the same with it.`);
    },
    60_000,
  );
});

const TRAITS = [
  'several symbols',
  'gaps',
  'wild prices',
  'funding of a file',
  'latency',
  'scarce margin',
  'two wallets',
  'uncovered guard',
  'daily loss',
  'small budget',
  'liquidation',
  'life quarantined',
  'life restarted',
];
const INTENTS = [
  'place_order',
  'modify_order',
  'cancel_order',
  'bulk_cancel',
  'attach_tpsl',
  'close_position',
  'set_leverage',
  'launch',
  'control_execution',
  'create_monitor',
  'pause_monitor',
  'stop_monitor',
  'launch_basket',
];
const COVERED = [
  ...TRAITS,
  ...INTENTS.map((kind) => `${kind} accepted`),
  'place_order denied',
  'place_order rejected',
];
