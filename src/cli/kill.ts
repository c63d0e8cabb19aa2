import { Argument, Command } from 'commander';
import { loadConfig } from '../config/index.ts';
import { createLiveEnv } from '../env/index.ts';
import { controlFilesOfBot, giveOrder } from '../operate/control/index.ts';
import type { KillLevel } from '../runtime/killLevels.ts';
import { CommandFailure, configFailure } from './CommandFailure.ts';
import { isAlive } from './isAlive.ts';
import { personHere } from './personHere.ts';

const LEVELS = `
Levels, each with all that the ones before it do:
  L1  no new exposure
  L2  own entries stopped and cancelled; positions and their protection stay
  L3  flat, by reduce-only orders
  L4  the wire is cut: nothing is sent any more, until it is re-armed and started again

Examples:
  trimtab kill L2 live.yaml --reason "the feed looks wrong"
  trimtab rearm live.yaml
`;

/** `trimtab kill`: takes a running bot to a kill level, which only `trimtab rearm` undoes. */
export function createKillCommand(): Command {
  return new Command('kill')
    .description('take a running bot to a kill level')
    .addArgument(new Argument('<level>', 'how far').choices(['L1', 'L2', 'L3', 'L4']))
    .argument('<config>', "the bot's YAML")
    .option('--reason <text>', 'why, for the journal', byHand())
    .addHelpText('after', LEVELS)
    .action((level: KillLevel, config: string, { reason }: { reason: string }) =>
      tell(config, level, reason),
    );
}

/** `trimtab rearm`: lets a bot trade again after a kill level. */
export function createRearmCommand(): Command {
  return new Command('rearm')
    .description('let a bot trade again after a kill level')
    .argument('<config>', "the bot's YAML")
    .option('--reason <text>', 'why, for the journal', byHand())
    .action((config: string, { reason }: { reason: string }) => tell(config, 'L0', reason));
}

async function tell(path: string, level: KillLevel, reason: string): Promise<void> {
  const loaded = await loadConfig(path, { allowLive: true });
  if (!loaded.ok) throw configFailure(loaded.faults);
  const { name } = loaded.config;
  const files = controlFilesOfBot(loaded.config);
  if (files === null) {
    throw new CommandFailure(`${name} keeps its journal in memory; stop its process instead.`);
  }
  const env = createLiveEnv();
  const answer = await giveOrder({ env, files, level, reason, isAlive });
  if (answer.kind === 'obeyed') {
    const { level: at, reasons } = answer.pulse;
    if (level !== 'L0' && at !== level) {
      process.stdout.write(`${name} is at ${at} already, and stays there.\n`);
      return;
    }
    const closed = level === 'L0' && reasons.length > 0;
    const still = closed ? ` No entries yet: ${reasons.join(', ')}.` : '';
    process.stdout.write(`${name} is at ${at}.${still}\n`);
    return;
  }
  if (answer.kind === 'failed') {
    const stands =
      level === 'L0' ? '' : ' It is tried again; a restart before that would forget it.';
    throw new CommandFailure(
      `${name} is at ${answer.pulse.level}, and that is not written: ${answer.reason}.\n` +
        `  Look at its log and its journal's disk or database.${stands}`,
    );
  }
  if (answer.kind === 'hangs') {
    const silence = 'It did not answer: its main loop hangs.';
    const remedy = 'End the process, and act on the service by hand, or run trimtab watchdog.';
    throw new CommandFailure(`${name} (process ${answer.last.pid}): ${silence}\n  ${remedy}`);
  }
  throw new CommandFailure(
    `${name} does not run on this host.\n  Its orders and positions, if any, stand on the service.`,
  );
}

/** Who gave the order, for those who read the journal later. */
function byHand(): string {
  return `by hand, ${personHere()}`;
}
