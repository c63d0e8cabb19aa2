import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { Command } from 'commander';
import { isRun } from '../../backtest/index.ts';
import { createCliEnv } from './createCliEnv.ts';
import { requirePostgres } from './sweep.ts';
import { stopOnSignals } from './stopOnSignals.ts';

interface WorkerFlags {
  engine: string;
  config?: string;
  exitWhenDone?: boolean;
}

const EXAMPLES = `
Examples:
  trimtab worker --engine postgres://host/db
  trimtab worker --engine postgres://host/db --config /srv/bots/bot.yaml --exit-when-done

It computes one point at a time: start as many as the machine has cores. The configuration, its plugins and
its tape must be present here, unchanged; a worker that is killed loses only the point it was computing.
Points of a sweep that was stopped or killed wait until the same command resumes it.
`;

/** `trimtab worker`: computes points of sweeps that were started with `--engine`. */
export function createWorkerCommand(): Command {
  return new Command('worker')
    .description('compute points of sweeps stored in a PostgreSQL')
    .requiredOption('--engine <url>', 'the PostgreSQL that the sweep was started with')
    .option('--config <file>', 'path of the configuration on this machine, if different')
    .option('--exit-when-done', 'end when every point has its result, instead of waiting for more')
    .addHelpText('after', EXAMPLES)
    .action((flags: WorkerFlags) => work(flags));
}

async function work({ engine, config, exitWhenDone }: WorkerFlags): Promise<void> {
  const stop = stopOnSignals();
  const env = createCliEnv('info');
  let [ran, failed] = [0, 0];
  const { workOnSweeps } = await import('../../backtest/sweep/postgres/index.ts');
  await workOnSweeps(
    {
      url: requirePostgres(engine),
      worker: `${hostname()}:${process.pid}`,
      config: config === undefined ? null : resolve(config),
      exitWhenDone: exitWhenDone ?? false,
      isStopped: () => stop.isStopped(),
      onResult(result) {
        if (isRun(result)) ran++;
        else failed++;
      },
      onRefused: (sweep, reason) =>
        env.log.warn(`The sweep ${sweep} can’t be computed here: ${reason}`),
    },
    env,
  );
  process.stdout.write(`${ran} points ran, ${failed} failed\n`);
}
