import { existsSync } from 'node:fs';
import { Command } from 'commander';
import type { BotConfig } from '../config/index.ts';
import {
  compareVersions,
  formatComparison,
  readCourse,
  shadowFilesOf,
  type Comparison,
} from '../operate/shadow/index.ts';
import { CommandFailure, runFailed } from './failures/CommandFailure.ts';
import { readTimeOrSpan, timeOf, type Since } from './options/journalFilter.ts';
import { journalFailure } from './failures/journalFailure.ts';
import {
  journalOfControlledBot,
  loadControlledBot,
  type ControlledBotFlags,
} from './control/loadControlledBot.ts';
import { readJournalOf } from './control/readJournalOf.ts';
import { say } from './output/say.ts';

const EXAMPLES = `
The bot may be running. Times are market time, and a span ends where the shadow has come to. Two intents are the same if
both versions decided on the same event, in the same place, for the same kind, symbol and side, the size within a step and
the price equal, and a guard let both pass or neither.

Examples:
  trimtab compare-live live.yaml
  trimtab compare-live live.yaml --strategy trend --since 7d
  trimtab compare-live live.yaml --json > compared.json
`;

interface Flags extends ControlledBotFlags {
  strategy?: string;
  since?: Since;
  until?: Since;
  json?: boolean;
}

/** `trimtab compare-live`: where a strategy and its shadow part, and what each earned. */
export function createCompareLiveCommand(): Command {
  return new Command('compare-live')
    .description(
      'a strategy beside its shadow: where they part, and what the shadow would have earned',
    )
    .argument('<config>', "the bot's YAML")
    .option('--strategy <name>', 'only this one; default: every strategy with a shadow')
    .option(
      '--since <time>',
      'decisions since a date (UTC) or of the last 30m, 2h, 7d',
      readTimeOrSpan,
    )
    .option(
      '--until <time>',
      'decisions before a date (UTC) or but for the last 2h',
      readTimeOrSpan,
    )
    .option('--json', 'one JSON object: comparisons, each with its pairs, figures and curve')
    .addOption(journalOfControlledBot())
    .addHelpText('after', EXAMPLES)
    .action(compareLive);
}

async function compareLive(path: string, flags: Flags): Promise<void> {
  const { config } = await loadControlledBot(path, flags);
  const comparisons: Comparison[] = [];
  for (const name of shadowed(config, flags.strategy))
    comparisons.push(await compareOne(config, name, flags));
  await say(
    flags.json === true
      ? `${JSON.stringify({ bot: config.name, comparisons })}\n`
      : `${comparisons.map(formatComparison).join('\n\n')}\n`,
  );
}

function shadowed({ name: bot, strategies }: BotConfig, wanted: string | undefined): string[] {
  const all = strategies.filter(({ shadow }) => shadow !== undefined).map(({ name }) => name);
  if (wanted !== undefined && !strategies.some(({ name }) => name === wanted)) {
    const names = strategies.map(({ name }) => name).join(', ');
    throw new CommandFailure('TRIMTAB_USAGE', `--strategy ${wanted}: ${bot} has ${names}.`);
  }
  const found = wanted === undefined ? all : all.filter((name) => name === wanted);
  if (found.length > 0) return found;
  const what = wanted === undefined ? `No strategy of ${bot}` : `${bot}: ${wanted} does not`;
  throw new CommandFailure(
    'TRIMTAB_SHADOW_NONE',
    `${what}${wanted === undefined ? ' has' : ' have'} a shadow.\n  Give it one: shadow: { use: ./new.ts }`,
  );
}

async function compareOne(config: BotConfig, name: string, flags: Flags): Promise<Comparison> {
  const files = shadowFilesOf(config, name);
  if (files === null)
    throw new CommandFailure(
      'TRIMTAB_JOURNAL_IN_MEMORY',
      `${config.name} keeps its journal in memory: what its shadows did ended with it.\n` +
        '  Give it a journal in a file (journal.path), or look at the report of its run.',
    );
  if (!existsSync(files.figures))
    throw new CommandFailure(
      'TRIMTAB_SHADOW_NONE',
      `${files.figures} does not exist: the shadow of ${name} has not run yet.\n  Start the bot, and wait for a bar.`,
    );
  const { since, until } = flags;
  try {
    const course = await readJournalOf(config, (reader) => readCourse(reader, files));
    if (!course.ok) throw runFailed(course.failure);
    const at = (one: Since | undefined) => one && timeOf(one, course.value.until);
    return compareVersions(course.value, { since: at(since), until: at(until) });
  } catch (error) {
    return journalFailure(error);
  }
}
