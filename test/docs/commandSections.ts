import { Command, type Option } from 'commander';
import { registerCommands } from '../../src/cli/registerCommands.ts';
import { table } from './table.ts';

/** Defaults that depend on machine or user, and are not documented. */
const OF_MACHINE: Readonly<Record<string, string>> = {
  threads: 'the cores of the machine',
};

/** A section a command, inner ones after their own. */
export async function commandSections(): Promise<string> {
  const program = new Command('trimtab');
  await registerCommands(program);
  return program.commands.flatMap((command) => sectionsOf(command, 'trimtab')).join('\n\n');
}

function sectionsOf(command: Command, parent: string): string[] {
  const name = `${parent} ${command.name()}`;
  const inner = command.commands.flatMap((each) => sectionsOf(each, name));
  const usage = `\`${name} ${command.usage()}\``;
  const parts = [`## ${name}`, sentence(command.description()), usage];
  const rows = [
    ...command.registeredArguments.map((argument) => [
      `\`${argument.name()}\``,
      detailed(argument.description, argument.argChoices, undefined),
    ]),
    ...command.options.map((option) => [`\`${option.flags}\``, describeOption(option)]),
  ];
  parts.push(table(['argument or flag', 'what it is'], rows));
  const after = textAfter(command);
  if (after !== '') parts.push(`\`\`\`text\n${after}\n\`\`\``);
  return [parts.join('\n\n'), ...inner];
}

function describeOption(option: Option): string {
  const ofMachine = OF_MACHINE[option.attributeName()];
  const isPlain = option.defaultValue !== undefined && typeof option.defaultValue !== 'boolean';
  const isEmpty = Array.isArray(option.defaultValue) && option.defaultValue.length === 0;
  const fallback =
    isPlain && !isEmpty
      ? (option.defaultValueDescription ?? String(option.defaultValue))
      : undefined;
  return detailed(option.description, option.argChoices, ofMachine ?? fallback);
}

function detailed(
  text: string,
  choices: readonly string[] | undefined,
  fallback: string | undefined,
): string {
  const parts = [
    ...(choices === undefined ? [] : [choices.map((choice) => `\`${choice}\``).join(', ')]),
    ...(fallback === undefined ? [] : [`default: ${fallback}`]),
  ];
  return parts.length === 0 ? text : `${text} (${parts.join('; ')})`;
}

const sentence = (text: string): string => `${text[0]!.toUpperCase()}${text.slice(1)}.`;

/** What help adds below the options: examples, and what flags alone can't say. */
function textAfter(command: Command): string {
  let text = '';
  command.configureOutput({ writeOut: (piece) => void (text += piece) });
  command.outputHelp();
  return text.slice(command.helpInformation().length).trim();
}
