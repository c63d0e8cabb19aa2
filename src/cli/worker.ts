import { statSync } from 'node:fs';
import { availableParallelism, homedir, hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import {
  isRun,
  openCache,
  prepareSweep,
  readPublicText,
  workOnSweeps,
} from '../../backtest/index.ts';
import { counted } from '../env/index.ts';
import { CommandFailure } from './failures/CommandFailure.ts';
import { createCliEnv } from './process/createCliEnv.ts';
import { requirePostgres } from './sweep/openSweepEngine.ts';
import { readCount } from './sweep.ts';
import { stopOnSignals } from './process/stopOnSignals.ts';

interface WorkerFlags {
  engine: string;
  trust: string[];
  threads: number;
  config?: string;
  cache: string;
  cacheLimit: number;
  exitWhenDone?: boolean;
}

const EXAMPLES = `
Examples:
  trimtab worker --engine postgres://host/db --trust KEY
  trimtab worker --engine postgres://host/db --trust KEY --config /srv/bots/bot.yaml --exit-when-done

trimtab sweep --engine prints this command with its key: a worker runs only what a key signed that it was
given. It fetches code and data of a sweep that was started with --serve or --content; of any other, the
configuration, its plugins and its tape must be present here, unchanged. A worker that is killed loses some
seconds of work. Points of a sweep that was stopped or killed wait until the same command resumes it.
`;

/** `trimtab worker`: computes points of sweeps that were started with `--engine`. */
export function createWorkerCommand(): Command {
  return new Command('worker')
    .description('compute points of sweeps stored in a PostgreSQL')
    .requiredOption('--engine <url>', 'the PostgreSQL that the sweep was started with')
    .requiredOption(
      '--trust <key>',
      'public key whose sweeps it computes, as trimtab sweep prints it; repeatable',
      readKey,
    )
    .option('--threads <count>', 'points to compute at a time', readCount, availableParallelism())
    .addOption(
      new Option(
        '--config <file>',
        'path of the configuration on this machine, if different',
      ).conflicts(['cache', 'cacheLimit']),
    )
    .addOption(
      new Option('--cache <folder>', 'where it keeps code and data that it fetched').default(
        join(homedir(), '.cache', 'trimtab', 'sweeps'),
        '~/.cache/trimtab/sweeps',
      ),
    )
    .option('--cache-limit <gigabytes>', 'what the cache may hold', readGigabytes, 10)
    .option('--exit-when-done', 'end when no sweep waits for results, instead of waiting for more')
    .addHelpText('after', EXAMPLES)
    .action((flags: WorkerFlags) => work(flags));
}

async function work(flags: WorkerFlags): Promise<void> {
  const url = requirePostgres(flags.engine);
  const stop = stopOnSignals();
  const env = createCliEnv('info');
  const config = flags.config === undefined ? null : resolve(flags.config);
  if (config !== null) refuse('--config', config, statOf(config)?.isFile(), 'a configuration');
  const folder = resolve(flags.cache);
  refuse('--cache', folder, statOf(folder)?.isDirectory() ?? true, 'a folder');
  const cache = openCache(folder, flags.cacheLimit * 1e9, env);
  const options = { trusted: flags.trust, config, cache };
  let [ran, failed] = [0, 0];
  const refusals = new Map<string, string>();
  const { openQueue } = await import('../../backtest/sweep/postgres/index.ts');
  const isStopped = (): boolean => stop.isStopped();
  await workOnSweeps({
    queue: await openQueue({ url, env, isStopped }),
    env,
    isStopped,
    worker: `${hostname()}:${process.pid}`,
    threads: flags.threads,
    exitWhenDone: flags.exitWhenDone ?? false,
    prepare: (stored) => prepareSweep(stored, options),
    onResult(result) {
      if (isRun(result)) ran++;
      else failed++;
    },
    onRefused(sweep, reason) {
      refusals.set(sweep, reason);
      env.log.warn(`The sweep ${sweep} can’t be computed here: ${reason}`);
    },
  });
  process.stdout.write(`${counted(ran, 'point')} ran, ${failed} failed\n`);
  const [reason] = refusals.values();
  // Who waits for it waits for nothing: a supervisor must not take that for a worker that is done.
  if (reason === undefined || ran + failed > 0 || stop.isStopped()) return;
  throw new CommandFailure('TRIMTAB_SWEEP_REFUSED', `No sweep can be computed here: ${reason}`);
}

const statOf = (path: string) => statSync(path, { throwIfNoEntry: false });

/** Before it waits for sweeps: each of them would be refused. */
function refuse(flag: string, path: string, isFit: boolean | undefined, what: string): void {
  if (isFit === true) return;
  const problem = isFit === undefined ? 'does not exist' : `is not ${what}`;
  const message = `${flag} ${path} ${problem}.\n  Name ${what}.`;
  throw new CommandFailure('TRIMTAB_USAGE', message);
}

function readKey(text: string, before: string[] = []): string[] {
  if (readPublicText(text) !== null) return [...before, text];
  throw new InvalidArgumentError('It takes the key that trimtab sweep prints: 43 characters.');
}

function readGigabytes(text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && Number.isFinite(value) && value > 0) return value;
  throw new InvalidArgumentError('It takes gigabytes, such as 10 or 0.5.');
}
