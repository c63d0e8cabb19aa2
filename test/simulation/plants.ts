import {
  ALGOS,
  type Exchange,
  type FillRecord,
  type OrderRecord,
  type PositionRecord,
  type StreamFrame,
  type WatchRow,
} from '../../src/contract/index.ts';
import type { Env, Link, LinkListener } from '../../src/env/index.ts';
import {
  JournalFault,
  type JournalAppend,
  type JournalEntry,
  type JournalStore,
} from '../../src/journal/index.ts';
import type { ConnectPg } from '../../src/journal/postgres/connectPg.ts';
import type { PgResult, Statement } from '../../src/journal/postgres/PgClient.ts';
import type { BotPlan } from '../../src/runtime/BotPlan.ts';
import { LIST_LAG_MS } from '../../src/runtime/wallet/index.ts';
import type { Transport, TransportRequest } from '../../src/wire/createTransport.ts';
import { UnreadableAnswerError } from '../../src/wire/readAnswer.ts';
import { SECRET } from './createSimService.ts';
import type { Plant } from './Plant.ts';

/** Bugs that a bot could have, each planted by wrapping one port. */

// ── The journal ──────────────────────────────────────────────────────────────────────────────────

const appends =
  (change: (append: JournalAppend) => JournalAppend) =>
  (store: JournalStore): JournalStore => ({
    ...store,
    append(append) {
      const changed = change(append);
      if (changed.intent !== undefined || changed.entries.length > 0) return store.append(changed);
    },
  });

const entries = (change: (entry: JournalEntry) => JournalEntry | null) =>
  appends(({ entries: all, ...rest }) => ({
    ...rest,
    entries: all.map(change).filter((entry) => entry !== null),
  }));

const isSending = ({ state }: JournalEntry): boolean => state === 'sending';

function onlyFirstSending() {
  const seen = new Set<string>();
  return entries((entry) => {
    if (!isSending(entry)) return entry;
    if (seen.has(entry.key)) return null;
    seen.add(entry.key);
    return entry;
  });
}

/** A journaled decision is written under the same key again. */
const forgetful = (store: JournalStore): JournalStore => ({
  ...store,
  holds: () => false,
  intent: () => undefined,
  stateOf: () => undefined,
});

// ── The database of two hosts ────────────────────────────────────────────────────────────────────

type Ask = (statement: Statement) => Promise<PgResult>;

/** Changes what becomes of the journal's statements, over all processes of a seed. */
const statements = (wrap: (ask: Ask, statement: Statement) => Promise<PgResult>) => ({
  database:
    (connect: ConnectPg): ConnectPg =>
    async (options) => {
      const client = await connect(options);
      const ask: Ask = (statement) => client.query(statement);
      return { ...client, query: (statement) => wrap(ask, statement) };
    },
});

/** Changes the rows that a statement with this text gets. */
const found = (text: string, change: (rows: PgResult['rows']) => PgResult['rows']) =>
  statements(async (ask, statement) => {
    const result = await ask(statement);
    return statement.text.includes(text) ? { ...result, rows: change(result.rows) } : result;
  });

/** What a start has read once counts for every later one. */
function readLatchesOnce() {
  let first: PgResult['rows'] | undefined;
  return found('DISTINCT ON (name)', (latches) => (first ??= latches));
}

/** What a store refuses since another process has the account counts as written. */
const forgiving = (store: JournalStore): JournalStore => ({
  ...store,
  async append(append) {
    try {
      await store.append(append);
    } catch (error) {
      if (!(error instanceof JournalFault)) throw error;
    }
  },
});

// ── The transport ────────────────────────────────────────────────────────────────────────────────

type Send = (message: TransportRequest) => Promise<Exchange>;

const transport = (wrap: (send: Send, message: TransportRequest) => Promise<Exchange>) => () => ({
  transport: (inner: { send: Send; close(): Promise<void> }) => ({
    send: (message: TransportRequest) => wrap((one) => inner.send(one), message),
    close: () => inner.close(),
  }),
});

const answers = (change: (exchange: Exchange, message: TransportRequest) => Exchange) =>
  transport(async (send, message) => change(await send(message), message));

