import type { ExecutionRecord, FillRecord, WatchRow } from '../../contract/index.ts';
import { addSize, type SizeSum } from '../../contract/sizes.ts';
import { OpenMap } from '../../env/index.ts';
import type { Intent } from '../../intents/index.ts';
import type { Emission } from '../../strategy/index.ts';
import { NumberedIds } from '../../streams/index.ts';
import { askerOf, OPERATOR } from '../operator.ts';
import type { PipeEvent } from '../PipeEvent.ts';
import { clientIdOf, recordIdsOf } from '../wallet/index.ts';
import { kindOf } from './createLevelLog.ts';

/** What made a fill. */
export interface FillOrigin {
  /**
   * `signal` for an intent of the strategy and `monitor` for one that armed a monitor; else what acted in its place:
   * `stop loss`, `take profit`, `trailing stop`, `trailing take profit`, `liquidation`, `kill L3`, `stop policy`,
   * `flatten`, `operator`.
   */
  cause: string;
  /** The intent's, see {@link tagOf}; absent where none made it. */
  tag?: string;
}

/** Follows intents and what the service does by itself, and knows of each fill what made it. */
export interface OriginLog {
  intent(event: PipeEvent): void;
  watch(wallet: string, event: string, row: WatchRow): void;
  liquidation(at: { wallet: string; symbol: string }): void;
  execution(wallet: string, execution: ExecutionRecord): void;
  /** What made it, if that is known by now. */
  fill(wallet: string, fill: FillRecord): FillOrigin | undefined;
  /** Of a fill whose origin was not known when it came; undefined if nothing that was recorded made it. */
  of(fill: Pick<FillRecord, 'order_id' | 'execution_id'>): FillOrigin | undefined;
}

/** Of one market of a wallet, in the order of arrival. */
type Step =
  /** The service is about to make an order or an execution of its own. */
  | { kind: 'trigger'; origin: FillOrigin }
  /** An order or an execution that was not yet known as an intent's. */
  | { kind: 'made'; id: string }
  /** The position is closed: what was triggered and not filled has nothing left to close. */
  | { kind: 'flat' };

interface Market extends SizeSum {
  steps: Step[];
  /** Something was triggered since it was flat. */
  isTriggered: boolean;
}

const CAUSES: Readonly<Record<string, string>> = {
  stop: 'stop loss',
  target: 'take profit',
  'trailing target': 'trailing take profit',
};
/** Intents whose answer names something that fills. */
const MAKES: readonly Intent['kind'][] = [
  'place_order',
  'launch',
  'launch_basket',
  'close_position',
];
/** Nothing comes of an intent after these. */
const ENDED: readonly PipeEvent['state'][] = ['denied', 'rejected', 'expired', 'absent'];
/** Orders that were cancelled are remembered this long: a frame may be later than the answer. */
const MOST_CANCELLED = 1_000;
const NONE: readonly string[] = [];

/**
 * v1 links no leg to the order by which it exits: that order is the next one of its market which no intent made. Answers
 * may come after fills, so this is decided when all is known.
 */
