/**
 * The files of `trimtab init` that make a folder a project: what npm, TypeScript, git and an editor read. The bot
 * itself is in `initTemplates.ts`.
 */

/** Versions and ranges that package.json names. */
export interface ProjectPackages {
  trimtab: string;
  rxjs: string;
  zod: string;
  typescript: string;
  vitest: string;
  nodeTypes: string;
}

/** @param name a name that npm accepts */
export function packageTemplate(name: string, packages: ProjectPackages): string {
  const { nodeTypes, rxjs, trimtab, zod, typescript, vitest } = packages;
  const manifest = {
    name,
    private: true,
    type: 'module',
    engines: { node: '>=24.15' },
    scripts: {
      start: 'trimtab run bot.yaml',
      dev: 'trimtab dev bot.yaml',
      test: 'tsc && vitest run',
      backtest: 'trimtab backtest bot.yaml',
      check: 'trimtab check bot.yaml',
    },
    dependencies: { rxjs, trimtab, zod },
    devDependencies: { '@types/node': nodeTypes, typescript, vitest },
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

/** What Node can run as it stands: types that can be erased, imports with their extension. */
export const tsconfigTemplate = `{
  "compilerOptions": {
    "target": "es2024",
    "module": "nodenext",
    "lib": ["es2024"],
    "types": ["node"],
    "strict": true,
    "noUncheckedIndexedAccess": true,
    "erasableSyntaxOnly": true,
    "verbatimModuleSyntax": true,
    "allowImportingTsExtensions": true,
    "noEmit": true,
    "skipLibCheck": true
  },
  "include": ["strategies"]
}
`;

/** Packages, records of runs, and what must not leave the machine. */
export const gitignoreTemplate = `node_modules/

# Journals and what stands beside them
var/
*.sqlite
*.sqlite-*
*.sqlite.*

# Whoever has it runs code on your workers
sweep.key

# Reports and recordings
reports/
recordings/
*.ndjson
*.ndjson.gz

# Secrets
.env
.env.*
secrets/
*.secret
*.pem
`;

/** Breakpoints stop in the plugin as it was written: Node strips its types and keeps its lines. */
export const launchTemplate = `{
  "version": "0.2.0",
  "configurations": [
    {
      "name": "Backtest",
      "type": "node",
      "request": "launch",
      "program": "\${workspaceFolder}/node_modules/trimtab/bin/trimtab.js",
      "args": ["backtest", "bot.yaml", "--no-report"],
      "skipFiles": ["<node_internals>/**", "**/node_modules/**"],
      "console": "integratedTerminal"
    },
    {
      "name": "Bot",
      "type": "node",
      "request": "launch",
      "program": "\${workspaceFolder}/node_modules/trimtab/bin/trimtab.js",
      "args": ["run", "bot.yaml", "--no-report"],
      "skipFiles": ["<node_internals>/**", "**/node_modules/**"],
      "console": "integratedTerminal"
    },
    {
      "name": "This test file",
      "type": "node",
      "request": "launch",
      "program": "\${workspaceFolder}/node_modules/vitest/vitest.mjs",
      "args": ["run", "--no-file-parallelism", "--test-timeout=0", "\${relativeFile}"],
      "skipFiles": ["<node_internals>/**", "**/node_modules/**"],
      "console": "integratedTerminal"
    }
  ]
}
`;

export function readmeTemplate(name: string): string {
  return `# ${name}

A trading bot on [Trimtab](https://www.npmjs.com/package/trimtab). It needs Node 24.15 or newer.

\`\`\`sh
npm install
npm test            # types, and the plugin by itself
npm start           # trades a replay of generated candles, on paper
npm run dev         # backtests at each save, with the report in the browser
npm run backtest    # the same replay in virtual time: the same hash as npm start
npm run check       # looks for look-ahead, missing warm-up and randomness
\`\`\`

| file                             | what it is                                           |
| -------------------------------- | ---------------------------------------------------- |
| \`bot.yaml\`                       | the bot: market data, strategies, parameters, limits |
| \`strategies/firstPlugin.ts\`      | the strategy: a function from streams to intents     |
| \`strategies/firstPlugin.test.ts\` | its test, in virtual time                            |
| \`.vscode/launch.json\`            | bot, backtest and test in a debugger                 |

Your own candles: \`npm run backtest -- --feed BTC@1m=btc.csv.gz\`. Journals (\`var/\`), reports and secrets are not
committed; a key belongs into the environment or a file, never into \`bot.yaml\`.
`;
}