const isWrite = ({ method }: TransportRequest): boolean => method !== 'GET';

const answered = (status: number, body: object): Exchange => ({
  kind: 'answered',
  response: { status, headers: {}, body: { request_id: 'req_planted', ...body } },
});
const REFUSED = answered(422, { error: { code: 'validation_failed', message: 'planted' } });
const NOT_SENT: Exchange = { kind: 'not_sent', reason: 'planted' };

const isBroken = (exchange: Exchange): boolean =>
  exchange.kind === 'answered' && exchange.response.status >= 500;
const is429 = (exchange: Exchange): boolean =>
  exchange.kind === 'answered' && exchange.response.status === 429;

const withKey = (message: TransportRequest, key: string): TransportRequest => {
  const old = message.headers['Idempotency-Key'] ?? '';
  const headers = { ...message.headers, 'Idempotency-Key': key };
  return { ...message, headers, body: message.body.replace(old, key) };
};

/** Changes every attempt after a key's first. */
function retries(change: (message: TransportRequest, attempt: number) => TransportRequest) {
  const attempts = new Map<string, number>();
  return transport((send, message) => {
    const key = message.headers['Idempotency-Key'];
    if (key === undefined) return send(message);
    const attempt = (attempts.get(key) ?? 0) + 1;
    attempts.set(key, attempt);
    return send(attempt === 1 ? message : change(message, attempt));
  });
}

function swappedAnswers() {
  let waiting: ((exchange: Exchange) => Exchange) | null = null;
  return transport(async (send, message) => {
    const exchange = await send(message);
    if (!isWrite(message) || exchange.kind !== 'answered' || exchange.response.status >= 300) {
      return exchange;
    }
    const swap = waiting;
    if (swap !== null) {
      waiting = null;
      return swap(exchange);
    }
    const { promise, resolve } = Promise.withResolvers<Exchange>();
    waiting = (other) => {
      resolve(other);
      return exchange;
    };
    return promise;
  });
}

// ── The stream ───────────────────────────────────────────────────────────────────────────────────

const link =
  (wrap: (listener: LinkListener) => LinkListener) =>
  (inner: Link): Link => ({
    market: inner.market,
    present: () => inner.present?.() ?? inner.market.now(),
    open: (listener) => inner.open(wrap(listener)),
    subscribe: (subscription) => inner.subscribe(subscription),
    unsubscribe: (subscription) => inner.unsubscribe(subscription),
    request: (request) => inner.request(request),
    close: () => inner.close(),
  });

const frames = (change: (frame: StreamFrame) => StreamFrame | null) =>
  link((listener) => ({
    ...listener,
    onFrame(frame) {
      const changed = change(frame);
      if (changed !== null) listener.onFrame(changed);
    },
  }));

/** Drops frames and renumbers those after them, so that no gap shows. */
function dropSilently(drops: (frame: StreamFrame) => boolean) {
  const dropped = new Map<string, number>();
  return frames((frame) => {
    const name = JSON.stringify([frame.channel, frame.params]);
    if (frame.seq === 1) dropped.delete(name);
    const before = dropped.get(name) ?? 0;
    if (frame.seq > 1 && drops(frame)) {
      dropped.set(name, before + 1);
      return null;
    }
    return { ...frame, seq: frame.seq - before };
  });
}

function everyNth(n: number, isMeant: (frame: StreamFrame) => boolean) {
  let count = 0;
  return (frame: StreamFrame): boolean => isMeant(frame) && ++count % n === 0;
}

const isEvent =
  (channel: string, event: string) =>
  (frame: StreamFrame): boolean =>
    frame.channel === channel && frame.event === event;

const withData = (frame: StreamFrame, change: object): StreamFrame => ({
  ...frame,
  data: { ...(frame.data as object), ...change },
});

function staleSnapshots() {
  let first: unknown = null;
  return frames((frame) => {
    if (!isEvent('account.state', 'snapshot')(frame)) return frame;
    first ??= frame.data;
    const account = { ...(first as { account: object }).account };
    return withData(frame, { ...(first as object), account });
  });
}

