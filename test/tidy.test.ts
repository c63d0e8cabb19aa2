import { join, posix } from 'node:path';
import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  builtFiles,
  codeOf,
  entryFiles,
  importsOf,
  PROGRAMS,
  read,
  root,
  sourceFiles,
} from './sourceFiles.ts';

/**
 * Who may import whom: a folder imports from rows below its own, and from itself. The table of ARCHITECTURE.md, in which a
 * note in brackets says what {@link ONLY} holds.
 */
const ROWS: ReadonlyArray<readonly string[]> = [
  ...read('ARCHITECTURE.md').matchAll(/^\| +\d+ +\| (.*?) +\|$/gm),
].map(([, cell]) => cell!.replaceAll(/\([^)]*\)|the entries:/g, '').match(/[\w.]+/g)!);
/** Narrower than its row: what these folders may import at all, beside themselves. */
const ONLY: Readonly<Record<string, readonly string[]>> = {
  contract: [],
  env: ['contract'],
  statistics: [],
  paper: ['contract', 'env', 'indicators'],
  wire: ['contract', 'env'],
  testing: ['contract', 'env', 'intents', 'streams', 'strategy'],
  conformance: ['contract', 'env', 'wire'],
  technicalindicators: ['contract', 'indicators', 'strategy'],
};
const NEVER: Readonly<Record<string, readonly string[]>> = {
  strategy: ['guards', 'budget', 'wire', 'journal'],
};

const files = [
  ...sourceFiles('src'),
  ...sourceFiles('backtest').filter((file) => !file.startsWith('backtest/benchmarks/')),
];
const stationOf = (file: string): string => {
  const [top, station] = file.split('/');
  return top === 'src' ? station! : top!;
};
const rowOf = (station: string): number => ROWS.findIndex((row) => row.includes(station));

const local = (file: string): string[] =>
  importsOf(file)
    .filter((name) => name.startsWith('.'))
    .map((name) => posix.join(posix.dirname(file), name));
const external = (file: string): string[] =>
  importsOf(file).filter((name) => !name.startsWith('.'));

test('ARCHITECTURE.md has a row for each folder and for each entry, and for nothing else', () => {
  const members = [...new Set(files.map(stationOf))].toSorted();
  expect(ROWS.flat().toSorted()).toEqual(members);
  expect(ROWS.at(-1)).toEqual(
    expect.arrayContaining(entryFiles().map((file) => posix.basename(file))),
  );
});

