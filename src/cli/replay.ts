import { Command } from 'commander';
import { loadConfig } from '../config/index.ts';
import {
  diffEmissions,
  hashEmissions,
  replayRecording,
  createRowProgress,
  type InstanceReplay,
} from '../operate/recording/index.ts';
import { counted } from '../env/index.ts';
import { collect } from './options/collect.ts';
import { CommandFailure, configFailure, runFailed } from './failures/CommandFailure.ts';
import { describeDifference } from './output/describeDifference.ts';
import { openRecordingFile } from './runs/openRecordingFile.ts';
import { terminal } from './output/terminal.ts';

const EXAMPLES = `
Examples:
  trimtab replay var/seen.jsonl
  trimtab replay var/seen.jsonl --config bot.yaml --param fast=8

A bot writes a recording if its configuration has record: PATH. Exits with 0 if all intents are equal to
the byte, with 1 if one differs or a strategy asks for data that was not recorded.
`;

interface ReplayFlags {
  config?: string;
  param?: string[];
}

/** `trimtab replay`: runs the plugins of a recorded session again, offline, on their recorded input. */
export function createReplayCommand(): Command {
  return new Command('replay')
    .description('run recorded strategies again on their recorded input, and compare the intents')
    .argument('<recording>', 'recording that a bot with record: PATH has written')
    .option('--config <file>', 'plugins and parameters from here, instead of those recorded')
    .option('--param <name=value>', 'a parameter, with --config; repeatable', collect)
    .addHelpText('after', EXAMPLES)
    .action((recording: string, flags: ReplayFlags) => replay(recording, flags));
}

async function replay(path: string, flags: ReplayFlags): Promise<void> {
  const { config, param } = flags;
  if (param !== undefined && config === undefined) {
    throw new CommandFailure(
      'TRIMTAB_USAGE',
      '--param changes a configuration.\n  Name one: --config FILE.',
    );
  }
  const recording = openRecordingFile(path);
  const overrides = { onPaper: true, ...(param === undefined ? {} : { params: param }) };
  const loaded = config === undefined ? undefined : await loadConfig(config, { overrides });
  if (loaded?.ok === false) throw configFailure(loaded.faults);
  const from = loaded === undefined ? { path } : { path, loaded };
  const replayed = await replayRecording(createRowProgress(recording, terminal()), from);
  if (!replayed.ok) throw runFailed(replayed.failure);
  const differing = replayed.value.filter((one) => !show(one));
  if (differing.length > 0)
    throw new CommandFailure(
      'TRIMTAB_RECORDING_DIFFERS',
      `Not the same intents: ${namesOf(differing)}.`,
    );
  const lacking = replayed.value.filter(({ missing }) => missing.length > 0);
  if (lacking.length === 0) return;
  throw new CommandFailure(
    'TRIMTAB_RECORDING_INCOMPLETE',
    `Equal intents prove nothing: data that was asked for was not recorded: ${namesOf(lacking)}.\n` +
      '  Record again with the strategies as they are now.',
  );
}

const namesOf = (replays: readonly InstanceReplay[]): string =>
  replays.map(({ name }) => name).join(', ');

/** @returns whether the intents are the same */
function show({ name, recorded, replayed, faults, missing }: InstanceReplay): boolean {
  const difference = diffEmissions(recorded, replayed);
  const hashes = [hashEmissions(recorded), hashEmissions(replayed)];
  const verdict = difference === undefined ? 'same' : 'DIFFERENT';
  const counts = `${counted(recorded.length, 'intent')} recorded, ${replayed.length} replayed`;
  process.stdout.write(`${name}: ${verdict}, ${counts}\n`);
  process.stdout.write(`  recorded ${hashes[0]}\n  replayed ${hashes[1]}\n`);
  for (const what of missing) process.stdout.write(`  not recorded: ${what}\n`);
  for (const { reason } of faults) process.stdout.write(`  fault: ${reason}\n`);
  if (difference !== undefined) process.stdout.write(describeDifference(difference));
  return difference === undefined;
}
