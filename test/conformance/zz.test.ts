import { test } from 'vitest';
import { runConformance, type ClauseId } from '../../src/conformance/index.ts';
import { defaultDialect } from '../../src/contract/index.ts';
import { createLiveEnv } from '../../src/env/index.ts';
import { nameOf } from './nameOf.ts';
import { startService } from './startService.ts';

const walk = (value: any, path: string, visit: (path: string, v: number, set: (v: number) => void) => void): void => {
  if (typeof value !== 'object' || value === null) return;
  for (const key of Object.keys(value)) {
    const at = `${path}.${Array.isArray(value) ? '#' : key}`;
    if (typeof value[key] === 'number') visit(at, value[key], (v) => (value[key] = v));
    else walk(value[key], at, visit);
  }
};
async function run(clause: ClauseId, change: (asked: string, body: any) => void) {
  const server = await startService({ budget_clock: 'replay' });
  const { handleHttp } = server.core;
  server.core.handleHttp = (raw) => {
    const answer = handleHttp(raw);
    if (answer.status >= 300 || answer.bodyText === '') return answer;
    const body = JSON.parse(answer.bodyText);
    change(nameOf(raw.method, raw.target), body);
    return { ...answer, bodyText: JSON.stringify(body) };
  };
  const results: string[] = [];
  try {
    await runConformance({ ...server, dialect: defaultDialect, env: createLiveEnv(), only: [clause], onCheck: (_c, { result }) => void results.push(result) });
  } finally { await server.close(); }
  return results;
}
test('x', async () => {
  for (const clause of (process.env['CLAUSES'] ?? 'POS-1').split(',') as ClauseId[]) {
    const fields = new Map<string, number>();
    const t = performance.now();
    await run(clause, (asked, body) => walk(body, '', (p, v) => { if (v !== 0) fields.set(`${asked} ${p}`, v); }));
    console.log(clause, fields.size, 'fields', Math.round(performance.now() - t), 'ms');
    for (const field of fields.keys()) {
      const results = await run(clause, (asked, body) => walk(body, '', (p, v, set) => { if (`${asked} ${p}` === field) set(v * 1.01); }));
      if (results.includes('differs')) console.log(`NOTICED ${clause} ${field}`); else console.log(`UNNOTICED ${clause} ${field} ${[...new Set(results)].join()}`);
    }
  }
}, 600_000);
