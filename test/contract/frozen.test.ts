import { expect, expectTypeOf, test } from 'vitest';
import type {
  TpSlAtSpec,
  TpSlOffsetSpec,
  TpSlTrailSpec,
  UnwindParamsSpec,
} from '../../src/contract/index.ts';
import { readFrozen } from './frozenFiles.ts';
import { publishedSchemas } from './publishedSchemas.ts';

const DECISION = `A published schema differs from its frozen copy. v1 is stated not to break (VER-2), so
this is a decision, not a detail. If it is meant: write down in DECISIONS.md what changes for whoever
speaks v1 with us and why, then freeze anew with \`node test/contract/freeze.ts\`.
`;

/** Where two JSON values differ, each as `path: frozen → published`. */
function differences(frozen: unknown, published: unknown, path = ''): string[] {
  if (JSON.stringify(frozen) === JSON.stringify(published)) return [];
  if (!isBranch(frozen) || !isBranch(published)) {
    return [`${path}: ${JSON.stringify(frozen)} → ${JSON.stringify(published)}`];
  }
  const keys = new Set([...Object.keys(frozen), ...Object.keys(published)]);
  return [...keys].flatMap((key) =>
    differences(frozen[key], published[key], path === '' ? key : `${path}.${key}`),
  );
}

function isBranch(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

const published = publishedSchemas();

test.each(Object.entries(published))('VER-2: %s is published unchanged', (name, content) => {
  const found = differences(readFrozen(name), content);
  expect(found, `${DECISION}\n${found.join('\n')}\n`).toEqual([]);
});

test('VER-2: a change is located, as are additions and removals', () => {
  const frozen = { a: { type: 'number', maximum: 1 }, b: [1, 2] };
  expect(differences(frozen, frozen)).toEqual([]);
  expect(differences(frozen, { a: { type: 'number', maximum: 2 }, b: [1] })).toEqual([
    'a.maximum: 1 → 2',
    'b.1: 2 → undefined',
  ]);
});

test('VER-2: the core is whole: launch, executions, authentication, error envelope', () => {
  const core = published.core as { endpoints: Record<string, { path: string }> };
  const paths = Object.values(core.endpoints).map(({ path }) => path);
  expect(paths).toContain('/execute');
  expect(paths.filter((path) => path.startsWith('/executions')).length).toBeGreaterThanOrEqual(11);
  expect(published.core).toHaveProperty('authentication.examples');
  expect(published.schemas).toHaveProperty('ErrorEnvelope');
  expect(published.schemas).toHaveProperty('ExecutionRecord');
});

test('LEG-12: the spec’s schema names are published, and exported as types', () => {
  for (const name of ['TpSlOffsetSpec', 'TpSlAtSpec', 'TpSlTrailSpec', 'UnwindParamsSpec']) {
    expect(published.schemas).toHaveProperty(name);
  }
  const leg = (published.schemas as Record<string, object>)['PositionLeg'];
  expect(leg).toMatchObject({
    properties: { offset: { $ref: '#/TpSlOffsetSpec' }, trail: { $ref: '#/TpSlTrailSpec' } },
  });
  expectTypeOf<TpSlOffsetSpec>().toExtend<{ mult: number }>();
  expectTypeOf<TpSlAtSpec>().toExtend<{ indicator: string }>();
  expectTypeOf<{ pct: 1.5; interval: '5m' }>().toExtend<TpSlTrailSpec>();
  expectTypeOf<{ duration_seconds: 600 }>().toExtend<UnwindParamsSpec>();
});
