import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, relative } from 'node:path';
import { Command, Option } from 'commander';
import { config as rxjs } from 'rxjs';
import { loadConfig, type LoadedConfig } from '../config/index.ts';
import { reasonOf, type Env } from '../env/index.ts';
import { createProgress, formatTable, LOG_LEVELS, type LogLevel } from '../operate/index.ts';
import { renderReport, type ReportData } from '../operate/report/index.ts';
import { runPaper, runService } from '../operate/run/index.ts';
import { CommandFailure, configFailure } from './CommandFailure.ts';
import { createCliEnv } from './createCliEnv.ts';
import { stopOnSignals } from './stopOnSignals.ts';

interface RunFlags {
  feed?: string[];
  set?: string[];
  report?: string | false;
  journal?: string;
  live?: boolean;
  logLevel: LogLevel;
}

const EXAMPLES = `
Examples:
  trimtab run configs/demo.yaml
  trimtab run configs/demo.yaml --feed BTC@1m=btc.csv.gz --feed ETH@1m=eth.csv.gz
  trimtab run bot.yaml --set strategies[0].params.fast=12
  trimtab run live.yaml --live
`;

const collect = (value: string, earlier: string[] = []): string[] => [...earlier, value];

/** `trimtab run`: a bot on the embedded paper service, or with \`--live\` on a real one. */
export function createRunCommand(): Command {
  return new Command('run')
    .description('run a bot: on paper to the end of its tape, or live')
    .argument('<config>', "the bot's YAML")
    .option('--feed <symbol@interval=path>', "a symbol's candles, CSV or .gz; repeatable", collect)
    .option('--set <key=value>', 'changes a value of the configuration; repeatable', collect)
    .option('--report <file>', 'where the HTML report goes')
    .option('--no-report', 'write no report')
    .option('--journal <file>', 'where the journal goes, or memory')
    .option('--live', 'allow a configuration whose link is live: real money')
    .addOption(
      new Option('--log-level <level>', 'least important line to show')
        .choices([...LOG_LEVELS])
        .default('warn'),
    )
    .addHelpText('after', EXAMPLES)
    .action((config: string, flags: RunFlags) => run(config, flags));
}

async function run(path: string, flags: RunFlags): Promise<void> {
  const { feed, set, report, journal, live } = flags;
  const loaded = await loadConfig(path, {
    allowLive: live === true,
    overrides: {
      ...(feed === undefined ? {} : { feeds: feed }),
      ...(set === undefined ? {} : { set }),
      ...(typeof report === 'string' ? { report } : {}),
      ...(journal === undefined ? {} : { journal }),
    },
  });
  if (!loaded.ok) throw configFailure(loaded.faults);
  const env = createCliEnv(flags.logLevel);
  // A throw in a plugin's own subscriber reaches nobody else, and must not end the others.
  rxjs.onUnhandledError = (error) => env.log.error(`A subscriber threw: ${reasonOf(error)}`);
  const stop = stopOnSignals();
  if (loaded.config.link.kind !== 'paper') {
    const ended = await runService({ loaded, env, pid: process.pid, stopped: stop.stopped });
    if (!ended.ok) throw new CommandFailure(ended.failure.message);
    return;
  }
  await runOnPaper(loaded, env, { isStopped: stop.isStopped, report: report !== false });
}

async function runOnPaper(
  loaded: LoadedConfig,
  env: Env,
  options: { isStopped(): boolean; report: boolean },
): Promise<void> {
  const progress = createProgress({
    stream: process.stderr,
    isTerminal: process.stderr.isTTY,
    now: () => env.clock.monotonicNow(),
  });
  const { isStopped } = options;
  const result = await runPaper({ loaded, env, progress, isStopped });
  if (!result.ok) throw new CommandFailure(result.failure.message);
  const { data, quarantined } = result.value;
  const { strategies, totals, hash } = data;
  process.stdout.write(`\n${formatTable({ strategies, totals, hash })}`);
  const file = options.report ? loaded.config.report : null;
  if (file !== null) await writeReport(file, data);
  if (quarantined.length > 0) {
    throw new CommandFailure(`Ended before the run did:\n${quarantined.join('\n')}`);
  }
}

async function writeReport(file: string, data: ReportData): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, renderReport(data));
  process.stdout.write(`report: ${relative(process.cwd(), file)}\n`);
}
