import { expect, test } from 'vitest';
import { CHECKS, CLAUSE_IDS, runConformance, type ClauseId } from '../../src/conformance/index.ts';
import { defaultDialect } from '../../src/contract/index.ts';
import { createLiveEnv } from '../../src/env/index.ts';
import type { PaperServer } from '../../src/paper/index.ts';
import { rotated } from '../tiers.ts';
import { nameOf } from './nameOf.ts';
import { startService } from './startService.ts';

type Raw = ReturnType<PaperServer['core']['handleHttp']>;
type Change = (asked: string, answer: Raw) => Raw;

/** The verdicts of a clause's checks, by title, about a service whose answers are changed on their way. */
async function verdictsOf(
  clause: ClauseId,
  change: Change,
  onCheck: (title: string) => void = () => {},
): Promise<Map<string, string>> {
  const server = await startService({ budget_clock: 'replay' });
  const { handleHttp } = server.core;
  server.core.handleHttp = (raw) => change(nameOf(raw.method, raw.target), handleHttp(raw));
  const verdicts = new Map<string, string>();
  try {
    await runConformance({
      ...server,
      dialect: defaultDialect,
      env: createLiveEnv(),
      only: [clause],
      onCheck: ({ title }, { result }) => {
        verdicts.set(title, result);
        onCheck(title);
      },
    });
  } finally {
    await server.close();
  }
  return verdicts;
}

const codeOf = ({ status, bodyText }: Raw): string | undefined =>
  status < 400 || bodyText === '' ? undefined : JSON.parse(bodyText).error?.code;

/** Refusals that decide nothing: of what ends a check's work, of polls, and where a check reads ids and fields only. */
const UNDECIDING: ReadonlyArray<[clause: RegExp, refusal: RegExp]> = [
  [
    /./,
    /^(DELETE \/v1\/orders|GET \/v1\/executions|POST \/v1\/monitors\/stop-all) insufficient_scope$/,
  ],
  [/./, /^GET \/v1\/positions\/[^ ]+ no_position$/],
  [/^LEG-[45]$/, /^POST \/v1\/positions\/[^ ]+\/close no_position$/],
  [/^(AUTH-7|VER-2)$/, /^GET \/v1\/(orders\/)?no[_-]such[^ ]* not_found$/],
  [/^AUTH-7$/, /^GET \/v1\/status missing_credentials$/],
];

test.each(rotated(CLAUSE_IDS, 3))(
  '%s: each refusal of another kind is noticed',
  async (clause) => {
    let seen = new Set<string>();
    const byCheck = new Map<string, Set<string>>();
    const note: Change = (asked, answer) => {
      const code = codeOf(answer);
      if (code !== undefined) seen.add(`${asked} ${code}`);
      return answer;
    };
    await verdictsOf(clause, note, (title) => {
      byCheck.set(title, seen);
      seen = new Set();
    });
    const unnoticed: string[] = [];
    for (const refusal of new Set([...byCheck.values()].flatMap((of) => [...of]))) {
      const lie: Change = (asked, answer) => {
        if (`${asked} ${codeOf(answer)}` !== refusal) return answer;
        const body = JSON.parse(answer.bodyText);
        body.error.code = 'another_code';
        const status = answer.status === 400 ? 422 : 400;
        return { ...answer, status, bodyText: JSON.stringify(body) };
      };
      const verdicts = await verdictsOf(clause, lie);
      for (const [title, refusals] of byCheck) {
        if (!refusals.has(refusal) || verdicts.get(title) === 'differs') continue;
        if (UNDECIDING.some(([of, what]) => of.test(clause) && what.test(refusal))) continue;
        unnoticed.push(`${title}: ${refusal}, ${verdicts.get(title)}`);
      }
    }
    expect(unnoticed).toEqual([]);
  },
  240_000,
);

test.each<[ClauseId, string, RegExp]>([
  ['EXE-1', 'Glidemaker makes, and never past its limit', /^GET \/v1\/executions\/…\/orders$/],
  ['EXE-1', 'Smart Exit leaves when its stop is touched', /^GET \/v1\/executions\/…\/orders$/],
  ['EXE-4', 'the limit is relative to the live trigger', /^GET \/v1\/executions\/…\/fills$/],
])(
  '%s: "%s" does not hold without what it speaks of',
  async (clause, title, list) => {
    const verdicts = await verdictsOf(clause, (asked, answer) => {
      if (!list.test(asked) || answer.status !== 200) return answer;
      return { ...answer, bodyText: JSON.stringify({ ...JSON.parse(answer.bodyText), items: [] }) };
    });
    expect(CHECKS.map((check) => check.title)).toContain(title);
    expect(verdicts.get(title)).not.toBe('holds');
  },
  60_000,
);
