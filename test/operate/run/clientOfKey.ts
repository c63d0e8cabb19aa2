import { expect } from 'vitest';
import { defaultDialect } from '../../../src/contract/index.ts';
import { toServiceError } from '../../../src/wire/errors/index.ts';
import type { Client } from '../../../src/wire/index.ts';

export const GRANTED = { budget: 1_200, remaining: 900 };

const errorOf = (code: string, status: number): Error =>
  toServiceError({
    status,
    headers: {},
    body: { error: { code, message: code, details: {} }, request_id: 'r' },
  });

/** What a service shows of a key: its wallets, two a page, and which of a bot's scopes it lacks. */
export function clientOfKey({
  known,
  lacks,
}: {
  known: readonly string[];
  lacks: readonly string[];
}): Client {
  const probe = (scope: string) => async () => {
    throw lacks.includes(scope) ? errorOf('insufficient_scope', 403) : errorOf('not_found', 404);
  };
  return {
    connections: {
      async list({ query }: { query: { limit: number; cursor?: string } }) {
        expect(query.limit).toBe(defaultDialect.limits.pageMax);
        const from = Number(query.cursor ?? 0);
        const next = from + 2 < known.length ? String(from + 2) : null;
        return { items: known.slice(from, from + 2).map((id) => ({ id })), next_cursor: next };
      },
    },
    orders: { cancel: probe('trade') },
    executions: { stop: probe('algo') },
    utility: { rateLimits: async () => GRANTED },
  } as unknown as Client;
}