export function createOriginLog(): OriginLog {
  const byId = new NumberedIds<FillOrigin>();
  /** By client id, of what has no id of the service yet. */
  const byClientId = new OpenMap<FillOrigin>();
  /** By cause and tag. */
  const origins = new Map<string, Map<string | undefined, FillOrigin>>();
  /** By wallet and symbol. */
  const markets = new Map<string, Map<string, Market>>();
  const made = new Set<string>();
  /** A market maker cancels millions of orders that were never filled. */
  const cancelled: string[] = [];
  let isResolved = true;

  function marketOf(wallet: string, symbol: string): Market {
    let ofWallet = markets.get(wallet);
    if (ofWallet === undefined) markets.set(wallet, (ofWallet = new Map()));
    const known = ofWallet.get(symbol);
    if (known !== undefined) return known;
    const market: Market = { steps: [], size: 0, dust: 0, isTriggered: false };
    ofWallet.set(symbol, market);
    return market;
  }

  /** Equal ones are one object: a run has many fills and few origins. */
  function originOf(emission: Emission): FillOrigin {
    const cause = causeOf(emission);
    const tag = emission.instance === OPERATOR ? undefined : tagOf(emission.intent);
    let ofCause = origins.get(cause);
    if (ofCause === undefined) origins.set(cause, (ofCause = new Map()));
    const known = ofCause.get(tag);
    if (known !== undefined) return known;
    const origin: FillOrigin = tag === undefined ? { cause } : { cause, tag };
    ofCause.set(tag, origin);
    return origin;
  }

  /** Under which client ids an intent's work may be shown before the service's own ids are known. */
  function name({ emission: { intent }, key }: PipeEvent, origin: FillOrigin | undefined): void {
    put(key, origin);
    for (const id of clientIdsOf(intent)) put(id, origin);
  }

  function put(clientId: string, origin: FillOrigin | undefined): void {
    if (origin === undefined) byClientId.delete(clientId);
    else byClientId.set(clientId, origin);
  }

  function forget(record: unknown): void {
    for (const id of recordIdsOf(record)) {
      if (cancelled.push(id) > MOST_CANCELLED) byId.delete(cancelled.shift()!);
    }
  }

  function trigger(market: Market, origin: FillOrigin): void {
    market.steps.push({ kind: 'trigger', origin });
    market.isTriggered = true;
    isResolved = false;
  }

  function see(market: Market, id: string, clientId: string | undefined): void {
    if (byId.has(id) || made.has(id)) return;
    const named = clientId === undefined ? undefined : byClientId.get(clientId);
    if (named !== undefined) {
      byId.set(id, named);
      return;
    }
    made.add(id);
    market.steps.push({ kind: 'made', id });
    isResolved = false;
  }

  function resolve(): void {
    for (const market of [...markets.values()].flatMap((ofWallet) => [...ofWallet.values()])) {
      const waiting: FillOrigin[] = [];
      for (const step of market.steps) {
        if (step.kind === 'trigger') waiting.push(step.origin);
        else if (step.kind === 'flat') waiting.length = 0;
        else if (!byId.has(step.id)) {
          const origin = waiting.shift();
          if (origin !== undefined) byId.set(step.id, origin);
        }
      }
      market.steps = waiting.map((origin) => ({ kind: 'trigger', origin }));
    }
    isResolved = true;
  }

  return {
    intent(event) {
      const { emission, record, state } = event;
      // It has its names since it passed the guards, or was found in the journal.
      if (state === 'sending' && byClientId.has(event.key)) return;
      const { intent } = emission;
      const isMonitor = intent.kind === 'create_monitor';
      if (intent.kind === 'cancel_order' && state === 'accepted') forget(record);
      if (!isMonitor && !MAKES.includes(intent.kind)) return;
      const ids = isMonitor ? [] : recordIdsOf(record);
      const origin = originOf(emission);
      for (const id of ids) byId.set(id, origin);
      // An order is known by its id once it has one; what a monitor makes, by its client id alone.
      name(event, ids.length > 0 || ENDED.includes(state) ? undefined : origin);
    },
    watch(wallet, event, row) {
      if (event !== 'leg_triggered') return;
      const kind = kindOf(row);
      trigger(marketOf(wallet, row.symbol), { cause: CAUSES[kind] ?? kind });
    },
    liquidation({ wallet, symbol }) {
      trigger(marketOf(wallet, symbol), { cause: 'liquidation' });
    },
    execution(wallet, execution) {
      const { execution_id: id, symbol } = execution;
      see(marketOf(wallet, symbol), id, clientIdOf(execution));
    },
    fill(wallet, fill) {
      const { order_id: order, execution_id: execution, symbol, side, size } = fill;
      const market = marketOf(wallet, symbol);
      see(market, execution ?? order, clientIdOf(fill));
      addSize(market, side === 'buy' ? size : -size);
      if (market.size === 0 && market.isTriggered) {
        market.steps.push({ kind: 'flat' });
        market.isTriggered = false;
      }
      return byId.get(execution ?? order);
    },
    of({ order_id: order, execution_id: execution }) {
      if (!isResolved) resolve();
      return byId.get(execution ?? order);
    },
  };
}

/** An intent's `tag`, else its `ref` without the numbers at its end (`rung-3` is `rung`), else what it is. */
export function tagOf(intent: Intent): string {
  if (intent.tag !== undefined) return intent.tag;
  if (intent.ref !== undefined) return intent.ref.replace(/(?:[-_.:]*\d+)+$/, '') || intent.ref;
  return intent.kind === 'launch' ? `launch ${intent.request.algo}` : intent.kind;
}

function causeOf(emission: Emission): string {
  const asker = askerOf(emission);
  if (asker === undefined) return emission.intent.kind === 'create_monitor' ? 'monitor' : 'signal';
  const { what, by } = asker;
  if (what === 'kill') return `kill ${by}`;
  if (what === 'stop') return 'stop policy';
  return what === 'flatten' ? what : 'operator';
}

/** The client ids that a strategy gave itself, of what it sends or lets a monitor send. */
function clientIdsOf(intent: Intent): readonly string[] {
  if (!('request' in intent)) return NONE;
  const request = intent.request as Readonly<Record<string, unknown>>;
  const action = request['action'] as { request?: object } | undefined;
  const ids: string[] = [];
  for (const one of [request, action?.request]) {
    if (one === undefined) continue;
    const { client_order_id, client_execution_id } = one as Readonly<Record<string, unknown>>;
    if (typeof client_order_id === 'string') ids.push(client_order_id);
    if (typeof client_execution_id === 'string') ids.push(client_execution_id);
  }
  return ids;
}
