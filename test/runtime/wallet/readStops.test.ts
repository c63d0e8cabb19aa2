/** The legs on a wallet's positions, read from a service in a test's hands. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Budget } from '../../../src/budget/index.ts';
import { defaultDialect, type Exchange } from '../../../src/contract/index.ts';
import { createVirtualEnv } from '../../../src/env/index.ts';
import { readStops } from '../../../src/runtime/wallet/readWork.ts';
import { holdLaw, Tried } from '../../holdLaw.ts';
import { position } from '../../streams/records.ts';

const answered = (status: number, body: unknown): Exchange => ({
  kind: 'answered',
  response: { status, headers: {}, body },
});
const refused = (status: number, code: string): Exchange =>
  answered(status, { error: { code, message: 'For a test.', details: {} }, request_id: 'r' });

const leg = (id: string) => ({
  leg_id: id,
  kind: 'stop_loss',
  form: 'price',
  status: 'armed',
  resolution: null,
});

/** A count of legs, or what there is instead of a list. */
const ANSWERS = { closed: refused(404, 'no_position'), failed: refused(403, 'insufficient_scope') };

test('a position that closed meanwhile has no legs, and hides none of the others; any other refusal makes all unknown', async () => {
  const tried = new Tried();
  const each = fc.oneof(fc.nat(3), fc.constant('closed' as const), fc.constant('failed' as const));
  const drawn = fc.array(each, { maxLength: 4 });
  await holdLaw(100, drawn, async (answers) => {
    const read = await readStops({
      env: createVirtualEnv(),
      budget: { admit: () => ({ admitted: true }), spend: () => {} } as unknown as Budget,
      dialect: defaultDialect,
      accepted: {} as never,
      request: async ({ pathParams }) => {
        const answer = answers[Number(pathParams['symbol']!.slice(1))]!;
        if (typeof answer === 'string') return ANSWERS[answer];
        const items = Array.from({ length: answer }, (_none, at) =>
          leg(`${pathParams['symbol']}/${at}`),
        );
        return answered(200, { items, next_cursor: null });
      },
      known: {
        wallet: 'main',
        orders: [],
        executions: [],
        positions: answers.map((_answer, at) => position(1, `S${at}`)),
        monitors: [],
        isOwn: () => true,
      },
      isConnected: true,
      until: 10_000,
    });
    const hasFailed = answers.includes('failed');
    tried.take(hasFailed ? 'failed' : answers.includes('closed') ? 'closed' : 'read');
    expect(read.ok).toBe(!hasFailed);
    if (!read.ok) return;
    const expected = answers.flatMap((answer, at) =>
      typeof answer === 'string'
        ? []
        : Array.from({ length: answer }, (_none, no) => [`S${at}`, `S${at}/${no}`]),
    );
    expect(read.rows.map((row) => [row.symbol, row.leg_id])).toEqual(expected);
  });
  expect(tried.rare(['failed', 'closed', 'read'], 1)).toEqual([]);
});
