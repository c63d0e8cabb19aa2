import { expect, test } from 'vitest';
import { walletsOf } from '../../src/config/index.ts';
import { paperSettings } from '../../src/paper/index.ts';
import { openTestService } from '../paper/core/openTestService.ts';

const LABELS = ['Second', 'second', 'A b__C', '!!!', '日本', 'wallet', 'Main', 'main-2', '- x -'];

test('a configuration may name exactly the wallets that the paper service derives from its labels', () => {
  const connections = LABELS.map((label) => ({ label, balance: 1_000 }));
  const feeds = [{ symbol: 'BTC', interval: '1m', generate: {} }] as const;
  const wallets = walletsOf(paperSettings.parse({ feeds, connections }));
  const { items } = openTestService({ connections }).ask('/v1/connections').body;
  expect(wallets).toEqual(items.map(({ id }: { id: string }) => id));
  // A label without a letter or digit of ASCII is a wallet all the same.
  expect(wallets.slice(0, 7)).toEqual([
    'main',
    'second',
    'second-2',
    'a-b-c',
    'wallet',
    'wallet-2',
    'wallet-3',
  ]);
});
