import { Command } from 'commander';
import {
  diffEmissions,
  diffInputs,
  diffSettings,
  createRowProgress,
  type Difference,
  type InputDifference,
  type IntentDifference,
} from '../operate/recording/index.ts';
import { counted } from '../env/index.ts';
import { CommandFailure } from './failures/CommandFailure.ts';
import { describeDifference, describeFields } from './output/describeDifference.ts';
import { openRecordingFile } from './runs/openRecordingFile.ts';
import { terminal } from './output/terminal.ts';

/** `trimtab diff`: where two recordings of a bot diverge, and why. */
export function createDiffCommand(): Command {
  return new Command('diff')
    .description('show the first intent in which two recordings differ, and what came before it')
    .argument('<first>', 'a recording')
    .argument('<second>', 'another of the same strategies')
    .addHelpText(
      'after',
      '\nExits with 0 if all intents of the common strategies are equal, with 1 if one differs.\n',
    )
    .action(diff);
}

function diff(firstPath: string, secondPath: string): void {
  const [first, second] = [openRecordingFile(firstPath), openRecordingFile(secondPath)];
  const [ours, theirs] = [[...first.instances.keys()], [...second.instances.keys()]];
  const names = ours.filter((name) => theirs.includes(name));
  if (names.length === 0) {
    const both = `${ours.join(', ')}, and ${theirs.join(', ')}`;
    throw new CommandFailure(
      'TRIMTAB_RECORDING_UNRELATED',
      `The recordings have no strategy in common: ${both}.`,
    );
  }
  const alone = [...ours, ...theirs].filter((name) => !names.includes(name));
  const differences = new Map<string, IntentDifference>();
  for (const name of names) {
    const [one, other] = [first, second].map(({ instances }) => instances.get(name)!.emissions);
    const difference = diffEmissions(one!, other!);
    if (difference !== undefined) differences.set(name, difference);
  }
  const indices = new Map([...differences].map(([name, { index }]) => [name, index]));
  const inputs = diffInputs(createRowProgress(first, terminal()), second, indices);
  for (const name of names) {
    const difference = differences.get(name);
    const count = first.instances.get(name)!.emissions.length;
    if (difference === undefined)
      process.stdout.write(`${name}: the same ${counted(count, 'intent')}\n`);
    else {
      const settings = diffSettings(first.header, second.header, name);
      show(name, difference, { settings, input: inputs.get(name) });
    }
  }
  for (const name of alone) {
    process.stdout.write(`${name}: only in the ${ours.includes(name) ? 'first' : 'second'}\n`);
  }
  if (differences.size === 0) return;
  throw new CommandFailure(
    'TRIMTAB_RECORDING_DIFFERS',
    `Different intents: ${[...differences.keys()].join(', ')}.`,
  );
}

/** What may have led to it, the cause that explains the other first. */
interface Reasons {
  settings: readonly Difference[];
  input: InputDifference | undefined;
}

const SAME_INPUT = '  both had the same input until then';

function show(name: string, difference: IntentDifference, { settings, input }: Reasons): void {
  process.stdout.write(`${name}: different\n`);
  if (settings.length > 0)
    process.stdout.write(`  it was run with other settings:\n${describeFields(settings)}`);
  process.stdout.write(describeDifference(difference));
  if (input !== undefined) {
    const at = new Date(input.time).toISOString();
    process.stdout.write(
      `  its input had differed: ${input.source} at ${at}\n${describeFields(input.fields)}`,
    );
  } else {
    const cause = settings.length > 0 ? '' : ": the plugin's code differs, or it decides by chance";
    process.stdout.write(`${SAME_INPUT}${cause}\n`);
  }
}
