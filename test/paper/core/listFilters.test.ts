import { describe, expect, test } from 'vitest';
import { ENDPOINTS, endpointSpec, type EndpointId } from '../../../src/contract/index.ts';
import { knownStatuses, takesFilter } from '../../../src/paper/core/listFilters.ts';
import { codeOf, LAUNCH, openTestService, testFeed, type TestService } from './openTestService.ts';
import { openTestSession } from './openTestSession.ts';

const LISTS = (Object.keys(ENDPOINTS) as EndpointId[]).filter(
  (id) => endpointSpec(id).weightWithRange !== undefined,
);

const open = (): TestService =>
  openTestService({ limits: 'off' }, { feeds: [testFeed(), testFeed('ETH')] });

interface Row {
  name: string;
}

const namesOf = ({ ask }: TestService, target: string): string[] =>
  ask(target).body.items.map(({ name }: Row) => name);

/** Creates a minute later, so that times differ. */
function createLater({ core, ask }: TestService, path: string, bodies: object[]): number[] {
  return bodies.map((body) => {
    core.engine.advanceTo(core.engine.now + 60_000);
    const answer = ask(path, { body });
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return core.engine.now;
  });
}

const leg = (symbol: string) => ({ ...LAUNCH, symbol });

const monitor = {
  trigger: { type: 'price_level', symbol: 'BTC', price: 90_000, direction: 'above' },
  action: { type: 'execute', request: LAUNCH },
} as const;

describe('a filter that applies', () => {
  test('BSK-1: baskets and templates by the symbols of their legs', () => {
    const service = open();
    const bodies = [
      { name: 'both', legs: [leg('BTC'), leg('ETH')] },
      { name: 'btc', legs: [leg('BTC')] },
    ];
    for (const path of ['/v1/baskets', '/v1/baskets/templates']) {
      createLater(service, path, bodies);
      expect(namesOf(service, `${path}?symbol=BTC`)).toEqual(['btc', 'both']);
      expect(namesOf(service, `${path}?symbol=ETH`)).toEqual(['both']);
      expect(namesOf(service, `${path}?symbol=DOGE`)).toEqual([]);
    }
    expect(namesOf(service, '/v1/baskets?symbol=ETH&status=running')).toEqual(['both']);
  });

  test('WHK-1: webhooks by the symbol of their action', () => {
    const service = open();
    const hook = (symbol: string) => ({
      name: symbol,
      action: { type: 'close', request: { symbol } },
      cooldown_seconds: 0,
      daily_cap: 10,
      dry_run: false,
    });
    createLater(service, '/v1/webhooks', ['BTC', 'ETH'].map(hook));
    expect(namesOf(service, '/v1/webhooks?symbol=BTC')).toEqual(['BTC']);
    expect(namesOf(service, '/v1/webhooks?symbol=DOGE')).toEqual([]);
  });

  test('templates and groups of monitors by the time of their creation', () => {
    const service = open();
    const { ask } = service;
    const ids = [1, 2].map(() => ask('/v1/monitors', { body: monitor }).body.monitor_id);
    const groups = ids.map((id) => ({ mode: 'none', monitor_ids: [id] }));
    const templates = ['one', 'two'].map((name) => ({ name, legs: [leg('BTC')] }));
    for (const [path, bodies] of [
      ['/v1/monitors/groups', groups],
      ['/v1/baskets/templates', templates],
    ] as const) {
      const [first, second] = createLater(service, path, bodies);
      const count = (query: string): number => ask(`${path}?${query}`).body.items.length;
      expect(count(`start_time=${first}`)).toBe(2);
      expect(count(`start_time=${first! + 1}`)).toBe(1);
      expect(count(`start_time=${second! + 1}`)).toBe(0);
      expect(count(`end_time=${second}`)).toBe(1);
      expect(count(`end_time=${first}`)).toBe(0);
      const [row] = ask(path).body.items;
      expect(row).not.toHaveProperty('createdTime');
    }
    const { template_id: id } = ask('/v1/baskets/templates').body.items[0];
    const removed = ask(`/v1/baskets/templates/${id}`, { method: 'DELETE' });
    expect(removed.body).not.toHaveProperty('createdTime');
  });
});

