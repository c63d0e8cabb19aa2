/**
 * `npm run api`: writes the public surface of each entry into `api/`, from the declarations of `dist`. With
 * `--out FOLDER` it goes there instead. It needs a build, and installs its own tool when that is absent.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const home = import.meta.dirname;
const root = join(home, '..');

if (!existsSync(join(home, 'node_modules/@microsoft/api-extractor'))) {
  const args = ['ci', '--prefix', home, '--no-audit', '--no-fund', '--ignore-scripts'];
  const { status } = spawnSync('npm', args, { stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) process.exit(status ?? 1);
}
const { Extractor, ExtractorConfig } = createRequire(import.meta.url)('@microsoft/api-extractor');

const at = process.argv.indexOf('--out');
const out = at === -1 ? home : resolve(process.argv[at + 1]);
const folder = mkdtempSync(join(tmpdir(), 'trimtab-api-'));
mkdirSync(out, { recursive: true });

const silent = { default: { logLevel: 'none' } };
/** The tool's own compiler is an older one: the types are checked elsewhere, here they are listed. */
const compilerOptions = {
  target: 'es2022',
  lib: ['es2023', 'dom'],
  module: 'nodenext',
  moduleResolution: 'nodenext',
  types: ['node'],
  strict: true,
  skipLibCheck: true,
};

function report(name, declarations) {
  const file = `${name}.api.md`;
  const config = ExtractorConfig.prepare({
    configObjectFullPath: undefined,
    packageJsonFullPath: join(root, 'package.json'),
    configObject: {
      projectFolder: root,
      mainEntryPointFilePath: declarations,
      newlineKind: 'lf',
      apiReport: {
        enabled: true,
        reportFileName: name,
        reportFolder: folder,
        reportTempFolder: join(folder, 'temp'),
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      compiler: { overrideTsconfig: { compilerOptions, files: [declarations] } },
      messages: {
        compilerMessageReporting: silent,
        extractorMessageReporting: silent,
        tsdocMessageReporting: silent,
      },
    },
  });
  Extractor.invoke(config, { localBuild: true, messageCallback: (said) => (said.handled = true) });
  writeFileSync(join(out, file), surfaceOf(readFileSync(join(folder, file), 'utf8')));
}

/** Without what is no part of the surface: whether a name has a comment, and the words of a failure's page. */
function surfaceOf(text) {
  return text
    .replaceAll(/^ *\/\/ \(undocumented\)\n/gm, '')
    .replaceAll('// @public (undocumented)', '// @public')
    .replaceAll(/^( *readonly (?:meaning|remedy): )(?:'.*'|".*"|`.*`);$/gm, '$1string;');
}

const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
for (const [path, target] of Object.entries(exports)) {
  if (typeof target === 'string') continue;
  report(path.replace('.', 'trimtab').replaceAll('/', '-'), join(root, target.types));
}
rmSync(folder, { recursive: true });
