import {
  type Dialect,
  type EndpointId,
  type Layer,
  type LayerStatus,
  type WeightRecord,
} from '../../contract/index.ts';
import type { ShellHandler } from './Admission.ts';
import type { Budgets } from './createBudgets.ts';
import type { Connections } from './createConnections.ts';
import { paginate } from './paginate.ts';

/** Health, status, budgets, weights and connections. */
export function createUtilityHandlers(options: {
  dialect: Dialect;
  budgets: Budgets;
  connections: Connections;
  layers: Readonly<Record<Layer, LayerStatus>>;
}): Partial<Record<EndpointId, ShellHandler>> {
  const { dialect, budgets, connections, layers } = options;
  const { pageDefault } = dialect.limits;
  const weights = weightRecords(dialect);
  return {
    'utility.health': () => ({ body: { status: 'ok' } }),
    'utility.status': ({ wallTime }) => {
      const well = Object.values(layers).every((status) => status === 'ok');
      const status = well ? 'ok' : 'degraded';
      return { body: { status, server_time: wallTime, version: 'v1', layers: { ...layers } } };
    },
    'utility.rateLimits': ({ key }) => ({ body: key === null ? {} : budgets.report(key) }),
    'utility.weights': ({ query }) => ({ body: paginate(weights, query, pageDefault) }),
    'connections.list': ({ query }) => {
      const asked = query['status'];
      const rows = connections.list().filter(({ status }) => (asked ?? status) === status);
      return { body: paginate(rows, query, pageDefault) };
    },
  };
}

function weightRecords(dialect: Dialect): WeightRecord[] {
  return Object.values(dialect.endpoints).map(({ method, path, weight, scope, ...spec }) => ({
    method,
    path: `/v1${path}`,
    weight,
    scope,
    ...(spec.weightCached === undefined ? {} : { weight_cached: spec.weightCached }),
    ...(spec.weightWithRange === undefined ? {} : { weight_with_range: spec.weightWithRange }),
  }));
}