/** Changes the rows of protection, in snapshots and in events. */
const rows = (change: (row: WatchRow) => object) =>
  frames((frame) => {
    if (frame.channel !== 'tpsl.watch') return frame;
    if (frame.event !== 'snapshot') return withData(frame, change(frame.data as WatchRow));
    const { rows: all } = frame.data as { rows: WatchRow[] };
    return withData(frame, { rows: all.map((row) => ({ ...row, ...change(row) })) });
  });

const END_OF_LEG: ReadonlySet<string> = new Set(['leg_triggered', 'leg_retired', 'leg_rejected']);

/** What a position was entered at is not read from the snapshot with which a process begins. */
function takeOverAtMark() {
  let isFirst = true;
  return frames((frame) => {
    if (!isFirst || !isEvent('account.state', 'snapshot')(frame)) return frame;
    isFirst = false;
    const { positions } = frame.data as { positions: PositionRecord[] };
    return withData(frame, {
      positions: positions.map((one) => ({ ...one, entry_price: one.mark_price })),
    });
  });
}

/** Changes what a fill says of itself. */
const fills = (change: (fill: FillRecord) => object) =>
  frames((frame) =>
    isEvent('account.state', 'fill')(frame)
      ? withData(frame, change(frame.data as FillRecord))
      : frame,
  );

/** Drops frames and hides from snapshots what a plant holds to be over. */
function hideOrders(isHidden: (orderId: string) => boolean) {
  const idOf = (frame: StreamFrame): string => (frame.data as { order_id: string }).order_id;
  const drop = dropSilently(
    (frame) => isEvent('account.state', 'order')(frame) && isHidden(idOf(frame)),
  );
  const blind = frames((frame) => {
    if (!isEvent('account.state', 'snapshot')(frame)) return frame;
    const { open_orders } = frame.data as { open_orders: Array<{ order_id: string }> };
    return withData(frame, { open_orders: open_orders.filter((one) => !isHidden(one.order_id)) });
  });
  return (inner: Link): Link => drop(blind(inner));
}

/** Fills that a plant ignores, in frames and in what is read. */
function ignoreFills(isIgnored: (fill: FillRecord) => boolean) {
  const read = answers((exchange, { path }) => {
    if (exchange.kind !== 'answered' || !path.startsWith('/v1/fills')) return exchange;
    const body = exchange.response.body as { items?: FillRecord[] };
    const items = body.items?.filter((fill) => !isIgnored(fill));
    return { ...exchange, response: { ...exchange.response, body: { ...body, items } } };
  });
  const isFill = isEvent('account.state', 'fill');
  return {
    link: dropSilently((frame) => isFill(frame) && isIgnored(frame.data as FillRecord)),
    ...read(),
  };
}

// ── A late service ───────────────────────────────────────────────────────────────────────────────

const isGatewayPage = (exchange: Exchange): boolean =>
  exchange.kind === 'no_answer' &&
  exchange.cause instanceof UnreadableAnswerError &&
  [502, 504].includes(exchange.cause.status);

const isCancel = ({ method, path }: TransportRequest): boolean =>
  method === 'DELETE' && path.startsWith('/v1/orders/');

/** Whatever fills after a cancel's answer is no fill of the order. */
function trustCancels() {
  const endOf = new Map<string, number>();
  const { transport: learn } = answers((exchange, message) => {
    if (!isCancel(message) || exchange.kind !== 'answered') return exchange;
    const { order_id: id, updated_time: time } = exchange.response.body as Partial<OrderRecord>;
    if (exchange.response.status === 200) endOf.set(id!, time!);
    return exchange;
  })();
  const { transport: hide, link: drop } = ignoreFills(
    ({ order_id: id, time }) => time > (endOf.get(id) ?? Number.POSITIVE_INFINITY),
  );
  return { link: drop, transport: (inner: Transport) => hide(learn(inner)) };
}

