import {
  CHANNELS,
  createDialect,
  ENDPOINT_IDS,
  ENDPOINTS,
  ERROR_CODES,
  type DialectModule,
  type EndpointId,
  type EndpointSpec,
  type WireAnswer,
} from '../../../src/contract/index.ts';

/** Paths that the spec shows; every other one is another at this service. */
const SHOWN: readonly EndpointId[] = [
  'connections.list',
  'market.candles',
  'market.evaluate',
  'orders.place',
  'executions.launch',
  'positions.attachLegs',
];

const paramsOf = (path: string): string =>
  [...path.matchAll(/\{\w+\}/g)].map(([name]) => `/${name}`).join('');

/** `orders.get` is `/v1/do/orders-get/{id}`, and only reads keep their method. */
const endpoints = Object.fromEntries(
  ENDPOINT_IDS.filter((id) => !SHOWN.includes(id)).map((id) => {
    const { method, path }: EndpointSpec = ENDPOINTS[id];
    return [
      id,
      {
        path: `/do/${id.replace('.', '-')}${paramsOf(path)}`,
        method: method === 'GET' ? ('GET' as const) : ('POST' as const),
      },
    ];
  }),
);

export const FIELDS: Readonly<Record<string, string>> = {
  items: 'rows',
  order_id: 'oid',
  execution_id: 'run_id',
  monitor_id: 'alarm_id',
  basket_id: 'set_id',
  leg_id: 'lid',
  fill_id: 'trade_id',
  client_execution_id: 'own_run_id',
  idempotency_key: 'idem',
  filled_size: 'done_size',
  remaining_size: 'left_size',
  average_price: 'avg',
  created_time: 'born',
  updated_time: 'touched',
  entry_price: 'cost',
  mark_price: 'mark_px',
  equity: 'worth',
  wallet: 'acct',
  status: 'state',
  phase: 'stage',
  progress: 'share',
  results: 'outcomes',
  indicators: 'wanted',
  'values.id': 'tag',
  'stop_loss.price': 'trigger',
  'take_profit.price': 'trigger',
  server_time: 'clock',
  connectivity: 'links',
  positions: 'pos',
  open_orders: 'working',
};

export const WORDS = {
  status: { open: 'live', running: 'active', cancelled: 'pulled', ok: 'fine', filled: 'done' },
  algo: { flowscale: 'flow_scale', flowband: 'flow_band', ghostsweep: 'ghost', smartexit: 'exit' },
  order_type: { market: 'mkt' },
  time_in_force: { gtc: 'rest', ioc: 'now', post_only: 'maker' },
  interval: { '1m': '60', '5m': '300' },
  direction: { above: 'up', below: 'down' },
  action: { stop: 'halt' },
} as const;

const upper = (name: string): [string, string] => [name, `E-${name.toUpperCase()}`];
export const CODES = Object.fromEntries(Object.keys(ERROR_CODES).map(upper));
/** What the spec names stays. */
export const CHANNEL_NAMES_THERE: Readonly<Record<string, string>> = {
  executions: 'runs',
  monitors: 'alarms',
  candles: 'bars',
  price: 'quotes',
};
const SHOWN_EVENTS = ['entry_moved', 'entry_tracking_stopped', 'entry_hold'];
export const EVENTS = Object.fromEntries(
  Object.values(CHANNELS)
    .flatMap(({ events }) => Object.keys(events))
    .filter((event) => !SHOWN_EVENTS.includes(event))
    .map((event) => [event, `on-${event}`]),
);
export const COMMANDS_THERE: Readonly<Record<string, string>> = {
  get_positions: 'pos?',
  get_balances: 'bal?',
  get_orders: 'ord?',
  get_fills: 'trades?',
  place_order: 'ord+',
  cancel_order: 'ord-',
  modify_order: 'ord~',
  bulk_cancel: 'ord--',
  execute: 'run+',
  batch_executions: 'runs~',
  stop_all_monitors: 'alarms-',
  pause_all_monitors: 'alarms=',
  resume_all_monitors: 'alarms+',
  set_leverage: 'lev',
};
export const QUERY: Readonly<Record<string, string>> = {
  cursor: 'from_row',
  limit: 'most',
  channels: 'feeds',
  start_time: 'since',
  end_time: 'until',
  include_forming: 'include_forming',
};

// oxlint-disable-next-line typescript/no-explicit-any -- a translator looks into whatever comes
type Loose = Record<string, any>;

/** Everything that the spec does not show, otherwise: names by values, shapes by functions. */
export const foreignModule: DialectModule = {
  values: {
    headers: {
      wallet: 'X-Account',
      walletResolved: 'X-Account-Used',
      requestId: 'X-Trace',
      idempotencyReplayed: 'X-Repeated',
      weight: 'X-Cost',
      weightRemaining: 'X-Left',
      retryAfter: 'X-Wait',
    },
    names: {
      fields: FIELDS,
      query: QUERY,
      words: WORDS,
      codes: CODES,
      channels: CHANNEL_NAMES_THERE,
      events: EVENTS,
      commands: COMMANDS_THERE,
      clientIdPrefix: 'own-',
    },
    signing: { timestampToleranceSeconds: 20, signQueryString: false },
    endpoints,
  },
  shapes: {
    // Bodies go in an envelope.
    encodeRequest: (request) =>
      request.body === undefined ? request : { ...request, body: { input: request.body } },
    normaliseAnswer,
    encodeClientMessage(message) {
      const { op, id, ...rest } = message;
      return JSON.stringify([op, id, rest]);
    },
    normaliseServerFrame,
    encodeSseChannels: (wishes) =>
      wishes.map(({ channel, params }) => `${channel}?${JSON.stringify(params)}`).join('|'),
  },
};

/** `{good: true, out, next?}` or `{good: false, why: [code, text, info], trace}`. */
function normaliseAnswer({ status, body }: WireAnswer): { status: number; body: unknown } {
  const { good, out, next, why, trace } = body as Loose;
  if (good === true) {
    return { status, body: next === undefined ? out : { ...out, next_cursor: next.row } };
  }
  if (!Array.isArray(why)) return { status, body };
  const [code, message, details] = why as [string, string, unknown];
  return { status, body: { error: { code, message, details }, request_id: trace } };
}

/** Frames are lists; what answers a message names it in `re`. */
function normaliseServerFrame(json: unknown): unknown {
  if (Array.isArray(json)) {
    const [channel, event, acct, seq, ts, params, data] = json as unknown[];
    return { channel, event, acct, seq, ts, params, data };
  }
  const { re, as, why, trace, out, cost, ...rest } = json as Loose;
  const error =
    why === undefined ? {} : { error: { code: why[0], message: why[1], details: why[2] } };
  return { ...rest, ...error, id: re, type: as, data: out, weight: cost, request_id: trace };
}

export const foreignDialect = createDialect({}, foreignModule);
