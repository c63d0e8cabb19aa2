import { stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { Command } from 'commander';
import { makeFolders, shellWord, withFullStop } from '../env/index.ts';
import { CommandFailure } from './failures/CommandFailure.ts';
import { findOwnPackage, type OwnPackage } from './project/findOwnPackage.ts';
import { botTemplate, pluginTemplate, testTemplate } from './project/initTemplates.ts';
import {
  gitignoreTemplate,
  launchTemplate,
  packageTemplate,
  readmeTemplate,
  tsconfigTemplate,
} from './project/projectTemplates.ts';

/** Text by path, relative to the project's folder. */
type ProjectFiles = Readonly<Record<string, string>>;

const EXAMPLES = `
Examples:
  trimtab init my-bot                  a project in a new folder
  trimtab init                         in this one
  trimtab init second --no-project     a second bot within a project
`;

/** `trimtab init [dir]`: a project with a bot, a first plugin and its test, as a starting point. */
export function createInitCommand(): Command {
  return new Command('init')
    .description('write a project with a first bot, a plugin of your own and its test')
    .argument('[dir]', 'directory to write into', '.')
    .option('--no-project', 'write bot.yaml, plugin and test only, for a project that exists')
    .addHelpText('after', EXAMPLES)
    .action(async (dir: string, { project }: { project: boolean }) => {
      const own = findOwnPackage();
      const files = project ? projectFiles(dir, own) : botFiles(schemaPath(dir, own));
      await writeFiles(dir, files);
      process.stdout.write(`Wrote ${Object.keys(files).join(', ')} to ${dir}\n`);
      process.stdout.write(project ? projectSteps(dir) : botSteps(dir));
    });
}

/** @param schema where editors find the schema, from the bot's folder */
function botFiles(schema: string): ProjectFiles {
  return {
    'bot.yaml': botTemplate(schema),
    'strategies/firstPlugin.ts': pluginTemplate,
    'strategies/firstPlugin.test.ts': testTemplate,
  };
}

function projectFiles(dir: string, own: OwnPackage): ProjectFiles {
  const name = projectName(dir);
  const { peerDependencies: peers, devDependencies: tools } = own.manifest;
  const packages = {
    trimtab: own.dependencyFrom(dir),
    rxjs: peers['rxjs']!,
    zod: peers['zod']!,
    typescript: `^${tools['typescript']}`,
    vitest: peers['vitest']!,
    nodeTypes: `^${tools['@types/node']}`,
  };
  return {
    'package.json': packageTemplate(name, packages),
    'tsconfig.json': tsconfigTemplate,
    ...botFiles('./node_modules/trimtab/configs/trimtab.schema.json'),
    '.gitignore': gitignoreTemplate,
    'README.md': readmeTemplate(name),
    '.vscode/launch.json': launchTemplate,
  };
}

/** npm refuses to install a package in a project of the same name. */
const TAKEN: ReadonlySet<string> = new Set(['trimtab', 'rxjs', 'zod', 'typescript', 'vitest']);

/** The folder's name as far as npm accepts it. */
function projectName(dir: string): string {
  const name = basename(resolve(dir))
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, '-')
    .replaceAll(/^[._-]+|-+$/g, '')
    .slice(0, 200);
  if (name === '' || name === 'node_modules') return 'my-bot';
  return TAKEN.has(name) ? `${name}-bot` : name;
}

/** Writes all of them or, if one of them exists, none. */
async function writeFiles(dir: string, files: ProjectFiles): Promise<void> {
  const paths = Object.keys(files).map((name) => join(dir, name));
  const present = await Promise.all(paths.map(exists));
  const taken = paths.filter((_path, index) => present[index]);
  if (taken.length > 0) throw refuse(dir, taken);
  for (const [name, text] of Object.entries(files)) {
    const path = join(dir, name);
    try {
      makeFolders(dirname(path));
      // `wx` refuses to overwrite even a file that appeared just now.
      await writeFile(path, text, { flag: 'wx' });
    } catch (error) {
      const { code = 'unknown' } = error as NodeJS.ErrnoException;
      const isFile = code === 'EEXIST' || code === 'ENOTDIR';
      const reason = isFile ? 'a file is where a directory has to be' : `the system says ${code}`;
      throw new CommandFailure(
        'TRIMTAB_OUTPUT_UNWRITABLE',
        `${path} can't be written: ${withFullStop(reason)}\n  Name another directory: trimtab init ${otherThan(dir)}`,
        1,
        { cause: error },
      );
    }
  }
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null)) !== null;
}

/** A directory for an example, which is not the one that was refused. */
const otherThan = (dir: string): string =>
  basename(resolve(dir)) === 'my-bot' ? 'my-other-bot' : 'my-bot';

function refuse(dir: string, taken: readonly string[]): CommandFailure {
  const verb = taken.length === 1 ? 'exists' : 'exist';
  const bot = botFiles('');
  const canAddBot = taken.every((path) => !(relative(dir, path).split(sep).join('/') in bot));
  const inProject = canAddBot
    ? `\n  Or add a bot to the project that is there: trimtab init ${shellWord(dir)} --no-project`
    : '';
  return new CommandFailure(
    'TRIMTAB_OUTPUT_EXISTS',
    `${taken.join(' and ')} ${verb} already, and nothing was written.\n  Name another directory: trimtab init ${otherThan(dir)}${inProject}`,
  );
}

/** The path of this package's schema, relative to the new file. */
function schemaPath(dir: string, { home }: OwnPackage): string {
  const path = relative(resolve(dir), join(home, 'configs/trimtab.schema.json'));
  return path.split(sep).join('/');
}

function projectSteps(dir: string): string {
  const isHere = resolve(dir) === process.cwd();
  return `
Next:
${isHere ? '' : `  cd ${shellWord(dir)}\n`}  npm install
  npm test           types, and the plugin by itself
  npm start          trade a replay of generated candles, on paper
  npm run dev        change strategies/firstPlugin.ts, and see the backtest at each save
  Your own candles: npm run backtest -- --feed BTC@1m=btc.csv.gz
`;
}

function botSteps(dir: string): string {
  const bot = shellWord(join(dir, 'bot.yaml'));
  return `
Next:
  npx trimtab run ${bot}      trade a replay of generated candles, on paper
  npx vitest run ${shellWord(join(dir, 'strategies'))}      test the plugin by itself
  The project needs what they import: trimtab, rxjs, zod and, for the test, vitest.
`;
}
