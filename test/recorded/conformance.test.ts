import { test } from 'vitest';
import { formatConformance, runConformance } from '../../src/conformance/index.ts';
import { defaultDialect } from '../../src/contract/index.ts';
import { createLiveEnv, createRandom } from '../../src/env/index.ts';
import { startService } from '../conformance/startService.ts';
import { expectRecorded, type Outcome } from './expectRecorded.ts';

type Lie = (answer: unknown) => unknown;

/** Each number of an answer, or some of its texts, as a service would have them that computes something else. */
const changeOf =
  (change: (value: unknown, name: string) => unknown): Lie =>
  (answer) => {
    const walk = (value: unknown, name: string): unknown => {
      if (Array.isArray(value)) return value.map((item) => walk(item, name));
      if (typeof value !== 'object' || value === null) return change(value, name);
      return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, walk(item, key)]));
    };
    return walk(answer, '');
  };
const named = (names: RegExp, to: (value: number) => number): Lie =>
  changeOf((value, name) => (typeof value === 'number' && names.test(name) ? to(value) : value));

/** What a service says that lies about values, not about shapes. */
const LIES: Readonly<Record<string, Lie>> = {
  'prices a tick off': named(/price|mark|value|trigger|level|anchor/, (value) => value * 1.001),
  'sizes a part off': named(/size|filled|volume|notional/, (value) => value * 0.99),
  'other numbers': named(
    /weight|remaining|used|limit|seq|bps|fee|leverage|budget/,
    (value) => value + 1,
  ),
  'other words': changeOf((value, name) =>
    typeof value === 'string' && /status|side|kind|reason|outcome|phase/.test(name)
      ? `${value}x`
      : value,
  ),
  'other codes': changeOf((value, name) => (name === 'code' ? 'not_this' : value)),
  'nothing resolved': changeOf((value, name) =>
    /resolution|_id$|tier|note/.test(name) ? null : value,
  ),
};

/** Tokens of webhooks are random, whole and by their end. */
const withoutTokens = (text: string): string =>
  text.replaceAll(
    /(token\W+)…?\w+|(hooks\/)…?\w+/g,
    (_whole, token = '', path = '') => `${token}${path}…`,
  );

test.for(Object.keys(LIES))(
  'the report about a service: %s',
  { timeout: 240_000 },
  async (name) => {
    const server = await startService({ budget_clock: 'replay' });
    const { handleHttp } = server.core;
    server.core.handleHttp = (raw) => {
      const answer = handleHttp(raw);
      if (!raw.target.startsWith('/v1') || answer.bodyText === '') return answer;
      return { ...answer, bodyText: JSON.stringify(LIES[name]!(JSON.parse(answer.bodyText))) };
    };
    try {
      const { next } = createRandom('conformance');
      const env = { ...createLiveEnv(), random: { next } };
      const result = await runConformance({ ...server, dialect: defaultDialect, env });
      const text = formatConformance({
        ...result,
        target: { ...result.target, base_url: 'server' },
      });
      const lines = (rows: readonly unknown[]): string[] =>
        rows.map((row) => withoutTokens(JSON.stringify(row)));
      await expectRecorded(
        `conformance/${name.replaceAll(' ', '-')}`,
        new Map<string, Outcome>([
          [
            name,
            new Map([
              ...result.clauses.map(({ id, checks }): [string, string[]] => [id, lines(checks)]),
              ['silent', lines(result.silent)],
              ['left', result.left],
              ['text', withoutTokens(text).split('\n')],
            ]),
          ],
        ]),
      );
    } finally {
      await server.close();
    }
  },
);
