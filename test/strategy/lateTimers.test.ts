import { map, NEVER } from 'rxjs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { createVirtualEnv, silentLog, TaskQueue } from '../../src/env/index.ts';
import { closePosition } from '../../src/intents/index.ts';
import {
  createStrategyHost,
  defineStrategy,
  type Emission,
  type StrategySources,
} from '../../src/strategy/index.ts';
import { createMemoryState } from '../../src/strategy/createState.ts';
import { recordHost, replayHost, type RecordedLine } from '../../src/strategy/recording/index.ts';

const MINUTE = 60_000;

const never = () => NEVER;
const nothing: StrategySources = {
  account$: NEVER,
  position: never,
  balances$: NEVER,
  fills$: NEVER,
  orders$: NEVER,
  watch$: NEVER,
  executions$: NEVER,
  monitors$: NEVER,
  refs$: NEVER,
  candles: never,
  price: never,
  market: never,
  book: never,
  funding$: NEVER,
  outcomes$: NEVER,
};

const ticking = defineStrategy({
  name: 'ticking',
  contract: 1,
  description: 'Closes at each minute, and notes what becomes of it.',
  scopes: ['trade'],
  params: z.object({}),
  setup: (ctx) =>
    ctx.every('1m').pipe(map(() => closePosition.atMarket('BTC', {}, { note: ctx.liveness() }))),
});

test('a recording knows which timers ran late, and its replay decides the same', () => {
  const { random } = createVirtualEnv();
  const queue = new TaskQueue(0);
  const lines: RecordedLine[] = [];
  const emitted: Emission[] = [];
  let isLate = false;
  const about = {
    strategy: ticking,
    params: {},
    instance: 'one',
    wallet: 'main',
    symbols: ['BTC'],
    capitalShare: 1,
    log: silentLog,
    instrument: () => undefined,
  };
  const options = {
    ...about,
    random,
    sources: nothing,
    state: createMemoryState(undefined),
    market: {
      now: () => queue.now(),
      at: (time: number, run: (late?: boolean) => void) => queue.at(time, () => run(isLate)),
    },
    onIntent: (emission: Emission) => void emitted.push(emission),
    onFault: (fault: unknown) => expect.fail(JSON.stringify(fault)),
  };
  createStrategyHost(recordHost(options, (line) => lines.push(line))).start();
  queue.advanceTo(MINUTE);
  isLate = true;
  queue.advanceTo(3 * MINUTE);
  isLate = false;
  queue.advanceTo(4 * MINUTE);
  const notes = ['live', 'catch_up', 'catch_up', 'live'];
  expect(emitted.map(({ intent }) => intent.note)).toEqual(notes);
  expect(emitted.map(({ isCatchUp }) => isCatchUp)).toEqual([undefined, true, true, undefined]);

  const written = JSON.parse(JSON.stringify(lines)) as RecordedLine[];
  const replay = replayHost(() => written.shift(), { ...about, createRandom: () => random });
  let step = replay.next();
  while (step.done !== true) step = replay.next();
  expect(step.value.emissions.map(({ intent }) => intent.note)).toEqual(notes);
});
