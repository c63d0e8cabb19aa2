import { Argument, Command } from 'commander';
import { createLiveEnv } from '../env/index.ts';
import { controlFilesOfBot, giveOrder } from '../operate/control/index.ts';
import type { KillLevel } from '../runtime/killLevels.ts';
import { CommandFailure } from './CommandFailure.ts';
import { isAlive } from './isAlive.ts';
import { journalOfToldBot, loadToldBot, type ToldBotFlags } from './loadToldBot.ts';
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

interface Flags extends ToldBotFlags {
  reason: string;
}

/** `trimtab kill`: takes a running bot to a kill level, which only `trimtab rearm` undoes. */
export function createKillCommand(): Command {
  return new Command('kill')
    .description('take a running bot to a kill level')
    .addArgument(new Argument('<level>', 'how far').choices(['L1', 'L2', 'L3', 'L4']))
    .argument('<config>', "the bot's YAML")
    .option('--reason <text>', 'why, for the journal', byHand())
    .addOption(journalOfToldBot())
    .addHelpText('after', LEVELS)
    .action((level: KillLevel, config: string, flags: Flags) => tell(config, level, flags));
}

/** `trimtab rearm`: lets a bot trade again after a kill level. */
export function createRearmCommand(): Command {
  return new Command('rearm')
    .description('let a bot trade again after a kill level')
    .argument('<config>', "the bot's YAML")
    .option('--reason <text>', 'why, for the journal', byHand())
    .addOption(journalOfToldBot())
    .action((config: string, flags: Flags) => tell(config, 'L0', flags));
}

async function tell(path: string, level: KillLevel, flags: Flags): Promise<void> {
  const { config } = await loadToldBot(path, flags);
  const { reason } = flags;
  const { name } = config;
  const files = controlFilesOfBot(config);
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
    const remedy =
      `End it by kill -KILL ${answer.last.pid}, as it hears no other signal; then act on the service by\n` +
      '  hand, or have trimtab watchdog end its entries.';
    throw new CommandFailure(`${name} (process ${answer.last.pid}): ${silence}\n  ${remedy}`);
  }
  throw new CommandFailure(
    `${name} does not run on this host, or not with this journal.\n` +
      '  Was it started with --journal? Name it here as well. Its orders and positions, if any, stand on\n' +
      '  the service.',
  );
}

/** Who gave the order, for those who read the journal later. */
function byHand(): string {
  return `by hand, ${personHere()}`;
}
