import { expect, test } from 'vitest';
import { compareWalks } from './compareWalks.ts';

const CASES = 10_000;
const PARTS = 20;

test.each(Array.from({ length: PARTS }, (_none, part) => part))(
  'a backtest walks ten thousand drawn runs as the definition says (part %i)',
  async (part) => {
    for (let at = part; at < CASES; at += PARTS) {
      const { difference, drawn } = await compareWalks(`full ${at}`);
      expect(difference, `seed full ${at}: ${drawn.traits.join(', ')}`).toBe(undefined);
    }
  },
  600_000,
);