describe('imports point downwards', () => {
  test.each(files)('%s', (file) => {
    const station = stationOf(file);
    expect(rowOf(station), `${station} stands in no row`).toBeGreaterThanOrEqual(0);
    for (const target of local(file)) {
      expect(existsSync(join(root, target)), `${target} does not exist`).toBe(true);
      expect(target, `${file} imports ${target}`).toMatch(/^(src|backtest)\//);
      const other = stationOf(target);
      if (other === station) continue;
      const allowed = ONLY[station]?.includes(other) ?? rowOf(other) < rowOf(station);
      expect(allowed, `${station} may not import ${other} (${target})`).toBe(true);
      expect(NEVER[station]?.includes(other) ?? false, `${station} → ${other}`).toBe(false);
    }
  });
});

describe('each library has its place', () => {
  const fences: Array<[string, (file: string) => boolean, string]> = [
    ['undici', (file) => stationOf(file) === 'wire', 'use src/wire'],
    ['ws', (file) => /^src\/(wire|paper\/server)\//.test(file), 'use src/wire'],
    [
      'technicalindicators',
      (file) => stationOf(file) === 'technicalindicators',
      'use src/indicators, or src/technicalindicators',
    ],
    ['pg', (file) => file.startsWith('src/journal/postgres/'), 'use src/journal'],
    ['pg-boss', (file) => file.startsWith('backtest/sweep/postgres/'), 'batches travel there'],
    [
      'node:worker_threads',
      (file) => stationOf(file) === 'env' || file.startsWith('backtest/sweep/'),
      'take an OpenThread from env',
    ],
    ['yaml', (file) => stationOf(file) === 'config', 'use src/config'],
    ['nodemailer', (file) => file.startsWith('src/operate/notify/'), 'alerts send mail'],
    ['pino', (file) => stationOf(file) === 'operate', 'take a Log from env'],
    [
      '@prometheus-io/client',
      (file) => file.startsWith('src/operate/metrics/'),
      'take Metrics from env',
    ],
    [
      '@opentelemetry/api',
      (file) => file.startsWith('src/operate/trace/'),
      'follow events of the bot',
    ],
    ['commander', (file) => stationOf(file) === 'cli', 'commands live in src/cli'],
    ['tsx', (file) => stationOf(file) === 'strategy', 'plugins load in src/strategy'],
    ['hyparquet', (file) => file.startsWith('src/paper/feed/'), 'feeds are read in src/paper/feed'],
    [
      'hyparquet-compressors',
      (file) => file.startsWith('src/paper/feed/'),
      'feeds are read in src/paper/feed',
    ],
    [
      'hyparquet-writer',
      (file) => file === 'backtest/sweep/results/writeParquet.ts',
      'tables are written by writeParquet',
    ],
    ['yauzl', (file) => file === 'src/paper/feed/unzip.ts', 'archives are read by unzip'],
    ['vitest', (file) => file === 'src/testingVitest.ts', 'only that entry loads it'],
    ['lightweight-charts', (file) => stationOf(file) === 'operate', 'charts live in src/operate'],
  ];
  test.each(fences)('%s', (library, allowed, remedy) => {
    for (const file of files) {
      const uses = external(file).some(
        (name) => name === library || name.startsWith(`${library}/`),
      );
      expect(!uses || allowed(file), `${file} uses ${library}: ${remedy}`).toBe(true);
    }
  });

  test('the paper core does no I/O; its server and feeds do', () => {
    const pure = files.filter((file) => /^src\/paper\/(?!server\/|feed\/)/.test(file));
    for (const file of pure) {
      const io = external(file).filter((name) => /^(node:(fs|net|http|https)|ws$)/.test(name));
      expect(io, file).toEqual([]);
    }
  });

  test('a strategy imports the public entry, rxjs and zod only', () => {
    for (const file of sourceFiles('strategies')) {
      for (const name of importsOf(file)) expect(['trimtab', 'rxjs', 'zod']).toContain(name);
    }
  });
});

/** What a browser's page has in place of the env. */
const isBrowserPorts = (file: string): boolean => file === 'src/operate/serve/page/browserPorts.ts';

describe('banned words', () => {
  const bans: Array<[RegExp, (file: string) => boolean, string]> = [
    [
      /\bDate\.now\(|new Date\(\)/,
      (file) => stationOf(file) === 'env' || isBrowserPorts(file),
      'use env.clock',
    ],
    [
      /\bperformance\.now\(/,
      (file) => stationOf(file) === 'env' || isBrowserPorts(file),
      'use env.clock',
    ],
    [
      /\bset(?:Timeout|Interval|Immediate)\(/,
      (file) => stationOf(file) === 'env' || isBrowserPorts(file),
      'use env.timers',
    ],
    [/AbortSignal\.timeout/, (file) => stationOf(file) === 'env', 'use env.timers'],
    [/Math\.random\(/, (file) => stationOf(file) === 'env', 'use env.random'],
    [
      /\brandomUUID\b/,
      (file) => stationOf(file) === 'env' || isBrowserPorts(file),
      'use env.random',
    ],
    [/process\.env\b/, (file) => stationOf(file) === 'config', 'only config reads it'],
    // It never returns where the system denies a folder, as below /proc; a cache's folders are elsewhere.
    [
      /\bmkdir(?:Sync)?\([^;]*recursive: true/,
      (file) => file.startsWith('backtest/sweep/content/'),
      'use makeFolders',
    ],
    [/\bVirtualTimeScheduler\b/, () => false, 'use toSchedulerLike'],
    // Newer than the oldest zod of the package's range: with that, nothing would start.
    [
      /\bz\.(?:exactOptional|xor|looseRecord|fromJSONSchema)\(/,
      () => false,
      'use what zod 4.1.0 has',
    ],
    [/\benum\s+\w+\s*\{|\bnamespace\s+\w+\s*\{/, () => false, 'types must be erasable'],
    [/@ts-ignore|@ts-nocheck/, () => false, 'mend the type'],
    // Our own names for things that have an established term.
    [
      /\b(?:giveOrder|obeyOrders|guardBot)\b/,
      () => false,
      'say sendCommand, pollCommands, watchdog',
    ],
    [/\b(?:endWork|whatWorks)\b/, () => false, 'say applyStopPolicy, workingOrders'],
    [/\b(?:Kept(?:Intent|State)?|readKept)\b/, () => false, 'say persisted'],
    [
      /\b(?:Newcomer|Slots|makeRoom|holdForRow)\b/,
      () => false,
      'say pending intent, reserve, wait',
    ],
    [
      /\b(?:[Uu]ntold|\w*ToldBot|deferralTold)\b/,
      () => false,
      'say inconclusive, reported, controlled',
    ],
    [/\b(?:Desk|World|world|setGoing|haltExecution)\b/, () => false, 'say context, engine, start'],
  ];
  test.each(bans)('%s', (pattern, allowed, remedy) => {
    for (const file of files) {
      if (allowed(file)) continue;
      expect(pattern.test(codeOf(file)), `${file}: ${pattern.source} is banned, ${remedy}`).toBe(
        false,
      );
    }
  });

  /** Declared names, in any code file, that have an established term. */
  const names: Array<[RegExp, string]> = [
    [/^(?:told|tell(?:s?[A-Z]\w*)?|\w*(?:Told|Teller))$/, 'say report, reported, send, emit'],
    [/^(?:heard|hears?[A-Z]\w*|unheard)$/, 'say received, onFill'],
    [/^kept(?:[A-Z]\w*)?$|^(?:KEPT_\w+|\w+_KEPT)$/, 'say persisted, retained, MOST_X'],
    [/^(?:judge[ds]?|judge[A-Z]\w*|\w*Judge[d]?|Judgement)$/, 'say evaluate, check, verdict'],
    [/^why[A-Z]\w*$/, 'say explainX, xRefusal, xReason'],
    [/^(?:\w*Desk|\w*World|desk|world|crumbs?)$/, 'say context, simulation, dust'],
    [/^(?:nobody|NOBODYS?|stood)$/, 'say none, unowned, open'],
  ];
  const declared = (file: string): string[] =>
    [
      ...codeOf(file).matchAll(
        /\b(?:const|let|function|class|interface|type)\s+\[?([\w$]+)|#(\w+)\(/g,
      ),
    ].map((match) => (match[1] ?? match[2]!).replace(/\$$/, ''));
  const named = ['src', 'backtest', 'strategies', 'test'].flatMap(sourceFiles);
  test.each(names)('names like %s', (pattern, remedy) => {
    for (const file of named) {
      const bad = [...declared(file), posix.basename(file).split('.')[0]!].filter((name) =>
        pattern.test(name),
      );
      expect(bad, `${file}: ${remedy}`).toEqual([]);
    }
  });

  test('no file has a generic name', () => {
    for (const file of files) expect(file).not.toMatch(/(^|\/)(utils?|helpers?|manager|common)\b/i);
  });
});

/**
 * Allowed imports inside src/runtime, through entry files; the bot's types and its assembly are exempt.
 */
const ROOMS = ['links', 'wallet', 'record', 'members', 'control', 'pipe', 'recovery'];

describe('rooms of the runtime', () => {
  const roomOf = (file: string): string | undefined => /^src\/runtime\/(\w+)\//.exec(file)?.[1];
  const isInside = (file: string): boolean => file.startsWith('src/runtime/');
  const isDoor = (file: string): boolean => file.endsWith('/index.ts');
  /** They name what the rooms hold, and are types only. */
  const knowsAll = ['src/runtime/Bot.ts', 'src/runtime/BotEvent.ts'];

  test('each room imports only the entry files of earlier ones', () => {
    for (const file of files.filter(isInside)) {
      if (isDoor(file) || knowsAll.includes(file)) continue;
      const room = roomOf(file);
      for (const target of local(file).filter(isInside)) {
        const other = roomOf(target);
        if (other === undefined || other === room) continue;
        expect(isDoor(target), `${file} goes past the door of ${other} (${target})`).toBe(true);
        const isBefore = room === undefined || ROOMS.indexOf(other) < ROOMS.indexOf(room);
        expect(isBefore, `${file} imports ${other}, which comes after ${room}`).toBe(true);
      }
    }
  });

  test('every room has its place, and others come by the front door', () => {
    for (const file of files) {
      const room = roomOf(file);
      if (room !== undefined) expect(ROOMS, file).toContain(room);
      if (isInside(file)) continue;
      for (const target of local(file).filter(isInside)) {
        expect(target, `${file} goes past the runtime's door`).toBe('src/runtime/index.ts');
      }
    }
  });
});

test('no import cycles, types included', () => {
  const done = new Set<string>();
  const way: string[] = [];
  const visit = (file: string): void => {
    const at = way.indexOf(file);
    expect(at, [...way.slice(at), file].join(' → ')).toBe(-1);
    if (done.has(file)) return;
    way.push(file);
    for (const target of local(file)) if (existsSync(join(root, target))) visit(target);
    way.pop();
    done.add(file);
  };
  for (const file of files) visit(file);
});

const PAGES = ['report/page/main', 'serve/page/main', 'serve/page/travel'].map(
  (name) => `src/operate/${name}.ts`,
);

test('every file is reached from an entry, a thread or a page', () => {
  const reached = new Set<string>();
  const visit = (file: string): void => {
    if (reached.has(file)) return;
    reached.add(file);
    for (const target of local(file)) if (existsSync(join(root, target))) visit(target);
  };
  for (const entry of [...entryFiles(), ...PROGRAMS, ...PAGES]) visit(entry);
  expect(files.filter((file) => !reached.has(file))).toEqual([]);
});

test('package.json names what acts when it is loaded, so that no bundler leaves it out', () => {
  const { sideEffects } = JSON.parse(read('package.json')) as { sideEffects: string[] };
  const built = ['src/testingVitest.ts', ...PROGRAMS].flatMap(builtFiles);
  const pages = PAGES.map((file) => `dist/${file.replace(/\.ts$/, '.js')}`);
  const acting = ['bin/trimtab.js', ...built, ...pages].map((file) => `./${file}`);
  expect(sideEffects.toSorted()).toEqual(acting.toSorted());
});

test('no kit of tests registers hooks when it is loaded: the next file of its process would have none', () => {
  // The runner loads it for each file.
  const perFile = ['test/mutate/recordReach.ts'];
  const kits = sourceFiles('test').filter((file) => !file.endsWith('.test.ts'));
  const acting = kits.filter((file) => /^(before|after)(All|Each)\(/m.test(codeOf(file)));
  expect(acting).toEqual(perFile);
});