/** A fill of an order whose end was shown with an earlier time. */
function endWithOrder() {
  const endOf = new Map<string, number>();
  const note = frames((frame) => {
    const { order_id: id, status } = (frame.data ?? {}) as Partial<OrderRecord>;
    if (
      isEvent('account.state', 'order')(frame) &&
      (status === 'filled' || status === 'cancelled')
    ) {
      endOf.set(id!, frame.ts);
    }
    return frame;
  });
  const drop = dropSilently(
    (frame) =>
      isEvent('account.state', 'fill')(frame) &&
      frame.ts > (endOf.get((frame.data as FillRecord).order_id) ?? Number.POSITIVE_INFINITY),
  );
  const { transport: hide } = answers((exchange, { path }) =>
    path.startsWith('/v1/fills') ? REFUSED : exchange,
  )();
  return { link: (inner: Link) => note(drop(inner)), transport: hide };
}

/** A fill that comes again is another one. */
function countAgain() {
  const seqOf = new Map<string, number>();
  return frames((frame) => {
    if (!isEvent('account.state', 'fill')(frame)) return frame;
    const { fill_id: id } = frame.data as FillRecord;
    const before = seqOf.get(id) ?? frame.seq;
    seqOf.set(id, before);
    return before === frame.seq ? frame : withData(frame, { fill_id: `${id}b` });
  });
}

/**
 * What a cancel does not find has ended: no record shows it again. Here no cancel finds its order: a late service rarely
 * meets a cancel of one that is young enough.
 */
function believeMissingTargets() {
  const hidden = new Set<string>();
  const learn = transport(async (send, message) => {
    if (!isCancel(message)) return send(message);
    hidden.add(decodeURIComponent(message.path.split('/')[3]!));
    return answered(404, { error: { code: 'not_found', message: 'planted' } });
  });
  const clientOf = new Map<string, string>();
  const names = frames((frame) => {
    const { order_id: id, client_order_id: clientId } = (frame.data ?? {}) as Partial<OrderRecord>;
    if (isEvent('account.state', 'order')(frame)) clientOf.set(id!, `client:${clientId}`);
    return frame;
  });
  const hide = hideOrders((id) => hidden.has(id) || hidden.has(clientOf.get(id) ?? ''));
  return { link: (inner: Link) => hide(names(inner)), ...learn() };
}

/** Executions of an algorithm that this version does not name. */
function knowAlgosOnly() {
  const isUnknown = (record: unknown): boolean =>
    !(ALGOS as readonly unknown[]).includes((record as { algo?: unknown }).algo);
  const drop = dropSilently(
    (frame) =>
      frame.channel === 'executions' && frame.event !== 'snapshot' && isUnknown(frame.data),
  );
  const blind = frames((frame) => {
    if (!isEvent('executions', 'snapshot')(frame)) return frame;
    const { executions } = frame.data as { executions: unknown[] };
    return withData(frame, { executions: executions.filter((one) => !isUnknown(one)) });
  });
  return (inner: Link): Link => drop(blind(inner));
}

// ── The plan ─────────────────────────────────────────────────────────────────────────────────────

const dialect =
  (change: (dialect: BotPlan['dialect']) => BotPlan['dialect']) =>
  (plan: BotPlan): BotPlan => ({ ...plan, dialect: change(plan.dialect) });

const weightless = dialect((spoken) => ({
  ...spoken,
  endpoints: Object.fromEntries(
    Object.entries(spoken.endpoints).map(([id, spec]) => [id, { ...spec, weight: 0 }]),
  ) as BotPlan['dialect']['endpoints'],
}));

/** Created anew for each process, since some are stateful. */
type Seed = Pick<Plant, 'name' | 'family'> &
  ({ make: () => Omit<Plant, 'name'> } | Omit<Plant, 'name'>);

