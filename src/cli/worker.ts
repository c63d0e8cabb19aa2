import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { Command } from 'commander';
import { isRun, workOnSweeps } from '../../backtest/index.ts';
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
its tape must be here too, and the same; a worker that is killed loses nothing but the point it was at.
Points of a sweep that was stopped or killed are left alone until the same command goes on with it.
`;

/** `trimtab worker`: computes points of sweeps that were started with `--engine`. */
export function createWorkerCommand(): Command {
  return new Command('worker')
    .description('compute points of sweeps from a PostgreSQL')
    .requiredOption('--engine <url>', 'the PostgreSQL that the sweep was started with')
    .option('--config <file>', 'where the configuration lies here, if elsewhere')
    .option('--exit-when-done', 'end when every point has its result, instead of waiting for more')
    .addHelpText('after', EXAMPLES)
    .action((flags: WorkerFlags) => work(flags));
}

async function work({ engine, config, exitWhenDone }: WorkerFlags): Promise<void> {
  const stop = stopOnSignals();
  const env = createCliEnv('info');
  let [ran, failed] = [0, 0];
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
      onRefused: (sweep, reason) => env.log.warn(`The sweep ${sweep} is not for here: ${reason}`),
    },
    env,
  );
  process.stdout.write(`${ran} points ran, ${failed} failed\n`);
}
