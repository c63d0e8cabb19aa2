import { Command, InvalidArgumentError } from 'commander';
import { checkPaper } from '../config/checkPaper.ts';
import { loadPaperSection } from '../config/loadPaperSection.ts';
import { createLiveEnv, type Env, type Log } from '../env/index.ts';
import { createPinoLog } from '../operate/index.ts';
import { describeFunding } from '../operate/run/describeFunding.ts';
import { describeShortFeeds } from '../operate/run/explainNothingToReplay.ts';
import {
  describeFeedProblem,
  loadMarketData,
  parseFeedFlag,
  parseTapeFlag,
  startPaperServer,
  StateRefusal,
  type PaperServer,
  type PaperSettings,
  type PaperSettingsInput,
} from '../paper/index.ts';
import { CommandFailure, configFailure } from './failures/CommandFailure.ts';
import { joinTapes, type NamedFile, type TapeFlags } from './runs/joinTapes.ts';
import { readWhole } from './options/readWhole.ts';

type FileFeed = {
  symbol: string;
  interval: PaperSettings['feeds'][number]['interval'];
  path: string;
};

interface PaperFlags extends TapeFlags {
  feed?: FileFeed[];
  port?: number;
  paused?: boolean;
  speed?: number | 'max';
  balance?: number;
  warmup?: number;
  state?: string;
  config?: string;
}

const EXAMPLES = `
Without --feed and --config it replays a generated tape of BTC and ETH at 1m.

Examples:
  trimtab paper --feed BTC@1m=btc.csv.gz                a replay at the speed of the clock
  trimtab paper --feed BTC@1m=btc.csv.gz --paused       stepped by POST /paper/replay/advance
  trimtab paper --config configs/demo.yaml --speed 60   settings of the section paper
  trimtab paper --feed BTC@1m=btc.csv.gz --state btc.state   resumes where it stopped
`;

const STANDS_STILL =
  'The replay is paused: step it with POST /paper/replay/advance, or let it run with POST /paper/replay/speed';

/**
 * The default replay: two markets; ETH has an outage of eight minutes every five hours, so that a bot
 * meets stale data.
 */
const MADE_TAPE: PaperSettingsInput['feeds'] = [
  { symbol: 'BTC', interval: '1m', generate: {} },
  {
    symbol: 'ETH',
    interval: '1m',
    generate: { seed: 'ether', start_price: 3_000, volume: 200, outage_every_bars: 300 },
  },
];

/** `trimtab paper`: the whole service on this machine, with a demo key (conventions §7). */
export function createPaperCommand(): Command {
  return new Command('paper')
    .description('the paper service on its own: the v1 interface over a replay')
    .option(
      '--feed <symbol@interval=path>',
      'candles to replay: CSV, .gz, Parquet or a cache; repeatable',
      readFeed,
    )
    .option('--trades <symbol=path>', 'recorded trades, CSV, .gz or .zip; repeatable', readTape)
    .option('--book <symbol=path>', 'recorded book, CSV, .gz or .zip; repeatable', readTape)
    .option(
      '--snapshot <symbol=path>',
      'snapshot of the book at the start of a depth stream',
      readTape,
    )
    .option('--port <n>', 'port to listen on; 0 takes any; default: 8730', readWhole)
    .option('--paused', 'pause the replay until it is stepped')
    .option('--speed <n|max>', 'replay seconds per second; default: 1', readSpeed)
    .option('--balance <usd>', 'cash of the wallet main; default: 10000', readAmount)
    .option('--warmup <bars>', 'bars available as history at the start; default: 500', readWhole)
    .option(
      '--state <file>',
      'keeps accounts, orders and keys (secrets too, mode 0600) across restarts',
    )
    .option('--config <file>', 'YAML with a section paper')
    .addHelpText('after', EXAMPLES)
    .action(async (flags: PaperFlags) => {
      const env = createLiveEnv();
      const log = createPinoLog({
        clock: env.clock,
        isTerminal: process.stderr.isTTY,
        write: (text) => void process.stderr.write(text),
      });
      const server = await start(await settingsOf(flags), { ...env, log });
      const { baseUrl: base_url, wsUrl: ws_url, keyId: key_id, secret } = server;
      process.stdout.write(`${JSON.stringify({ base_url, ws_url, key_id, secret })}\n`);
      await untilSignalled(log);
      await server.close();
    });
}

/**
 * Symbols for which fees and funding of the file may be set: feeds of file and flags, or the default
 * ones.
 */
