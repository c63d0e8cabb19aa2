import { Argument, Command } from 'commander';
import type { BotConfig } from '../config/index.ts';
import { createLiveEnv, withFullStop } from '../env/index.ts';
import { JournalFault } from '../journal/index.ts';
import {
  controlFilesOfBot,
  sendCommand,
  latchStopped,
  type ControlFiles,
  type CommandOutcome,
} from '../operate/control/index.ts';
import type { KillLevel } from '../runtime/index.ts';
import { CommandFailure, UNENDED } from './failures/CommandFailure.ts';
import { createCliEnv } from './process/createCliEnv.ts';
import { livenessOf } from './control/livenessOf.ts';
import {
  journalOfControlledBot,
  loadControlledBot,
  refuseEmbedded,
  type ControlledBotFlags,
} from './control/loadControlledBot.ts';
import { notRunning } from './control/notRunning.ts';
import { notWritten } from './control/notWritten.ts';
import { readJournalOf } from './control/readJournalOf.ts';
import { REASON, signedReason } from './control/signedReason.ts';

const LEVELS = `
Levels, L1 to L3 each including all before it:
  L1  no new exposure
  L2  the bot's entries stopped and cancelled; positions and their protection stay
  L3  flat, by reduce-only orders
  L4  the wire is cut: nothing is sent until the bot is re-armed and restarted, so that it ends nothing itself;
      take the bot to L2 or L3 first where it still can

A bot that is not running starts at the level; from L2 on the command exits with 1, because nothing is
cancelled until then.

Examples:
  trimtab kill L2 live.yaml --reason "the feed looks wrong"
  trimtab rearm live.yaml
`;

interface Flags extends ControlledBotFlags {
  reason?: string;
}

/** `trimtab kill`: takes a bot to a kill level, which only `trimtab rearm` undoes. */
export function createKillCommand(): Command {
  return new Command('kill')
    .description('set the kill level of a bot')
    .addArgument(new Argument('<level>', 'kill level').choices(['L1', 'L2', 'L3', 'L4']))
    .argument('<config>', "the bot's YAML")
    .option(...REASON)
    .addOption(journalOfControlledBot())
    .addHelpText('after', LEVELS)
    .action((level: KillLevel, config: string, flags: Flags) => setLevel(config, level, flags));
}

/** `trimtab rearm`: lets a bot trade again after a kill level. */
export function createRearmCommand(): Command {
  return new Command('rearm')
    .description('let a bot trade again after a kill level')
    .argument('<config>', "the bot's YAML")
    .option(...REASON)
    .addOption(journalOfControlledBot())
    .action((config: string, flags: Flags) => setLevel(config, 'L0', flags));
}

async function setLevel(path: string, level: KillLevel, flags: Flags): Promise<void> {
  const { config } = await loadControlledBot(path, flags);
  refuseEmbedded(config);
  const reason = signedReason(flags.reason);
  const { name } = config;
  const files = controlFilesOfBot(config);
  if (files === null) {
    throw new CommandFailure(
      'TRIMTAB_JOURNAL_IN_MEMORY',
      `${name} keeps its journal in memory; stop its process instead.`,
    );
  }
  const env = createLiveEnv();
  const answer = await sendCommand({
    env,
    files,
    level,
    reason,
    ...livenessOf(config, env),
  });
  if (answer.kind === 'carried_out') {
    const { level: at, reasons } = answer.pulse;
    if (level !== 'L0' && at !== level) {
      // A higher one includes it.
      process.stdout.write(`${name} is already at ${at}.\n`);
      return refuseLeft(name, answer);
    }
    const closed = level === 'L0' && reasons.length > 0;
    const still = closed ? ` No entries yet: ${reasons.join(', ')}.` : '';
    process.stdout.write(`${name} is at ${at}.${still}\n`);
    return level === 'L0' ? undefined : refuseLeft(name, answer);
  }
  if (answer.kind === 'overruled') {
    const { level: at } = answer.pulse;
    const [what, other] = level === 'L0' ? ['The rearm', 'a kill'] : [level, 'a rearm'];
    throw new CommandFailure(
      'TRIMTAB_COMMAND_OVERRULED',
      `${name} is at ${at}: ${what} is not in force, since ${other} that came meanwhile took its place.\n` +
        '  Agree with whoever sent it; trimtab status shows the level, trimtab journal latches who set it.',
    );
  }
  if (answer.kind === 'failed') {
    const stands =
      level === 'L0'
        ? ''
        : ' The write is retried; a restart before it succeeds would lose the level.';
    throw new CommandFailure(
      'TRIMTAB_KILL_NOT_PERSISTED',
      `${name} is at ${answer.pulse.level}, and that is not persisted: ${withFullStop(answer.reason)}\n` +
        `  Look at its log and its journal's disk or database.${stands}`,
    );
  }
  if (answer.kind === 'hangs') {
    const silence = 'It did not answer: its main loop hangs.';
    const remedy =
      `Its log names what blocks it. End it by kill ${answer.last.pid}, or kill -KILL; then act on the service\n` +
      '  by hand, or have trimtab watchdog end its entries.\n' +
      (answer.isLeft
        ? '  The command is left for it: if its loop comes back, it carries it out.'
        : '  Another command is left for it and was not replaced; this one was not sent.');
    throw new CommandFailure(
      'TRIMTAB_BOT_SILENT',
      `${name} (process ${answer.last.pid}): ${silence}\n  ${remedy}`,
    );
  }
  if (answer.kind === 'stopping') throw stopping(name, level, answer);
  return latch(config, files, { level, reason, own: answer.left });
}

