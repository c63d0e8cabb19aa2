import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { runMain } from '../cli/runMain.ts';
import type { ConformanceResult } from '../../src/conformance/index.ts';
import type { PaperServer } from '../../src/paper/index.ts';
import { startService } from './startService.ts';

let server: PaperServer;
let directory: string;
let secretFile: string;
beforeAll(async () => {
  server = await startService();
  directory = await mkdtemp(join(tmpdir(), 'trimtab-conformance-'));
  secretFile = join(directory, 'secret');
  await writeFile(secretFile, `${server.secret}\n`);
  await chmod(secretFile, 0o600);
});
afterAll(async () => {
  await server.close();
  await rm(directory, { recursive: true, force: true });
});
afterEach(() => {
  process.exitCode = undefined;
});

function conformance(...flags: string[]) {
  const { baseUrl, wsUrl, keyId } = server;
  const address = ['--base-url', baseUrl, '--ws-url', wsUrl, '--key-id', keyId];
  return runMain('conformance', ...address, ...flags);
}

test('the last line of a run that decided little says so, and how to decide more', async () => {
  const flags = ['--secret-file', secretFile, '--only', 'CON-1,EXE-1,EXE-5', '--read-only'];
  const { code, out } = await conformance(...flags);
  expect(code).toBe(0);
  expect(out.trimEnd().split('\n').at(-1)).toMatch(
    /^Not decided: 3 of 3 clauses\. The run was read-only: one with --write decides more/,
  );
});

test('a conforming service exits with 0, clause by clause, without showing the secret', async () => {
  const json = join(directory, 'result.json');
  const flags = ['--secret-file', secretFile, '--only', 'auth-1,CON-1', '--json', json];
  const { code, out, err } = await conformance(...flags);
  expect(code).toBe(0);
  expect(out).toMatch(/^AUTH-1 +holds/m);
  expect(out).toContain('2 clauses: 2 hold, 0 differ, 0 inconclusive.');
  expect(out).not.toContain('Not decided');
  const text = await readFile(json, 'utf8');
  const { clauses } = JSON.parse(text) as ConformanceResult;
  expect(clauses.map(({ id }) => id)).toEqual(['AUTH-1', 'CON-1']);
  for (const said of [out, err, text]) expect(said).not.toContain(server.secret);
});

test('a difference exits with 1, with the expected and received value and the request', async () => {
  const { handleHttp } = server.core;
  server.core.handleHttp = (raw) => {
    const answer = handleHttp(raw);
    return raw.target.startsWith('/v1/connections') ? { ...answer, bodyText: '{}' } : answer;
  };
  const flags = ['--secret-file', secretFile, '--only', 'CON-1', '--json', '-'];
  const { code, out } = await conformance(...flags);
  server.core.handleHttp = handleHttp;
  expect(code).toBe(1);
  const { clauses, summary } = JSON.parse(out) as ConformanceResult;
  expect(summary.differs).toBe(1);
  expect(clauses[0]?.checks[0]).toMatchObject({
    result: 'differs',
    got: '{}',
    request: 'GET /v1/connections?limit=500',
  });
});

test('a read-only run reports inconclusive checks with the reason', async () => {
  const flags = ['--secret-file', secretFile, '--only', 'ORD-1', '--read-only'];
  const { code, out } = await conformance(...flags);
  expect(code).toBe(0);
  expect(out).toMatch(/^ORD-1 +inconclusive/m);
  expect(out).toContain('It writes, and the run is read-only.');
});

test.each([
  [['--secret-env', 'TRIMTAB_NO_SUCH_VARIABLE'], 1, 'TRIMTAB_NO_SUCH_VARIABLE is not set'],
  [[], 2, '--secret-env NAME or --secret-file PATH'],
  [['--secret-env', 'X', '--only', 'AUTH-X'], 2, 'No such clause: AUTH-X'],
])('wrong usage %j is reported', async (flags, code, words) => {
  const said = await conformance(...flags);
  expect(said.code).toBe(code);
  expect(said.err).toContain(words);
});

test('a plain address of another machine is refused before anything is sent', async () => {
  const flags = ['--secret-file', secretFile, '--base-url', 'http://example.com', '--write'];
  const { code, err } = await conformance(...flags);
  expect(code).toBe(1);
  expect(err).toContain('use https, not http');
});

test('a read-only run sends nothing that could change anything', async () => {
  const { handleHttp } = server.core;
  const sent = new Set<string>();
  server.core.handleHttp = (raw) => {
    const [path = ''] = raw.target.split('?');
    if (raw.method !== 'GET') sent.add(`${raw.method} ${path}`);
    return handleHttp(raw);
  };
  const flags = ['--secret-file', secretFile, '--read-only', '--json', '-'];
  const { out } = await conformance(...flags);
  server.core.handleHttp = handleHttp;
  const { clauses } = JSON.parse(out) as ConformanceResult;
  expect(clauses.some(({ result }) => result === 'holds')).toBe(true);
  // An evaluation of indicators is a read that has a body.
  expect([...sent]).toEqual(['POST /v1/indicators/evaluate']);
});
