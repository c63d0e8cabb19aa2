import type { Command } from 'commander';

/**
 * Whether a command line requests JSON on its output, by a bare `--json` or by `--json -`. With a file
 * the output stays readable text.
 */
export function wantsJson(program: Command, argv: readonly string[]): boolean {
  let command = program;
  for (const word of argv) {
    command = command.commands.find((inner) => inner.name() === word) ?? command;
  }
  const option = command.options.find(({ long }) => long === '--json');
  if (option === undefined) return false;
  if (option.isBoolean()) return argv.includes('--json');
  return argv.includes('--json=-') || argv[argv.indexOf('--json') + 1] === '-';
}
