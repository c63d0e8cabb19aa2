import { Command } from 'commander';
import {
  diffEmissions,
  diffInputs,
  emissionsOf,
  linesBefore,
  readRecording,
  type Recording,
} from '../operate/recording/index.ts';
import { CommandFailure } from './CommandFailure.ts';
import { describeDifference, describeFields } from './describeDifference.ts';

/** `trimtab diff`: where two recordings of a bot part, and why. */
export function createDiffCommand(): Command {
  return new Command('diff')
    .description('show the first intent in which two recordings differ, and what came before it')
    .argument('<first>', 'a recording')
    .argument('<second>', 'another of the same strategies')
    .addHelpText(
      'after',
      '\nEnds with 0 where every intent is the same, with 1 where one differs.\n',
    )
    .action(diff);
}

function diff(firstPath: string, secondPath: string): void {
  const [first, second] = [read(firstPath), read(secondPath)];
  const names = [...first.lines.keys()].filter((name) => second.lines.has(name));
  if (names.length === 0) {
    const has = [...second.lines.keys()].join(', ');
    throw new CommandFailure(
      `The recordings have no strategy in common: ${[...first.lines.keys()].join(', ')}, and ${has}.`,
    );
  }
  const differing = names.filter((name) => !show(name, first, second));
  if (differing.length > 0) throw new CommandFailure(`Different intents: ${differing.join(', ')}.`);
}

function read(path: string): Recording {
  const recording = readRecording(path);
  if (!recording.ok) throw new CommandFailure(recording.failure.message);
  return recording.value;
}

/** @returns whether the intents are the same */
function show(name: string, first: Recording, second: Recording): boolean {
  const [a, b] = [first.lines.get(name)!, second.lines.get(name)!];
  const difference = diffEmissions(emissionsOf(a), emissionsOf(b));
  if (difference === undefined) {
    process.stdout.write(`${name}: the same ${emissionsOf(a).length} intents\n`);
    return true;
  }
  process.stdout.write(`${name}: different\n${describeDifference(difference)}`);
  const input = diffInputs(linesBefore(a, difference.index), linesBefore(b, difference.index));
  process.stdout.write(
    input === undefined
      ? '  both saw the same until then: the plugin or its parameters differ\n'
      : `  it had seen otherwise: ${input.source} at ${new Date(input.time).toISOString()}\n` +
          describeFields(input.fields),
  );
  return false;
}
