import { mkdir, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { Command } from 'commander';
import { CommandFailure } from './CommandFailure.ts';
import { botTemplate, pluginTemplate, testTemplate } from './initTemplates.ts';

const EXAMPLES = `
Examples:
  trimtab init            in this directory
  trimtab init my-bot     in a new one
`;

/** `trimtab init [dir]`: a bot, a first plugin and its test, as a starting point. */
export function createInitCommand(): Command {
  return new Command('init')
    .description(
      'write a first bot and plugin of your own: bot.yaml, strategies/firstPlugin.ts and its test',
    )
    .argument('[dir]', 'directory to write into', '.')
    .addHelpText('after', EXAMPLES)
    .action(async (dir: string) => {
      await writeBot(dir);
      process.stdout.write(nextSteps(dir));
    });
}

async function writeBot(dir: string): Promise<void> {
  const files = [
    { path: join(dir, 'bot.yaml'), text: botTemplate(schemaPath(dir)) },
    { path: join(dir, 'strategies/firstPlugin.ts'), text: pluginTemplate },
    // A module whatever the package's `type` is: `npm init` writes commonjs.
    { path: join(dir, 'strategies/firstPlugin.test.mts'), text: testTemplate },
  ];
  const present = await Promise.all(files.map(({ path }) => exists(path)));
  const taken = files.filter((_, index) => present[index]).map(({ path }) => path);
  if (taken.length > 0) {
    throw new CommandFailure(
      'TRIMTAB_OUTPUT_EXISTS',
      `${taken.join(' and ')} exist${taken.length === 1 ? 's' : ''} already, and nothing was written.\n  Name another directory: trimtab init my-bot`,
    );
  }
  await mkdir(join(dir, 'strategies'), { recursive: true });
  // `wx` refuses to overwrite even a file that appeared just now.
  for (const { path, text } of files) await writeFile(path, text, { flag: 'wx' });
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null)) !== null;
}

/** The path of this package's schema, relative to the new file. */
function schemaPath(dir: string): string {
  const home = dirname(createRequire(import.meta.url).resolve('trimtab/package.json'));
  const path = relative(resolve(dir), join(home, 'configs/trimtab.schema.json'));
  return path.split(sep).join('/');
}

function nextSteps(dir: string): string {
  const bot = join(dir, 'bot.yaml');
  const plugin = join(dir, 'strategies/firstPlugin.ts');
  const test = join(dir, 'strategies/firstPlugin.test.mts');
  return `Wrote ${bot}, ${plugin} and ${test}

Next:
  npx trimtab run ${bot}      trade a replay of generated candles, on paper
  node --test ${test}      test the plugin by itself
  Then change strategies/firstPlugin.ts, and run it again: the same seed, the same candles.
  Your own candles: npx trimtab run ${bot} --feed BTC@1m=btc.csv.gz
  Outside of Trimtab's own folder, plugins need what they import: npm install rxjs zod
  and trimtab itself, from a clone by npm pack (its docs/tutorial.md has the lines).
`;
}