describe('a filter that no record can pass', () => {
  const faultsOf = ({ ask }: TestService, target: string) => {
    const answer = ask(target);
    expect([answer.status, codeOf(answer)]).toEqual([422, 'validation_failed']);
    return answer.body.error.details.fields.map(({ path, code }: Record<string, string>) => [
      path,
      code,
    ]);
  };
  const flat = LISTS.filter((id) => !endpointSpec(id).path.includes('{'));

  test.each(flat.filter((id) => knownStatuses(id) !== undefined))(
    'RULE-2: a status that no record of %s has is 422, and each that one has is not',
    (id) => {
      const service = open();
      const target = `/v1${endpointSpec(id).path}?status=`;
      expect(faultsOf(service, `${target}opne`)).toEqual([['status', 'unknown_status']]);
      for (const status of knownStatuses(id)!)
        expect(service.ask(target + status).status).toBe(200);
    },
  );

  test.each([...flat.map((id) => endpointSpec(id).path), '/candles/BTC'])(
    'RULE-2: a range of %s that ends before it starts is 422, and an empty one is not',
    (path) => {
      const service = open();
      const target = `/v1${path}?${path === '/candles/BTC' ? 'interval=1m&' : ''}`;
      expect(faultsOf(service, `${target}start_time=5&end_time=4`)).toEqual([
        ['end_time', 'before_start'],
      ]);
      expect(service.ask(`${target}start_time=5&end_time=5`).status).toBe(200);
    },
  );

  test('every list that is filtered by status knows what its records have', () => {
    const filtered = LISTS.filter((id) => takesFilter(id, 'status'));
    expect(filtered.filter((id) => knownStatuses(id) === undefined)).toEqual([]);
  });
});

describe('a filter that does not apply', () => {
  test.each(LISTS)('is 422 that names it: %s', (id) => {
    const { ask } = open();
    const path = endpointSpec(id).path.replace('{symbol}', 'BTC');
    const refused = (['symbol', 'status'] as const).filter((name) => !takesFilter(id, name));
    for (const name of refused) {
      const answer = ask(`/v1${path}?${name}=BTC`);
      expect([answer.status, codeOf(answer)]).toEqual([422, 'validation_failed']);
      expect(answer.body.error.details.fields).toEqual([
        expect.objectContaining({ path: name, code: 'inapplicable_filter' }),
      ]);
    }
    // A range of time is accepted wherever there is a list (conventions §2).
    if (path.includes('{')) return;
    const rest = (['symbol', 'status'] as const).filter((name) => !refused.includes(name));
    const values = { symbol: 'BTC', status: knownStatuses(id)?.[0] };
    const query = ['start_time=0', ...rest.map((name) => `${name}=${values[name]}`)].join('&');
    expect(ask(`/v1${path}?${query}`).status).toBe(200);
  });

  test('every list says which apply, and no other endpoint does', () => {
    const says = (id: EndpointId) => !takesFilter(id, 'symbol') || !takesFilter(id, 'status');
    const all = (Object.keys(ENDPOINTS) as EndpointId[]).filter(says);
    expect(all.filter((id) => !LISTS.includes(id))).toEqual([]);
    const whole = LISTS.filter((id) => !says(id));
    expect(whole).toEqual([
      'orders.list',
      'orders.history',
      'positions.legs',
      'executions.list',
      'executions.orders',
      'monitors.list',
      'baskets.list',
    ]);
  });

  test('STR-6: of a command, too', () => {
    const { send } = openTestSession(open());
    const ask = (args: object) =>
      send({ id: '1', op: 'command', command: 'get_positions', args }).error;
    expect(ask({ symbol: 'BTC' })).toBeUndefined();
    const message = 'status: Records of this list have no status.';
    expect(ask({ symbol: 'BTC', status: 'open' })).toMatchObject({ message });
  });
});

test('CON-1: connections by their status', () => {
  const { core, ask } = open();
  core.connections.add('second', 'unlinked');
  const labels = (query: string): string[] =>
    ask(`/v1/connections${query}`).body.items.map(({ label }: { label: string }) => label);
  expect(labels('')).toHaveLength(2);
  expect(labels('?status=unlinked')).toEqual(['second']);
  expect(labels('?status=degraded')).toEqual([]);
});
