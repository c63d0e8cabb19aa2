/** Steps of a strategy's new version, against what an operator is told of them: what is open is handed over by name. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Clock } from '../../../src/env/index.ts';
import { createMemoryStore } from '../../../src/journal/index.ts';
import type { PlannedStrategy } from '../../../src/runtime/BotPlan.ts';
import {
  createStages,
  readStage,
  STAGES,
  versionOf,
} from '../../../src/runtime/control/createStages.ts';
import { createPromote, type StageTaken } from '../../../src/runtime/control/promote.ts';
import type { AtWork } from '../../../src/runtime/wallet/index.ts';
import { holdLaw, Tried } from '../../holdLaw.ts';
import { isFull } from '../../tiers.ts';

const SYMBOLS = ['BTC', 'ETH'] as const;
const KINDS = ['position', 'holding', 'order', 'execution', 'monitor', 'unanswered'] as const;
const DIRECTORY = '/home/bots';
/** Each use, and what names it in the journal. */
const VERSIONS: Readonly<Record<string, string>> = {
  '/home/bots/new.ts': './new.ts',
  '/home/bots/a folder/new one.ts': './a folder/new one.ts',
  '/home/bots-2/new.ts': '../bots-2/new.ts',
  'a-package': 'a-package',
};
const USES = Object.keys(VERSIONS);

const what = fc.record({
  kind: fc.constantFrom(...KINDS),
  symbol: fc.constantFrom(...SYMBOLS, 'SOL'),
});
const step = fc.record({
  instance: fc.constantFrom('trend', 'trend', 'trend', 'trend', 'range', 'nobody'),
  to: fc.constantFrom(...STAGES),
  handOver: fc.subarray<string>([...SYMBOLS, 'SOL']),
  open: fc.array(what, { maxLength: 3 }),
  isRecording: fc.constantFrom(false, false, false, false, true),
  isUnknown: fc.constantFrom(false, false, false, false, true),
  /** The process ends behind it. */
  isLast: fc.boolean(),
  fails: fc.constantFrom(false, false, false, false, true),
});
const drawn = fc.record({
  use: fc.constantFrom(...USES),
  canary: fc.constantFrom(0.1, 0.5),
  share: fc.constantFrom(1, 0.4),
  steps: fc.array(step, { minLength: 2, maxLength: 10 }),
});

/** What a wallet has, a record each, of which the law reads the symbol alone. */
function workOf(open: ReadonlyArray<{ kind: (typeof KINDS)[number]; symbol: string }>): AtWork {
  const of = (kind: (typeof KINDS)[number]) => open.filter((one) => one.kind === kind);
  return {
    positions: of('position').map(({ symbol }) => ({
      symbol,
      side: 'long',
      size: 1,
      entry_price: 1,
    })),
    holdings: of('holding').map(({ symbol }) => ({ symbol, size: 1 })),
    orders: of('order').map(({ symbol }) => ({ symbol, order_id: 'ord_1', size: 1, price: 1 })),
    executions: of('execution').map(({ symbol }) => ({
      symbol,
      execution_id: 'exe_1',
      total_size: 1,
    })),
    monitors: of('monitor').map(({ symbol }) => ({
      monitor_id: 'mon_1',
      action: { type: 'order', request: { symbol } },
    })),
  } as unknown as AtWork;
}

