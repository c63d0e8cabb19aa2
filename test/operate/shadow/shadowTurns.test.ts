/** The turns of a shadow's thread, with the whole bot behind them: what each of them says, and when. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { defaultDialect } from '../../../src/contract/index.ts';
import { silentLog, type ThreadSide } from '../../../src/env/index.ts';
import { openVenueLink } from '../../../src/operate/directLink/index.ts';
import { runShadow } from '../../../src/operate/shadow/runShadow.ts';
import type {
  FromShadow,
  ShadowSpec,
  SymbolBars,
  ToShadow,
} from '../../../src/operate/shadow/ShadowMessage.ts';
import { generateFeed, paperSettings, type FeedBar } from '../../../src/paper/index.ts';
import { root } from '../../sourceFiles.ts';

const START = Date.UTC(2025, 5, 1);
const MINUTE_MS = 60_000;
const HISTORY = 12;
const EVERY = 5;

const feed = generateFeed({
  symbol: 'BTC',
  interval: '1m',
  bars: 60,
  seed: 4,
  startTime: START,
  startPrice: 60_000,
});
const barAt = (at: number): FeedBar => ({
  time: feed.time[at]!,
  open: feed.open[at]!,
  high: feed.high[at]!,
  low: feed.low[at]!,
  close: feed.close[at]!,
  volume: feed.volume[at]!,
});
const barsOf = (...places: number[]): SymbolBars[] => [
  { symbol: 'BTC', bars: places.map((at) => barAt(at)) },
];
const paper = paperSettings.parse({
  feeds: [{ symbol: 'BTC', interval: '1m', generate: { bars: 2, seed: 1 } }],
  port: 0,
  warmup: 0,
});
const { core } = openVenueLink({
  paper: { ...paper, limits: 'off' },
  data: { feeds: [feed], funding: {} },
  dialect: defaultDialect,
  seed: 1,
  log: silentLog,
});

const specOf = (more: Partial<ShadowSpec> = {}): ShadowSpec => ({
  instance: 'turns',
  use: join(root, 'test/operate/shadow/plants/turns.ts'),
  directory: root,
  params: { every: EVERY },
  symbols: [{ symbol: 'BTC', interval: '1m' }],
  instruments: [...core.engine.market.instruments],
  guards: {} as ShadowSpec['guards'],
  protection: 'off',
  dialect: { file: join(root, 'bot.yaml'), dialect: {}, dialectModule: null } as never,
  seed: 7,
  paper: { ...paper, feeds: [] },
  funding: {},
  memoryMb: 512,
  journal: null,
  ...more,
});

/** Plays messages, each when the one before was answered, and says what came upon each of them. */
async function play(messages: readonly ToShadow[], more: Partial<ShadowSpec> = {}) {
  let said: FromShadow[] = [];
  let turn: (message: ToShadow) => void = () => {};
  const side = {
    data: specOf(more),
    post: (message: FromShadow) => void said.push(message),
    onMessage: (listener: typeof turn) => void (turn = listener),
    onEnd: () => {},
    memoryMb: () => 1,
  } as unknown as ThreadSide;
  await runShadow(side);
  const answers: FromShadow[][] = [];
  for (const message of messages) {
    said = [];
    turn(message);
    await expect
      .poll(() => said.some(({ kind }) => kind === 'done' || kind === 'fault'), { interval: 5 })
      .toBe(true);
    answers.push(said);
  }
  return answers;
}

const begin: ToShadow = {
  kind: 'begin',
  capital: 20_000,
  startTime: START + HISTORY * MINUTE_MS,
  history: barsOf(...Array.from({ length: HISTORY }, (_none, at) => at)),
};
const PLACES = Array.from({ length: 24 }, (_none, at) => HISTORY + at);

test('an intent is said in the turn of the bar on which it was decided, before the turn is over', async () => {
  const bars = PLACES.map((at): ToShadow => ({ kind: 'bars', bars: barsOf(at) }));
  const [first, ...turns] = await play([begin, ...bars, { kind: 'end' }]);
  expect(first!.map(({ kind }) => kind)).toEqual(['ready', 'done']);
  const last = turns.pop()!;
  for (const [place, answers] of turns.entries()) {
    const at = PLACES[place]!;
    const closed = START + (at + 1) * MINUTE_MS;
    const isDue = (START / MINUTE_MS + at) % EVERY === 0;
    expect(
      answers.map(({ kind }) => kind),
      String(at),
    ).toEqual(isDue ? ['intents', 'done'] : ['done']);
    expect(answers.at(-1)).toMatchObject({ at: closed, figures: { capital: 20_000 } });
    if (answers[0]!.kind !== 'intents') continue;
    expect(answers[0]!.intents).toMatchObject([
      { cause: `bar:BTC:1m:${closed - MINUTE_MS}`, time: closed, outcome: 'accepted' },
    ]);
  }
  expect(last).toMatchObject([{ kind: 'done', hash: expect.any(String) }]);
});
