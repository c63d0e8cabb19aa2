import { Command, InvalidArgumentError, Option } from 'commander';
import { withFullStop } from '../env/index.ts';
import {
  askStrategy,
  controlFilesOfBot,
  promoteStopped,
  type StageMove,
} from '../operate/control/index.ts';
import { collect } from './options/collect.ts';
import { botStopping, CommandFailure } from './failures/CommandFailure.ts';
import { createCliEnv } from './process/createCliEnv.ts';
import { livenessOf } from './control/livenessOf.ts';
import {
  journalOfControlledBot,
  loadControlledBot,
  refuseEmbedded,
  type ControlledBotFlags,
} from './control/loadControlledBot.ts';
import { requireJournal } from './control/notRunning.ts';
import { notWritten } from './control/notWritten.ts';
import { requireStrategy } from './pause.ts';
import { REASON, signedReason } from './control/signedReason.ts';

const EXAMPLES = `
A strategy's \`shadow\` goes from shadow to canary, where it trades with a part of the capital, to live; --back takes
one step back. Each step is journaled before it is in force, and holds across restarts. Positions, orders, stops and
executions stay as they are on the service, and go to the version that trades next, by name.

Examples:
  trimtab promote live.yaml trend --reason "a week without a loss"
  trimtab promote live.yaml trend --to canary --hand-over BTC,ETH --reason "both are long"
  trimtab promote live.yaml trend --back --hand-over BTC --reason "its stops are too tight"
`;

interface Flags extends ControlledBotFlags {
  reason: string;
  to?: 'canary' | 'live';
  back?: boolean;
  handOver?: string[];
}

const symbolsIn = (list: string): string[] => list.split(',').map((symbol) => symbol.trim());

/** `trimtab promote`: takes the new version of a strategy one stage up, or back. */
export const createPromoteCommand = (): Command =>
  new Command('promote')
    .description("take a strategy's new version one stage up (shadow, canary, live), or back")
    .argument('<config>', "the bot's YAML")
    .argument('<strategy>', 'its name in the configuration')
    .requiredOption(...REASON, readReason)
    .addOption(new Option('--to <stage>', 'the stage').choices(['canary', 'live']))
    .addOption(new Option('--back', 'one stage back').conflicts('to'))
    .option(
      '--hand-over <symbols>',
      'symbols that the next version takes over, such as BTC,ETH; repeatable',
      collect,
    )
    .addOption(journalOfControlledBot())
    .addHelpText('after', EXAMPLES)
    .action(promote);

/** @throws InvalidArgumentError for a blank one, as an unset variable leaves it */
function readReason(text: string): string {
  if (text.trim() !== '') return text;
  throw new InvalidArgumentError('Say why: who reads the journal later will ask.');
}

async function promote(path: string, instance: string, flags: Flags): Promise<void> {
  const { config } = await loadControlledBot(path, flags);
  const { name } = config;
  refuseEmbedded(config);
  requireStrategy(config, instance);
  const files = controlFilesOfBot(config);
  if (files === null)
    throw new CommandFailure(
      'TRIMTAB_JOURNAL_IN_MEMORY',
      `${name} keeps its journal in memory, and a stage must outlive the process.`,
    );
  const env = createCliEnv('warn', true);
  const move: StageMove = flags.back === true ? 'back' : (flags.to ?? 'next');
  const reason = signedReason(flags.reason);
  const handOver = (flags.handOver ?? []).flatMap(symbolsIn);
  const asked = { instance, do: 'promote' as const, reason, move, hand_over: handOver };
  const answer = await askStrategy({
    env,
    files,
    asked,
    ...livenessOf(config, env),
  });
  switch (answer.kind) {
    case 'done':
      process.stdout.write(`${instance} of ${name} is at the stage ${answer.text ?? ''}.\n`);
      return;
    case 'not_running': {
      await requireJournal(config);
      const stopped = { move, reason, handOver };
      const done = await promoteStopped({ config, env, instance, asked: stopped }).catch((error) =>
        notWritten(error, { name, what: 'stage' }),
      );
      if ('refused' in done) throw refusal(instance, name, done.refused);
      process.stdout.write(
        `${name} is not running; from its next start ${instance} is at the stage ${done.to}.\n`,
      );
      return;
    }
    case 'stopping':
      throw botStopping(name);
    case 'silent':
      throw new CommandFailure(
        'TRIMTAB_BOT_SILENT',
        `${name} (process ${answer.pid}) did not answer: its main loop or its journal hangs.\n` +
          '  It may still do it: look with trimtab journal latches.',
      );
    default:
      throw refusal(instance, name, answer.reason);
  }
}

const refusal = (instance: string, name: string, reason: string): CommandFailure =>
  new CommandFailure('TRIMTAB_PROMOTE_REFUSED', `${instance} of ${name}: ${withFullStop(reason)}`);
