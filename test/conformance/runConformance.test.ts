import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  CHECKS,
  CLAUSE_IDS,
  formatConformance,
  runConformance,
  type ClauseId,
  type ConformanceResult,
} from '../../src/conformance/index.ts';
import { createDialect, defaultDialect } from '../../src/contract/index.ts';
import { createLiveEnv } from '../../src/env/index.ts';
import type { PaperServer } from '../../src/paper/index.ts';
import { nameOf } from './nameOf.ts';
import { startService } from './startService.ts';
import { EXTRACTS } from '../data/places.ts';
import { inTurn } from '../inTurn.ts';

const it = inTurn(2);

/**
 * Clauses that the paper service doesn't hold yet. It has to shrink to nothing: a clause that holds
 * may not stand here.
 */
const NOT_YET_HOLDING: readonly ClauseId[] = [];

const run = (server: PaperServer, more: Partial<Parameters<typeof runConformance>[0]> = {}) =>
  runConformance({ ...server, dialect: defaultDialect, env: createLiveEnv(), ...more });

/** What a service answers, over HTTP and on sockets; each call of the result gives what came since the last. */
function followAnswers({ core }: PaperServer): () => string {
  let counts = new Map<string, number>();
  const take = (name: string): void => void counts.set(name, (counts.get(name) ?? 0) + 1);
  const { handleHttp, openSession } = core;
  core.handleHttp = (raw) => {
    const answer = handleHttp(raw);
    const { status, bodyText } = answer;
    const code = status < 400 || bodyText === '' ? null : JSON.parse(bodyText).error.code;
    take(code === null ? 'accepted' : `${nameOf(raw.method, raw.target)} ${status} ${code}`);
    return answer;
  };
  core.openSession = (grant, port, wallTime) => {
    const control: typeof port.control = (message) => {
      const { code } = (message['error'] ?? {}) as { code?: string };
      take(`${grant.kind} ${String(message['type'])}${code === undefined ? '' : ` ${code}`}`);
      port.control(message);
    };
    return openSession(grant, { ...port, control }, wallTime);
  };
  return () => {
    // How often a check polls depends on where the tape is; what it has refused does not.
    const lines = [...counts].map(([name, count]) =>
      /^accepted$| (ack|result)$/.test(name) ? `\n  ${name}` : `\n  ${count} ${name}`,
    );
    counts = new Map();
    return lines.toSorted().join('');
  };
}

describe('against the embedded paper service', () => {
  let server: PaperServer;
  let result: ConformanceResult;
  const dealt: string[] = [];
  beforeAll(async () => {
    server = await startService({ budget_clock: 'replay' });
    const answers = followAnswers(server);
    result = await run(server, {
      onCheck: ({ clause, title }) => void dealt.push(`${clause} ${title}:${answers()}`),
    });
  }, 240_000);
  afterAll(() => server.close());

  test.each(CLAUSE_IDS)('%s holds', (id) => {
    const clause = result.clauses.find((row) => row.id === id);
    const open = clause?.checks.filter((check) => check.result !== 'holds');
    if (NOT_YET_HOLDING.includes(id)) expect(open, `${id} holds by now`).not.toEqual([]);
    else expect(open).toEqual([]);
  });

  // `vitest run -u` writes it anew: whoever changes a check sees what it asks for less than before.
  test('each check asks for what it speaks of, and meets the refusals', async () => {
    await expect(`${dealt.join('\n')}\n`).toMatchFileSnapshot('asked.txt');
  });

  test('DIAL-2: no silent point differs from the dialect', () => {
    expect(result.silent.filter((point) => point.result === 'differs')).toEqual([]);
    expect(result.silent.length).toBeGreaterThan(40);
  });

  test('the text has a line per clause and the totals', () => {
    const text = formatConformance(result);
    for (const id of CLAUSE_IDS) expect(text).toMatch(new RegExp(`^${id} +holds`, 'm'));
    expect(text).toContain(`${CLAUSE_IDS.length} clauses: ${CLAUSE_IDS.length} hold, 0 differ`);
  });

  test('the replay is left as it was found', async () => {
    expect(server.replay.record().state).not.toBe('running');
  });
});

