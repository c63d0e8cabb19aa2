import { join } from 'node:path';
import { expect, test } from 'vitest';
import { EXTRACTS } from '../data/places.ts';
import { hashOf } from './runCli.ts';
import { demo, rowOf, useDemoFolder } from './runDemo.ts';

useDemoFolder();

test('another tape gives another hash', async () => {
  const [one, other] = await Promise.all([
    demo('one'),
    demo('three', '--set', 'paper.feeds[0].generate.seed=12'),
  ]);
  expect(other.code).toBe(0);
  expect(hashOf(other)).not.toBe(hashOf(one));
}, 120_000);

test('the same holds on real candles of two symbols', async () => {
  const feeds = ['BTC', 'ETH'].flatMap((symbol) => [
    '--feed',
    `${symbol}@1m=${join(EXTRACTS, `normalised/BINANCEUSDM-${symbol}USDT-1m.csv.gz`)}`,
  ]);
  const result = await demo('real', ...feeds);
  expect(result.code).toBe(0);
  expect(result.out).toContain('429s: 0\n');
  expect(result.out).toContain('unknowns: 0\n');
  expect(Number(rowOf(result, 'total')[7]?.replaceAll(',', ''))).toBeGreaterThan(20);
}, 240_000);