function fedWith({ feed = [], trades = [] }: PaperFlags) {
  const given = [...feed, ...trades].map(({ symbol }) => symbol);
  return (own: readonly string[]): string[] => {
    const fed = [...own, ...given];
    return fed.length === 0 ? MADE_TAPE.map(({ symbol }) => symbol) : fed;
  };
}

/** Flags override the file; the file overrides the defaults. */
async function settingsOf(flags: PaperFlags): Promise<PaperSettings> {
  const { feed, config, trades, book, snapshot, ...plain } = flags;
  const loaded = config === undefined ? null : await loadPaperSection(config, fedWith(flags));
  if (loaded !== null && !loaded.ok) throw configFailure(loaded.faults);
  const { debug: _debug, ...given } = plain as typeof plain & { debug?: boolean };
  const named = feed ?? loaded?.section.feeds ?? (trades === undefined ? MADE_TAPE : []);
  const tapes = Object.entries({ trades, book, snapshot }).filter(([, files]) => files);
  const feeds = joinTapes(named, Object.fromEntries(tapes) as TapeFlags);
  const checked = checkPaper({ ...loaded?.section, ...given, feeds }, 'trimtab paper');
  if (!checked.ok) throw configFailure(checked.faults);
  return checked.settings;
}

async function start(settings: PaperSettings, env: Env): Promise<PaperServer> {
  const data = await loadMarketData(settings);
  if (!data.ok) throw new CommandFailure('TRIMTAB_DATA_REFUSED', describeFeedProblem(data.problem));
  try {
    const server = await startPaperServer({ settings, data: data.value }, env);
    const { state, time, end_time } = server.replay.record();
    for (const { text, isWhole } of describeFunding(data.value, { from: time, until: end_time })) {
      if (!isWhole) env.log.warn(text);
    }
    for (const short of describeShortFeeds(data.value.feeds, settings.warmup))
      env.log.warn(
        `${short}: only the last one is left to replay; give it more, or set --warmup lower`,
      );
    const symbols = data.value.feeds.map(({ symbol, interval }) => `${symbol}@${interval}`);
    env.log.info('The paper service is listening', {
      base_url: server.baseUrl,
      feeds: symbols.join(' '),
      replay: state,
      market_time: new Date(time).toISOString(),
    });
    if (state === 'paused') env.log.info(STANDS_STILL);
    return server;
  } catch (error) {
    if (error instanceof StateRefusal)
      throw new CommandFailure('TRIMTAB_PAPER_STATE_REFUSED', error.message, 1, { cause: error });
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EADDRINUSE' && code !== 'EACCES') throw error;
    const why = code === 'EACCES' ? 'may not be used by this user' : 'is in use';
    throw new CommandFailure(
      'TRIMTAB_PORT_UNAVAILABLE',
      `Port ${settings.port} ${why}.\n  Name another: --port 0 takes any.`,
      1,
      {
        cause: error,
      },
    );
  }
}

function untilSignalled(log: Log): Promise<void> {
  return new Promise((resolve) => {
    const end = (signal: NodeJS.Signals): void => {
      log.info('Closing', { signal });
      process.off('SIGINT', end).off('SIGTERM', end);
      resolve();
    };
    process.on('SIGINT', end).on('SIGTERM', end);
  });
}

function readFeed(text: string, before: FileFeed[] = []): FileFeed[] {
  const flag = parseFeedFlag(text);
  if (!flag.ok) throw new InvalidArgumentError(flag.message);
  const { symbol } = flag.value;
  if (before.some((feed) => feed.symbol === symbol)) {
    const remedy = 'Its shortest interval serves the longer ones.';
    throw new InvalidArgumentError(`${symbol} has a feed already. ${remedy}`);
  }
  return [...before, flag.value];
}

function readTape(text: string, before: NamedFile[] = []): NamedFile[] {
  const flag = parseTapeFlag(text);
  if (!flag.ok) throw new InvalidArgumentError(flag.message);
  return [...before, flag.value];
}

const readAmount = (text: string): number => readNumber(text, 'a number, 0 or more');

const readSpeed = (text: string): number | 'max' =>
  text === 'max' ? 'max' : readNumber(text, 'a number, 0 or more, or max');

function readNumber(text: string, what: string): number {
  const value = Number(text);
  if (text.trim() !== '' && value >= 0 && Number.isFinite(value)) return value;
  throw new InvalidArgumentError(`It takes ${what}.`);
}
