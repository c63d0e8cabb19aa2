import { Command } from 'commander';
import { checkBot, formatCheck } from '../../backtest/check/index.ts';
import { tapeInRange } from '../../backtest/index.ts';
import { loadConfig } from '../config/index.ts';
import { loadTape } from '../operate/run/index.ts';
import { CommandFailure, configFailure, runFailed } from './failures/CommandFailure.ts';
import { createCliEnv } from './process/createCliEnv.ts';
import { besideJson, prepareJson, writeJson } from './output/jsonOutput.ts';
import { noteShadows } from './runs/noteShadows.ts';
import { noteUntradedFeeds } from './runs/noteUntradedFeeds.ts';
import { forceOption } from './output/prepareOutput.ts';
import { noteOtherRange, readTimeRange } from './options/readTimeRange.ts';
import { refuseRecord } from './options/recordSetting.ts';
import { feedOption, paramOption, setOption } from './options/tapeOptions.ts';

interface CheckFlags {
  timerange?: string;
  feed?: string[];
  param?: string[];
  set?: string[];
  seed?: string;
  points: string;
  json?: string;
  force?: boolean;
}

const EXAMPLES = `
Examples:
  trimtab check configs/demo.yaml
  trimtab check bot.yaml --timerange 20250601-20250614 --feed BTC@1m=btc.csv.gz --points 12

It runs the bot about fifteen times: on tapes that end earlier, with more warm-up, with another clock, with
promises settled between bars, with better and worse fills. Exits with 1 if decisions differ that must not,
or if a strategy ends before the tape does.
Data that a plugin reads itself is checked only if a parameter names a feed's file; a plugin whose source
imports files or the network is listed.
`;

/** `trimtab check`: whether a bot's backtest can be trusted. */
export function createCheckCommand(): Command {
  return new Command('check')
    .description('check a bot for look-ahead, short warm-up, randomness and fill assumptions')
    .argument('<config>', "the bot's YAML")
    .option('--timerange <from-until>', 'part of the tape to trade, as in backtest')
    .addOption(feedOption())
    .addOption(paramOption())
    .addOption(setOption())
    .option('--seed <number>', 'seed for the randomness of strategies')
    .option('--points <count>', 'times at which the tape is truncated', '6')
    .option(
      '--json <file>',
      'file for findings and figures as JSON; - for stdout, and all text on stderr',
    )
    .addOption(forceOption())
    .addHelpText('after', EXAMPLES)
    .action((config: string, flags: CheckFlags) => check(config, flags));
}

async function check(path: string, flags: CheckFlags): Promise<void> {
  const { feed, param, set, seed, force = false } = flags;
  const range = readTimeRange(flags.timerange);
  refuseRecord('check', set);
  const points = pointsOf(flags.points);
  const loaded = await loadConfig(path, {
    overrides: {
      onPaper: true,
      journal: 'memory',
      ...(feed === undefined ? {} : { feeds: feed }),
      ...(param === undefined ? {} : { params: param }),
      ...(set === undefined ? {} : { set }),
      ...(seed === undefined ? {} : { seed }),
    },
  });
  if (!loaded.ok) throw configFailure(loaded.faults);
  noteUntradedFeeds(feed, loaded.config);
  noteShadows(loaded.config);
  const json = prepareJson(flags.json, { kind: 'check', force });
  const live = createCliEnv('error', true);
  const tape = await loadTape({ ...loaded, config: { ...loaded.config, record: null } });
  if (!tape.ok) throw runFailed(tape.failure);
  const inRange = tapeInRange(tape.value, range);
  if (!inRange.ok) throw runFailed(inRange.failure);
  const onRun = (what: string): void => void process.stderr.write(`running: ${what}\n`);
  const result = await checkBot({ ...inRange.value, live, points, onRun });
  if (!result.ok) throw runFailed(result.failure);
  besideJson(json).write(formatCheck(result.value));
  const { findings, scenarios, base, notes, unchecked } = result.value;
  const { startTime, endTime } = base.run.data;
  const other = noteOtherRange(range, { from: startTime, until: endTime });
  if (other !== undefined) process.stderr.write(other);
  if (json !== undefined) {
    const { intents, costs } = base;
    const figures = {
      format: 'trimtab-check',
      findings,
      notes,
      unchecked: Object.fromEntries(unchecked),
      scenarios,
      costs,
      intents: intents.length,
    };
    await writeJson('figures', json, `${JSON.stringify(figures)}\n`);
  }
  const { quarantined } = base.run;
  if (findings.length === 0 && quarantined.length > 0) {
    throw new CommandFailure(
      'TRIMTAB_STRATEGY_ENDED',
      `Nothing after these ends was checked:\n${quarantined.join('\n')}`,
    );
  }
  if (findings.length === 0) return;
  const names = [...new Set(findings.map((finding) => finding.check))].join(', ');
  throw new CommandFailure(
    'TRIMTAB_CHECK_FAILED',
    `This backtest can't be trusted: ${names}; see above.`,
  );
}

const MOST_POINTS = 1_000;

function pointsOf(text: string): number {
  const points = Number(text);
  if (Number.isInteger(points) && points >= 1 && points <= MOST_POINTS) return points;
  throw new CommandFailure(
    'TRIMTAB_USAGE',
    `--points ${text}: write a whole number from 1 to ${MOST_POINTS}.`,
  );
}