test('a step is taken by name, once it is durable, and holds after a restart for the same version alone', async () => {
  const tried = new Tried();
  await holdLaw(200, drawn, async ({ use, canary, share, steps }) => {
    const memory = createMemoryStore();
    let fails = false;
    const store = {
      ...memory,
      setLatch: (...given: Parameters<typeof memory.setLatch>) => {
        if (fails) throw new Error('the disk is full');
        return memory.setLatch(...given);
      },
    };
    const plan = (name: string, shadowUse?: string): PlannedStrategy =>
      ({
        name,
        wallet: 'sub',
        symbols: [...SYMBOLS],
        strategy: 'former',
        params: 'former',
        version: 'former',
        capitalShare: share,
        isolation: {
          use: './former.ts',
          directory: DIRECTORY,
          params: 'raw former',
          deadlineMs: 1,
        },
        ...(shadowUse !== undefined && {
          shadow: {
            strategy: 'new',
            accepted: 'accepted',
            params: 'raw',
            use: shadowUse,
            directory: DIRECTORY,
            canary,
          },
        }),
      }) as unknown as PlannedStrategy;
    const strategies = [plan('trend', use), plan('range')];
    const clock = { wallNow: () => 7 } as Clock;
    const version = VERSIONS[use]!;
    expect(versionOf({ use, directory: DIRECTORY })).toBe(version);
    let stages = createStages({ strategies, store, clock });
    let stage: (typeof STAGES)[number] = 'shadow';
    for (const {
      instance,
      to,
      handOver,
      open,
      isRecording,
      isUnknown,
      isLast,
      fails: isLost,
    } of steps) {
      const taken: StageTaken[] = [];
      const replaced: string[] = [];
      const promote = createPromote({
        strategies,
        stages,
        isRecording,
        // Another wallet has nothing open, and is known.
        workOf: (wallet) => workOf(wallet === 'sub' ? open : []),
        explainUnknown: (wallet) =>
          wallet === 'sub' && isUnknown ? 'it has not been seen' : undefined,
        exposedSymbols: (wallet) =>
          open
            .filter(({ kind }) => wallet === 'sub' && kind === 'unanswered')
            .map(({ symbol }) => symbol),
        replace: (name) => {
          // Whoever is made now is of the new stage.
          replaced.push(`${name} ${stages.of(name)}`);
        },
        onTaken: (one) => void taken.push(one),
      });
      fails = isLost;
      const said = await promote(instance, { to, reason: 'why', handOver }).catch(String);
      fails = false;
      const isNext = Math.abs(STAGES.indexOf(to) - STAGES.indexOf(stage)) === 1;
      const isOther = to === 'shadow' || stage === 'shadow';
      const openOn = SYMBOLS.filter((symbol) => open.some((one) => one.symbol === symbol));
      const isNamed =
        !isOther || (!isUnknown && openOn.every((symbol) => handOver.includes(symbol)));
      const isTaken =
        instance === 'trend' && isNext && !isRecording && !handOver.includes('SOL') && isNamed;
      if (isTaken && !isLost) {
        expect(said).toBeUndefined();
        const handedOver = isOther ? openOn : [];
        expect(taken).toEqual([{ instance, from: stage, to, reason: 'why', handedOver }]);
        expect(replaced).toEqual([`${instance} ${to}`]);
        stage = to;
        tried.take(to);
      } else {
        expect([typeof said, taken, replaced]).toEqual(['string', [], []]);
        if (
          instance === 'trend' &&
          isNext &&
          !isRecording &&
          !handOver.includes('SOL') &&
          !isNamed
        ) {
          if (isUnknown) expect(said).toContain('not known yet: it has not been seen');
          // Each symbol that is not named is told.
          for (const symbol of isUnknown ? [] : openOn)
            if (!handOver.includes(symbol)) expect(said).toContain(openOn.join(','));
          tried.take(isUnknown ? 'unknown' : 'not handed over');
        }
      }
      expect(stages.of('trend')).toBe(stage);
      expect(readStage(store, 'trend')?.stage ?? 'shadow').toBe(stage);
      if (stage !== 'shadow')
        expect(readStage(store, 'trend')).toEqual({ stage, version, reason: 'why', time: 7 });
      const trades = stages.planned('trend');
      expect(trades).toMatchObject(
        stage === 'shadow'
          ? { strategy: 'former', params: 'former', version: 'former', capitalShare: share }
          : {
              strategy: 'new',
              params: 'accepted',
              version,
              former: 'former',
              capitalShare: stage === 'canary' ? share * canary : share,
              isolation: { use, directory: DIRECTORY, params: 'raw', deadlineMs: 1 },
            },
      );
      expect(stages.planned('range')).toBe(strategies[1]);
      if (!isLast) continue;
      stages = createStages({ strategies, store, clock });
      expect(stages.of('trend')).toBe(stage);
      // Another version has come no way yet.
      const other = [plan('trend', '/home/bots/newer.ts')];
      expect(createStages({ strategies: other, store, clock }).of('trend')).toBe('shadow');
    }
  });
  const cases = ['canary', 'live', 'shadow', 'not handed over', 'unknown'];
  if (isFull) expect(tried.rare(cases, 10)).toEqual([]);
});
