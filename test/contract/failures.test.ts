import { expect, test } from 'vitest';
import { FAILURES, failureAnchor, type FailureCode } from '../../src/contract/index.ts';
import { codeOf, read, sourceFiles } from '../sourceFiles.ts';
import { ERRORS_PAGE, errorsPage } from './errorsPage.ts';

const codes = Object.keys(FAILURES) as FailureCode[];
const TABLE = 'src/contract/failures/';
const sources = [...sourceFiles('src'), ...sourceFiles('backtest')]
  .filter((file) => !file.startsWith(TABLE) && !file.startsWith('backtest/benchmarks/'))
  .map((file) => ({ file, code: codeOf(file) }));

/** Codes that a function makes of a kind; the compiler holds each kind to its row. */
const FAMILIES = [
  'TRIMTAB_JOURNAL_',
  'TRIMTAB_STRATEGY_',
  'TRIMTAB_STREAM_',
] as const satisfies readonly string[];

/** The kinds of a fault, as the type lists them: up to the first line that ends a member. */
const kindsOf = (file: string, type: string, end: RegExp): string[] => {
  const text = codeOf(file);
  const [body = ''] = text.slice(text.indexOf(type)).split(end);
  return [...body.matchAll(/'([a-z_]+)'/g)].map((match) => match[1]!.toUpperCase());
};

test('the page has each code of the table, as the table words it', () => {
  expect(read(ERRORS_PAGE), `node test/contract/errorsPage.ts writes it`).toBe(errorsPage());
  const page = read(ERRORS_PAGE);
  for (const code of codes) {
    const [file, anchor] = failureAnchor(code).split('#');
    expect(file).toBe(ERRORS_PAGE);
    expect(page).toContain(`\n## ${anchor!.toUpperCase()}\n`);
  }
});

test('codes have one form, and each row states meaning and remedy in sentences', () => {
  for (const code of codes) {
    expect(code).toMatch(/^TRIMTAB_[A-Z]+(_[A-Z]+)*$/);
    expect(FAILURES[code].meaning, code).toMatch(/^[A-Z`].*\.$/s);
    expect(FAILURES[code].remedy, code).toMatch(/^[A-Z`].*\.$/s);
  }
});

test('each code of the table is used, and each used code is in the table', () => {
  const given = new Set<string>();
  for (const { code } of sources) {
    for (const [found] of code.matchAll(/\bTRIMTAB_[A-Z_]*[A-Z](?![A-Z_$])/g)) given.add(found);
  }
  const kinds = {
    TRIMTAB_JOURNAL_: kindsOf('src/journal/JournalFault.ts', 'type JournalFaultCode', /;/),
    TRIMTAB_STRATEGY_: kindsOf('src/strategy/StrategyFault.ts', 'kind:', /;/),
    TRIMTAB_STREAM_: [
      ...kindsOf('src/streams/StreamFault.ts', 'type StreamFault', /LinkFault;/),
      ...kindsOf('src/env/Link.ts', 'type LinkFault', /;\n\n/),
    ],
  } satisfies Record<(typeof FAMILIES)[number], string[]>;
  for (const family of FAMILIES) for (const kind of kinds[family]) given.add(`${family}${kind}`);
  const unused = codes.filter((code) => !given.has(code));
  expect(unused, 'rows that nothing gives').toEqual([]);
  const environment = [
    'TRIMTAB_DEBUG',
    'TRIMTAB_NODE_FOUND',
    'TRIMTAB_STRATEGY',
    'TRIMTAB_JOURNAL',
    'TRIMTAB_STREAM',
  ];
  const unknown = [...given].filter(
    (code) => !(codes as string[]).includes(code) && !environment.includes(code),
  );
  expect(unknown, 'codes without a row').toEqual([]);
});

/**
 * A call out of order is a fault of the program that calls, and the others can only be our own: they end as
 * TRIMTAB_UNEXPECTED. A rearm that a kill overtook is reported under the code of its command.
 */
const OWN = [
  'src/contract/checkRequest.ts: throw new Error(`${endpoint} takes no body.`)',
  "src/contract/legs.ts: throw new Error('A leg without a form passed its schema.')",
  'src/runtime/control/createKillSwitch.ts: throw new Error(`a kill arrived meanwhile, and level ${latch.level} is in force`)',
  "src/runtime/control/createOutbox.ts: throw new Error('The pipe is not connected yet.')",
  'src/runtime/control/createPauses.ts: throw new Error(`${instance} was paused again meanwhile`)',
  'src/runtime/members/createMembers.ts: throw new Error(`${name} is to run in a thread, and no threads are available.`)',
  'src/runtime/wallet/openBooks.ts: throw new Error(`No strategy of this bot trades wallet ${wallet}.`)',
  'src/strategy/createStrategyHost.ts: throw new Error(`${instance} was started before.`)',
  'src/strategy/thread/createThreadHost.ts: throw new Error(`${instance} was started before.`)',
  'src/strategy/thread/runInThread.ts: throw new Error(error)',
  'src/streams/createStreams.ts: throw new RangeError(`history must be an integer from 0 to ${MAX_BARS}.`)',
  "src/wire/createSocket.ts: throw new Error('The socket is open already.')",
];

test('every error that reaches a user has a code', () => {
  const bare = sources
    .filter(({ file }) =>
      /^src\/(wire|indicators|cli|contract|service|strategy|streams|runtime)\//.test(file),
    )
    .flatMap(({ file, code }) =>
      [...code.matchAll(/throw new (?:Error|TypeError|RangeError)\([^;]*/g)].map(
        ([found]) => `${file}: ${found}`,
      ),
    );
  expect(bare).toEqual(OWN);
});
