import { Command } from 'commander';
import {
  startDev,
  type DevSession,
  type DevSettings,
  type DevState,
} from '../../backtest/dev/index.ts';
import { formatColumns, formatWhole, type Align } from '../operate/index.ts';
import { CommandFailure } from './failures/CommandFailure.ts';
import { createCliEnv } from './process/createCliEnv.ts';
import { readPort } from './options/readPort.ts';
import { readTimeRange } from './options/readTimeRange.ts';
import { stopOnSignals } from './process/stopOnSignals.ts';
import { feedOption, paramOption, setOption } from './options/tapeOptions.ts';

interface DevFlags {
  timerange?: string;
  feed?: string[];
  param?: string[];
  set?: string[];
  port?: number;
}

const EXAMPLES = `
Examples:
  trimtab dev bot.yaml
  trimtab dev bot.yaml --timerange 20250601-20250614 --feed BTC@1m=btc.csv.gz
  trimtab dev bot.yaml --port 4600

It watches the configuration, its plugins and the files that they import, and market data stay in memory between
runs. The page is for this machine alone. Ctrl-C ends it.
`;

/** `trimtab dev`: a backtest at each save, with the report in the browser. */
export function createDevCommand(): Command {
  return new Command('dev')
    .description('backtest a bot at each save of its plugin, with the report in the browser')
    .argument('<config>', "the bot's YAML")
    .option('--timerange <from-until>', 'part of the tape to trade, such as 20250601-20250614')
    .addOption(feedOption())
    .addOption(paramOption())
    .addOption(setOption())
    .option('--port <number>', 'port of the page; without it, a free one', readPort)
    .addHelpText('after', EXAMPLES)
    .action((config: string, flags: DevFlags) => dev(config, flags));
}

async function dev(config: string, flags: DevFlags): Promise<void> {
  const { timerange, feed = [], param = [], set = [], port = 0 } = flags;
  const settings = { config, range: readTimeRange(timerange), feeds: feed, params: param, set };
  const stop = stopOnSignals();
  const session = await open(settings, port);
  process.stdout.write(`${config} · ${session.url} · Ctrl-C ends it\n`);
  await stop.stopped;
  session.close();
}

async function open(settings: DevSettings, port: number): Promise<DevSession> {
  const onRun = (state: DevState): void => void process.stdout.write(format(state));
  try {
    return await startDev({ settings, env: createCliEnv('warn'), port, onRun });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EADDRINUSE' && code !== 'EACCES') throw error;
    const why = code === 'EACCES' ? 'may not be used by this user' : 'is in use';
    const message = `Port ${port} ${why}.\n  Name another, or leave --port out: it takes a free one then.`;
    throw new CommandFailure('TRIMTAB_PORT_UNAVAILABLE', message, 1, { cause: error });
  }
}

function format(state: DevState): string {
  const { run, changed, fault, figuresOf, rows, notes, bars, tookMs } = state;
  const cause = changed.length === 0 ? '' : ` · ${changed.join(', ')}`;
  if (figuresOf !== run) return `\nrun ${run}${cause} · fault\n${fault}\n`;
  const head = `\nrun ${run}${cause} · ${formatWhole(bars)} bars · ${formatWhole(Math.round(tookMs))} ms`;
  const isFirst = rows.every(({ before }) => before === undefined);
  const align: Align[] = isFirst ? ['left', 'right'] : ['left', 'right', 'right'];
  const cells = rows.map(({ name, now, before = '' }) =>
    [name, now, before].slice(0, align.length),
  );
  const table = formatColumns([['', 'now', 'before'].slice(0, align.length), ...cells], align);
  const same = run > 1 && isFirst ? ['Every figure is as before.'] : [];
  const ended = fault === undefined ? [] : [`Quarantined before the end of the run:\n${fault}`];
  return [head, table, ...same, ...notes, ...ended, ''].join('\n');
}
