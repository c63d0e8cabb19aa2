import { Command } from 'commander';
import { createConfigSchema } from '../config/index.ts';
import { forceOption, prepareOutput } from './output/prepareOutput.ts';
import { writeOutput } from './output/writeOutput.ts';

const EXAMPLES = `
Examples:
  trimtab schema                                     print it
  trimtab schema --out configs/trimtab.schema.json   write it

Editors with the YAML language server use it by a configuration's first line:
  # yaml-language-server: $schema=./trimtab.schema.json
`;

/** `trimtab schema`: the JSON Schema of configurations, for editors. */
export function createSchemaCommand(): Command {
  return new Command('schema')
    .description('print or write the JSON Schema of configurations, for editors')
    .option('-o, --out <file>', 'file to write; default: print it')
    .addOption(forceOption())
    .addHelpText('after', EXAMPLES)
    .action(async ({ out, force = false }: { out?: string; force?: boolean }) => {
      const text = schemaText();
      if (out === undefined) process.stdout.write(text);
      else await writeSchema(out, text, force);
    });
}

/** The schema as it is committed: two spaces, a line end. */
export function schemaText(): string {
  return `${JSON.stringify({ $comment: 'Written by trimtab schema.', ...createConfigSchema() }, null, 2)}\n`;
}

async function writeSchema(file: string, text: string, force: boolean): Promise<void> {
  prepareOutput('--out', file, { kind: 'schema', force });
  await writeOutput(file, text);
  process.stderr.write(`Wrote ${file}\n`);
}