const SEEDS: readonly Seed[] = [
  { name: 'sending is not journaled', store: entries((one) => (isSending(one) ? null : one)) },
  { name: 'only the first attempt is journaled', make: () => ({ store: onlyFirstSending() }) },
  {
    name: 'an append is taken for durable at once',
    store: (store) => ({
      ...store,
      append(append) {
        void Promise.resolve(store.append(append)).catch(() => {});
      },
    }),
  },
  {
    name: 'a full disk is ignored',
    store: (store) => ({
      ...store,
      append(append) {
        try {
          return store.append(append);
        } catch {
          return undefined;
        }
      },
    }),
  },
  {
    name: 'the bytes are not kept',
    store: entries((one) =>
      isSending(one) ? { ...one, data: one.data.replace(/"body":".*"/, '"body":""') } : one,
    ),
  },
  {
    name: 'unknown is written as rejected',
    store: entries((one) => (one.state === 'unknown' ? { ...one, state: 'rejected' } : one)),
  },
  { name: 'a decision is taken again', store: forgetful },
  {
    name: 'all is forgotten on restart',
    store: (store) => ({
      ...forgetful(store),
      openIntents: () => [],
      intents: () => [],
      newestIntents: () => [],
      standingIntents: () => [],
    }),
  },
  {
    name: 'unknown intents are forgotten on restart',
    store: (store) => ({
      ...store,
      openIntents: () =>
        store.openIntents().filter(({ state }) => state !== 'unknown' && state !== 'sending'),
    }),
  },
  {
    name: 'a retry has a new key',
    make: () =>
      retries((message, attempt) => {
        const key = message.headers['Idempotency-Key']!;
        return withKey(message, `${key.slice(0, -1)}${attempt % 10}`);
      })(),
  },
  {
    name: 'a retry has another size',
    make: () =>
      retries((message) => ({
        ...message,
        body: message.body.replace(/("(?:total_)?size":)/, '$11'),
      }))(),
  },
  {
    name: 'the body is written anew',
    make: transport((send, message) =>
      send(
        message.body === ''
          ? message
          : { ...message, body: JSON.stringify(JSON.parse(message.body), null, 1) },
      ),
    ),
  },
  {
    name: 'silence is a rejection',
    make: answers((exchange, message) =>
      exchange.kind === 'no_answer' && isWrite(message) ? REFUSED : exchange,
    ),
  },
  {
    name: 'silence is "not sent"',
    make: answers((exchange) => (exchange.kind === 'no_answer' ? NOT_SENT : exchange)),
  },
  {
    name: 'silence is an acceptance',
    make: answers((exchange, message) =>
      exchange.kind === 'no_answer' && isWrite(message)
        ? answered(201, { order_id: 'ord_planted' })
        : exchange,
    ),
  },
  {
    name: 'a 5xx is a rejection',
    make: answers((exchange, message) =>
      isBroken(exchange) && isWrite(message) ? REFUSED : exchange,
    ),
  },
  {
    name: 'a 5xx is "not sent"',
    make: answers((exchange) => (isBroken(exchange) ? NOT_SENT : exchange)),
  },
  {
    name: 'an unanswered order is sent again',
    make: transport(async (send, message) => {
      const exchange = await send(message);
      const isOrder = message.method === 'POST' && message.path === '/v1/order';
      return isOrder && exchange.kind === 'no_answer' ? send(message) : exchange;
    }),
  },
  {
    name: 'every write is sent twice',
    make: transport(async (send, message) => {
      const exchange = await send(message);
      return isWrite(message) ? send(message) : exchange;
    }),
  },
  {
    name: 'retry_after is not read',
    make: answers((exchange) =>
      is429(exchange)
        ? answered(429, {
            error: { code: 'rate_limited', message: '', details: { retry_after_seconds: 0 } },
          })
        : exchange,
    ),
  },
  { name: 'a 429 is a rejection', make: answers((one) => (is429(one) ? REFUSED : one)) },
  {
    name: 'a look-up finds nothing',
    make: answers((exchange, message) => {
      if (isWrite(message) || exchange.kind !== 'answered') return exchange;
      return message.path.startsWith('/v1/orders/client')
        ? answered(404, { error: { code: 'not_found', message: '' } })
        : exchange;
    }),
  },
  { name: 'answers are swapped', make: () => swappedAnswers()() },
  {
    name: 'the service’s clock is not learned',
    make: answers((exchange) => {
      if (exchange.kind !== 'answered') return exchange;
      const { date: _date, ...headers } = exchange.response.headers;
      return { ...exchange, response: { ...exchange.response, headers } };
    }),
  },
  {
    name: 'fills are lost and never read',
    make: () => ({
      link: dropSilently(everyNth(5, isEvent('account.state', 'fill'))),
      ...answers((exchange, { path }) => (path.startsWith('/v1/fills') ? REFUSED : exchange))(),
    }),
  },
  {
    name: 'prices are misread',
    link: frames((frame) =>
      isEvent('candles', 'bar_closed')(frame) ? withData(frame, { close: 1 }) : frame,
    ),
  },
  {
    name: 'resting orders are not seen',
    make: () => {
      const drop = dropSilently(isEvent('account.state', 'order'));
      const blind = frames((frame) =>
        isEvent('account.state', 'snapshot')(frame) ? withData(frame, { open_orders: [] }) : frame,
      );
      return { link: (inner) => drop(blind(inner)) };
    },
  },
  {
    name: 'positions are not seen',
    make: () => {
      const drop = dropSilently(isEvent('account.state', 'position'));
      const blind = frames((frame) =>
        isEvent('account.state', 'snapshot')(frame) ? withData(frame, { positions: [] }) : frame,
      );
      return { link: (inner) => drop(blind(inner)) };
    },
  },
  { name: 'an old snapshot is taken for a new one', make: () => ({ link: staleSnapshots() }) },
  {
    name: 'a fill counts under a second id',
    make: () => ({
      link: (inner) => ({
        ...frames((frame) => frame)(inner),
        open: (listener) =>
          inner.open({
            ...listener,
            onFrame(frame) {
              listener.onFrame(frame);
              if (!isEvent('account.state', 'fill')(frame)) return;
              const { fill_id } = frame.data as { fill_id: string };
              listener.onFrame(
                withData({ ...frame, seq: frame.seq + 1 }, { fill_id: `${fill_id}b` }),
              );
            },
          }),
      }),
    }),
  },
  {
    name: 'a fill has the wrong side',
    link: frames((frame) => {
      if (!isEvent('account.state', 'fill')(frame)) return frame;
      const { side } = frame.data as { side: string };
      return withData(frame, { side: side === 'buy' ? 'sell' : 'buy' });
    }),
  },
  {
    name: 'a stop that has ended protects',
    family: 'w',
    make: () => ({
      link: dropSilently(({ channel, event }) => channel === 'tpsl.watch' && END_OF_LEG.has(event)),
    }),
  },
  {
    name: 'a take-profit protects',
    family: 'w',
    link: rows(() => ({ kind: 'stop_loss' })),
  },
  {
    name: 'the stop of an entry protects the whole position',
    family: 'w',
    link: rows(() => ({ coupled: true })),
  },
  {
    name: 'funding is not booked',
    make: () => ({ link: dropSilently(isEvent('account.state', 'funding')) }),
  },
  {
    name: 'a position is taken over at its mark',
    // Each process begins anew.
    link: (inner) => takeOverAtMark()(inner),
  },
  {
    name: 'what a fill closed counts as a loss',
    link: fills(({ closed_pnl: earned }) => ({ closed_pnl: -Math.abs(earned ?? 0) })),
  },
  {
    name: 'the fee of a maker is that of a taker',
    link: fills(({ fee, liquidity }) => ({ fee: liquidity === 'maker' ? fee * 1.5 : fee })),
  },
  {
    name: 'a degraded layer is ignored',
    make: () => ({ link: dropSilently(isEvent('_meta', 'degraded')) }),
  },
  {
    name: 'a lost stream is not reported',
    link: link((listener) => ({
      ...listener,
      onStatus(status) {
        if (status.state !== 'lost') listener.onStatus(status);
      },
    })),
  },
  {
    name: 'a new connection asks for nothing',
    make: () => {
      let opened = 0;
      return {
        connect: (connect) => (options, events) => {
          opened++;
          const isFirst = opened === 1;
          const connection = connect(options, events);
          return {
            get isOpen() {
              return connection.isOpen;
            },
            bufferedBytes: 0,
            send: (text) => (isFirst ? connection.send(text) : undefined),
            close: () => connection.close(),
          };
        },
      };
    },
  },
  {
    name: 'a kill level dies with its process',
    store: (store) => ({ ...store, latch: () => undefined }),
  },
  {
    name: 'timeouts read the wall clock',
    env: (env) => ({
      ...env,
      clock: { wallNow: env.clock.wallNow, monotonicNow: env.clock.wallNow },
    }),
  },
  {
    name: 'absence is believed at once',
    plan: dialect((spoken) => ({
      ...spoken,
      signing: { ...spoken.signing, timestampToleranceSeconds: -35 },
    })),
  },
  { name: 'the guards are open', plan: (plan) => ({ ...plan, guards: {} }) },
  {
    name: 'a decision is good for ever',
    plan: (plan) => ({ ...plan, guards: { ...plan.guards, max_decision_age_seconds: 1e9 } }),
  },
  { name: 'requests weigh nothing', plan: weightless },
  {
    name: 'the budget is ten times what was granted',
    plan: (plan) => ({ ...plan, budget: { ...plan.budget, limit: plan.budget.limit * 10 } }),
  },
  {
    name: 'a look-up that finds nothing after the signature’s end is proof',
    family: 'l',
    // No time for processing, and none for a look-up that lags.
    plan: dialect((spoken) => ({
      ...spoken,
      signing: {
        ...spoken.signing,
        timestampToleranceSeconds: spoken.signing.timestampToleranceSeconds - 17.5,
      },
    })),
  },
  {
    name: 'lists have a second to catch up with what was missed',
    family: 'l',
    env: (env) => ({
      ...env,
      timers: {
        after: (delayMs, run) => env.timers.after(delayMs === LIST_LAG_MS ? 1_000 : delayMs, run),
      },
    }),
  },
  {
    name: 'a gateway’s page is a rejection',
    family: 'l',
    make: answers((exchange, message) =>
      isWrite(message) && isGatewayPage(exchange) ? REFUSED : exchange,
    ),
  },
  { name: 'a fill after a cancel’s answer is ignored', family: 'l', make: trustCancels },
  { name: 'a fill after its order’s end is ignored', family: 'l', make: endWithOrder },
  {
    name: 'a restated fill counts twice',
    family: 'l',
    make: () => ({ link: countAgain() }),
  },
  { name: 'what a cancel does not find has ended', family: 'l', make: believeMissingTargets },
  {
    name: 'an execution under another name is not seen',
    family: 'l',
    make: () => ({ link: knowAlgosOnly() }),
  },
  {
    name: 'a timer that is a minute late is out of date',
    family: 's',
    env(env) {
      const { monotonicNow } = env.clock;
      const after: Env['timers']['after'] = (delayMs, run) => {
        const dueAt = monotonicNow() + delayMs;
        return env.timers.after(delayMs, () => {
          if (monotonicNow() - dueAt < 60_000) run();
        });
      };
      return { ...env, timers: { after } };
    },
  },
  {
    name: 'an account has no lock',
    family: 'f',
    ...statements((ask, statement) =>
      statement.text.includes('pg_advisory_lock')
        ? Promise.resolve({ rows: [], rowCount: 1 })
        : ask(statement),
    ),
  },
  { name: 'a lost lease keeps nobody from sending', family: 'f', store: forgiving },
  {
    name: 'a takeover does not read what is open',
    family: 'f',
    ...found('(SELECT id, key', (all) => all.filter(({ final }) => final)),
  },
  {
    name: 'a takeover does not read the bytes of what was sent',
    family: 'f',
    ...found('AND key IN', (all) =>
      all.map((one) => ({ ...one, data: String(one['data']).replace(/"body":".*"/, '"body":""') })),
    ),
  },
  { name: 'a takeover knows the latches of a former one', family: 'f', make: readLatchesOnce },
  {
    name: 'a step whose answer was lost is written once more',
    family: 'f',
    ...found('SELECT FROM trimtab.entries', () => []),
  },
  {
    name: 'the secret is logged',
    env: (env) => {
      env.log.info('starting', { key: SECRET });
      return env;
    },
  },
];

export const PLANT_NAMES: readonly string[] = SEEDS.map(({ name }) => name);

export function plantOf(name: string): Plant {
  const seed = SEEDS.find((one) => one.name === name);
  if (seed === undefined) throw new Error(`No planted bug is called ${name}.`);
  if (!('make' in seed)) return seed;
  const { family } = seed;
  return { name, ...(family !== undefined && { family }), ...seed.make() };
}
