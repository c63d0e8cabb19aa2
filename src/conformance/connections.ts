import { CONNECTION_STATUSES } from '../contract/index.ts';
import { check, type Check } from './Check.ts';
import type { Json } from './kit/Answer.ts';
import { accepted, equal, that } from './kit/claims.ts';

const listed = check(
  'CON-1',
  'read',
  'connections have id, venue, label, status',
  async (stage) => {
    const me = await stage.actor();
    const { items } = accepted(
      await me.call('connections.list', { query: { limit: stage.dialect.limits.pageMax } }),
    );
    that(items.length > 0, 'at least one connection', items);
    const ids = items.map((row: Json) => row.id);
    equal(new Set(ids).size, ids.length, 'number of different ids');
    for (const { status } of items) {
      that(CONNECTION_STATUSES.includes(status), 'a known status', status);
    }
    const again = accepted(
      await me.call('connections.list', { query: { limit: stage.dialect.limits.pageMax } }),
    );
    equal(
      again.items.map((row: Json) => row.id),
      ids,
      'ids in a second listing',
    );
  },
);

const added = check('CON-1', 'paper', 'a further wallet is a further connection', async (stage) => {
  const me = await stage.actor();
  const label = stage.unique();
  const made = await stage.paper.createConnection({ label, balance: 5, status: 'degraded' });
  const list = async (): Promise<Json[]> => {
    const rows: Json[] = [];
    let query: Record<string, string | number> = { limit: stage.dialect.limits.pageMax };
    for (;;) {
      const page = accepted(await me.call('connections.list', { query }), 'the connections');
      rows.push(...page.items);
      if (page.next_cursor === null) return rows;
      query = { limit: stage.dialect.limits.pageMax, cursor: page.next_cursor };
    }
  };
  const row = (await list()).find(({ id }) => id === made.id);
  equal([row?.label, row?.status], [label, 'degraded'], 'label and status of the new one');
});

export const connectionChecks: readonly Check[] = [listed, added];