describe('against a service with other values for the open points of the spec', () => {
  const dialect = createDialect({
    limits: { pacemakerMinSeconds: 30, pageMax: 800 },
    signing: { idempotencyConflict: 'replay' },
    executions: {
      transitions: {
        running: ['pause', 'stop', 'complete-at-market', 'mark-complete'],
        paused: ['resume', 'stop', 'mark-complete', 'complete-at-market'],
      },
    },
  });
  const differing = ({ clauses }: ConformanceResult): string[] =>
    clauses.flatMap(({ checks }) =>
      checks.filter(({ result }) => result !== 'holds').map(({ title }) => title),
    );

  it('DIAL-1: it satisfies every clause in its own dialect', async () => {
    const server = await startService({ budget_clock: 'replay' }, dialect);
    const result = await run(server, { dialect });
    expect(differing(result)).toEqual([]);
    expect(result.silent.filter((point) => point.result === 'differs')).toEqual([]);
    await server.close();
  }, 240_000);

  it('DIAL-2: in the default dialect, the differing points are reported', async () => {
    const server = await startService({ budget_clock: 'replay' }, dialect);
    expect(differing(await run(server))).toEqual(
      expect.arrayContaining([
        'the table of transitions',
        'a repeated key replays the first answer',
        'queries are checked too',
      ]),
    );
    await server.close();
  }, 240_000);
});

describe('read-only', () => {
  test('nothing is written: only GETs, upgrades and evaluations', async () => {
    const server = await startService();
    const sent: string[] = [];
    /** Refusals of the key that the run was given: a service may count them against it. */
    const refusals: string[] = [];
    const { handleHttp } = server.core;
    server.core.handleHttp = (raw) => {
      sent.push(`${raw.method} ${raw.target.split('?')[0]}`);
      const answer = handleHttp(raw);
      const isOurs = raw.headers['x-service-api-key-id'] === server.keyId;
      if (answer.status === 401 && isOurs) refusals.push(JSON.parse(answer.bodyText).error.code);
      return answer;
    };
    const before = JSON.stringify(server.replay.record());
    const { summary, target } = await run(server, { isReadOnly: true });
    const writes = sent.filter((line) => !line.startsWith('GET '));
    // PUT is sent once, to a path that doesn't take it.
    const harmless = ['POST /v1/indicators/evaluate', 'PUT /v1/status', 'POST /v1/status'];
    expect(writes.filter((line) => !harmless.includes(line))).toEqual([]);
    // As the command's help says: one wrong signature, and two timestamps out of the window.
    const late = 'timestamp_out_of_window';
    expect(refusals.toSorted()).toEqual(['invalid_signature', late, late]);
    expect(summary.differs).toBe(0);
    expect(summary.holds).toBeGreaterThan(0);
    expect(target).toMatchObject({ paper: false, read_only: true });
    expect(JSON.stringify(server.replay.record())).toBe(before);
    await server.close();
  });
});

test('every clause has a check, and every check a clause', () => {
  const checked = new Set(CHECKS.map(({ clause }) => clause));
  expect(CLAUSE_IDS.filter((id) => !checked.has(id))).toEqual([]);
});

const requirements = join(EXTRACTS, 'contract/requirements.md');
test('every clause that binds the paper service is listed', () => {
  const rows = readFileSync(requirements, 'utf8').matchAll(
    /^\| ([A-Z]+-\d+) \|.*\| ([CP ]+) \|$/gm,
  );
  const wanted = [...rows].filter(([, , who]) => who?.includes('P')).map(([, id]) => id);
  expect([...CLAUSE_IDS].sort()).toEqual(wanted.sort());
});

test('only the clauses that were asked for are checked', async () => {
  const server = await startService();
  const { clauses } = await run(server, { only: ['AUTH-1', 'CON-1'] });
  expect(clauses.map(({ id, result }) => [id, result])).toEqual([
    ['AUTH-1', 'holds'],
    ['CON-1', 'holds'],
  ]);
  await server.close();
});

test('an unreachable address is a clear error', async () => {
  const server = await startService();
  await server.close();
  await expect(run(server)).rejects.toThrow('No connection to the service');
});