function stopping(
  name: string,
  level: KillLevel,
  { isLeft }: Extract<CommandOutcome, { kind: 'stopping' }>,
): CommandFailure {
  const isKill = isLeft && level !== 'L0';
  return new CommandFailure(
    'TRIMTAB_BOT_STOPPING',
    `${name} is stopping, by its stop policy, and carries out no command until it has ended.\n` +
      (isKill
        ? `  Its next start is at ${level}. `
        : '  This one was dropped: send it again then. ') +
      'trimtab status says when it has ended; what it leaves open is in its closing lines.',
  );
}

/** The bot does not run: the journal persists the level for its next start. */
async function latch(
  config: BotConfig,
  files: ControlFiles,
  asked: { level: KillLevel; reason: string; own: number | undefined },
): Promise<void> {
  const { name } = config;
  const { level } = asked;
  if (!(await hasJournal(config))) throw notRunning(name);
  const env = createCliEnv('warn', true);
  const latched = await latchStopped({ config, env, files, ...asked }).catch((error) =>
    notWritten(error, { name, what: 'level' }),
  );
  const { before, level: at, released } = latched;
  const state = `${name} is not running`;
  if (level === 'L0') {
    const changed = before === 'L0' ? 'was at L0 already' : `was at ${before}, and starts at L0`;
    const freed = released.length === 0 ? '' : ` No longer throttled: ${released.join(', ')}.`;
    process.stdout.write(`${state}; it ${changed}.${freed}\n`);
    return;
  }
  const stays = at === level ? '' : ' already';
  const next = `${state}; its next start is at ${at}${stays}.`;
  if (level === 'L1') {
    process.stdout.write(`${next}\n`);
    return;
  }
  const remedy =
    at === 'L4'
      ? 'End them by hand: a start at L4 sends nothing.'
      : 'End them by hand, or start the bot, which applies the level.';
  throw new CommandFailure(
    'TRIMTAB_KILL_LATCHED_ONLY',
    `${next} Nothing was cancelled now: its orders on the service\n` +
      `  and positions stay as they are. ${remedy}`,
  );
}

async function hasJournal(config: BotConfig): Promise<boolean> {
  try {
    await readJournalOf(config, async () => {});
    return true;
  } catch (error) {
    if (error instanceof JournalFault && error.code === 'missing') return false;
    return notWritten(error, { name: config.name, what: 'level' });
  }
}

/** A level that is set does not mean that everything has ended. */
function refuseLeft(
  name: string,
  { left, pulse }: Extract<CommandOutcome, { kind: 'carried_out' }>,
): void {
  if (left === undefined) {
    throw new CommandFailure(
      'TRIMTAB_BOT_UNENDED',
      `${name} has not confirmed in time that everything the level ends has ended.\n` +
        '  Check its log and the service.',
      UNENDED,
    );
  }
  if (left.length === 0) return;
  const next =
    pulse.level === 'L4'
      ? 'The wire is cut: it ends nothing more. End it on the service.'
      : 'It keeps trying while the level is in force and the wire is not cut. Check the service.';
  throw new CommandFailure(
    'TRIMTAB_BOT_UNENDED',
    `${name} could not end or verify:\n${left.map((line) => `  ${line}\n`).join('')}  ${next}`,
    UNENDED,
  );
}
