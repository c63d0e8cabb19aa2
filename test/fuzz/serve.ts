import { createLiveEnv, silentLog, type Log } from '../../src/env/index.ts';
import {
  loadMarketData,
  paperSettings,
  startPaperServer,
  type PaperCore,
} from '../../src/paper/index.ts';
import { watchCore, type Violation } from './watchCore.ts';

/**
 * The service under fire, in a separate process: so that a crash is seen as one, and its memory is
 * the service's alone. Its parent moves its time and asks what it saw.
 */
export type Order =
  | { order: 'advance'; bars: number }
  /** Wall time jumps ahead: idempotency keys expire. */
  | { order: 'leap'; ms: number }
  | { order: 'tidy' }
  | { order: 'report' };

export interface Ready {
  ready: true;
  port: number;
  keyId: string;
  secret: string;
  instruments: PaperCore['engine']['market']['instruments'];
  wallets: string[];
}

export interface Report {
  report: true;
  violations: Violation[];
  /** Bytes on the heap; after a collection where a report was asked for. */
  heapBytes: number;
  now: number;
  marks: Record<string, number>;
}

const GENERATED = { bars: 60_000, seed: 'fuzz' };
const WALLETS = ['main', 'small', 'unlinked'];

const settings = paperSettings.parse({
  feeds: [
    { symbol: 'BTC', interval: '1m', generate: GENERATED },
    { symbol: 'ETH', interval: '1m', generate: { ...GENERATED, start_price: 3_000, volume: 700 } },
    {
      symbol: 'PURR/USDC',
      interval: '1m',
      generate: { ...GENERATED, start_price: 0.21, volume: 9e6 },
    },
    {
      symbol: 'xyz:TSLA',
      interval: '5m',
      generate: { ...GENERATED, start_price: 240, volume: 9e3 },
    },
  ],
  balance: 10_000_000,
  connections: [
    { label: 'small', balance: 300 },
    { label: 'unlinked', balance: 0, status: 'unlinked' },
  ],
  limits: 'off',
  paused: true,
  port: 0,
  // Small, so that a leak isn't hidden among records that are kept on purpose.
  retention: 200,
});

const faults: string[] = [];
const log: Log = {
  ...silentLog,
  error: (message, fields) => void faults.push(`${message} ${String(fields?.['stack'] ?? '')}`),
  with: () => log,
};

const data = await loadMarketData(settings);
if (!data.ok) throw new Error('The generated feeds could not be made.');
const env = createLiveEnv({ log });
let leapMs = 0;
const clock = { ...env.clock, wallNow: () => env.clock.wallNow() + leapMs };
const server = await startPaperServer({ settings, data: data.value }, { ...env, clock });
const { core, replay } = server;
const { engine } = core;
const watch = watchCore(core, WALLETS);

/** Ends what is open, so that the state that is compared around every request stays small. */
function tidy(): void {
  for (const wallet of WALLETS) {
    const call = (
      endpoint: Parameters<typeof run>[0],
      id = '',
      body: unknown = undefined,
    ): unknown => run(endpoint, wallet, id, body);
    const idsOf = (endpoint: Parameters<typeof run>[0], name: string): string[] => {
      const { items = [] } = (call(endpoint) ?? {}) as { items?: Array<Record<string, string>> };
      return items.map((item) => item[name] ?? '');
    };
    call('orders.bulkCancel');
    for (const id of idsOf('executions.list', 'execution_id')) call('executions.stop', id);
    for (const id of idsOf('monitors.list', 'monitor_id')) call('monitors.remove', id);
    for (const id of idsOf('webhooks.list', 'webhook_id')) call('webhooks.remove', id);
    for (const id of idsOf('baskets.templates', 'template_id')) call('baskets.removeTemplate', id);
    for (const symbol of idsOf('positions.list', 'symbol')) {
      run('positions.retireLegs', wallet, symbol, undefined);
      run('positions.close', wallet, symbol, {});
    }
  }
}

/** Calls a handler without the gate; refusals don't matter here. */
function run(
  endpoint: keyof typeof engine.handlers,
  wallet: string,
  id: string,
  body: unknown,
): unknown {
  try {
    return engine.handlers[endpoint]?.({
      endpoint,
      pathParams: { id, symbol: id },
      query: { limit: 500 },
      body,
      wallet,
      idempotencyKey: null,
      requireScope: () => {},
    }).body;
  } catch {
    return undefined;
  }
}

function report(collect: boolean): Report {
  if (collect) (globalThis as { gc?: () => void }).gc?.();
  const marks = engine.market.instruments.map(({ symbol }) => {
    return [symbol, engine.market.quote(symbol).mark] as const;
  });
  const inside = faults
    .splice(0)
    .map((detail): Violation => ({ kind: 'internal', index: '', request: '', detail }));
  return {
    report: true,
    violations: [...watch.violations.splice(0), ...inside],
    heapBytes: process.memoryUsage().heapUsed,
    now: engine.now,
    marks: Object.fromEntries(marks),
  };
}

async function obey(order: Order): Promise<void> {
  watch.forget();
  if (order.order === 'advance') await replay.advance(engine.now + order.bars * 60_000);
  else if (order.order === 'leap') leapMs += order.ms;
  else if (order.order === 'tidy') tidy();
  process.send?.(report(order.order === 'report'));
}

process.on('message', (order: Order) => {
  obey(order).catch((error: unknown) => {
    faults.push(`${order.order}: ${error instanceof Error ? error.stack : String(error)}`);
    process.send?.(report(false));
  });
});
process.on('disconnect', () => process.exit(0));
const ready: Ready = {
  ready: true,
  port: Number(new URL(server.baseUrl).port),
  keyId: server.keyId,
  secret: server.secret,
  instruments: engine.market.instruments,
  wallets: WALLETS,
};
process.send?.(ready);
