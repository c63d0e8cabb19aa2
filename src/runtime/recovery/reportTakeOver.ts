import { combineLatest, Subscription, take } from 'rxjs';
import type { WatchRow } from '../../contract/index.ts';
import type { Timers } from '../../env/index.ts';
import type { JournalStore } from '../../journal/index.ts';
import type { Streams } from '../../streams/index.ts';
import {
  type Accepted,
  type Holdings,
  keysOf,
  LIVE,
  monitorKeysOf,
  type AtWork,
  entryOf,
  isSpot,
  type WalletBook,
} from '../wallet/index.ts';
import {
  type Owners,
  describeExecution,
  describeMonitor,
  describeOrder,
  describePosition,
} from '../control/index.ts';
import { OPERATOR } from '../operator.ts';

export interface TakeOverOptions {
  streams: Streams;
  wallets: readonly string[];
  timers: Timers;
  store: JournalStore;
  accepted: Accepted;
  owners: Pick<Owners, 'describe' | 'unheeded' | 'holdsOn'>;
  /** Names of the configured strategies. */
  strategies: readonly string[];
  /** What is to be said of strategies that were renamed. */
  renamed: readonly string[];
  holdings: Pick<Holdings, 'bought'>;
  bookOf(wallet: string): WalletBook;
  workOf(wallet: string): AtWork;
}

/** What a start finds open in the bot's wallets, and its owner. */
export interface TakeOver {
  /** A line each. */
  lines: readonly string[];
  /** Why no exposure is added, by wallet. */
  holds: readonly string[];
  /** An operator's decisions about symbols without a position. */
  unheeded: readonly string[];
  /** What is left of strategies that the configuration no longer has, and what to do about it. */
  former: readonly string[];
}

/** A channel that the service refuses shows nothing: after this time what is known is reported. */
const SHOWN_WITHIN_MS = 3_000;
const ENDED_ROWS: readonly string[] = ['triggered', 'retired', 'rejected', 'stopped'];

/** Reports once, when every channel has shown its snapshot; nothing waits for it. */
export function reportTakeOver(
  options: TakeOverOptions,
  report: (takeOver: TakeOver) => void,
): Subscription {
  const { streams, wallets, timers } = options;
  const subscription = new Subscription();
  const rows = new Map<string, ReadonlyMap<string, WatchRow>>();
  const finish = (): void => {
    if (subscription.closed) return;
    subscription.unsubscribe();
    const holds = wallets.flatMap((wallet) => options.owners.holdsOn(wallet));
    report({
      lines: wallets.flatMap((wallet) => linesOf(wallet, rows.get(wallet), options)),
      holds,
      unheeded: options.owners.unheeded(),
      former: [
        ...options.renamed,
        ...wallets.flatMap((wallet) => explainLeftWork(wallet, options)),
      ],
    });
  };
  subscription.add(timers.after(SHOWN_WITHIN_MS, finish));
  for (const wallet of wallets) {
    const source = streams.wallet(wallet);
    subscription.add(source.watchModel$.subscribe((model) => rows.set(wallet, model)));
  }
  const all = wallets.flatMap((wallet) => {
    const { executionsModel$, monitorsModel$, watchModel$ } = streams.wallet(wallet);
    return [executionsModel$, monitorsModel$, watchModel$];
  });
  subscription.add(combineLatest<unknown[]>(all).pipe(take(1)).subscribe(finish));
  return subscription;
}

/** Orders, executions and monitors of strategies that are gone: no strategy changes or ends them. */
function explainLeftWork(wallet: string, options: TakeOverOptions): string[] {
  const work = options.workOf(wallet);
  const records = [
    ...work.orders.filter(({ execution_id }) => execution_id == null),
    ...work.executions.filter(({ status }) => LIVE.includes(status)),
  ];
  const entries = records.filter(({ reduce_only }) => !reduce_only).map(keysOf);
  const exits = records.filter(({ reduce_only }) => reduce_only).map(keysOf);
  const about = (name: string, does: string): string =>
    `of ${name} on ${wallet} ${does}, and ${name} is not in the configuration: no strategy follows or ends`;
  return [
    ...countFormer([...entries, ...work.monitors.map(monitorKeysOf)], options).map(
      ([name, count]) =>
        count === 1
          ? `1 order, execution or monitor ${about(name, 'still works')} it, and what it fills adds to what the others enter; give ${name} its name back, cancel it on the service, or end all entries by trimtab kill L2`
          : `${count} orders, executions or monitors ${about(name, 'still work')} them, and what they fill adds to what the others enter; give ${name} its name back, cancel them on the service, or end all entries by trimtab kill L2`,
    ),
    // As a stop or a target of what it holds: cancelled, they would leave that without.
    ...countFormer(exits, options).map(([name, count]) =>
      count === 1
        ? `1 order or execution ${about(name, 'only reduces')} it; give ${name} its name back, or see that it fits what is held`
        : `${count} orders or executions ${about(name, 'only reduce')} them; give ${name} its name back, or see that they fit what is held`,
    ),
  ];
}

/** How many of these, each by its keys, are of a strategy that is not configured, by its name. */
function countFormer(
  all: ReadonlyArray<readonly string[]>,
  options: TakeOverOptions,
): Array<[name: string, count: number]> {
  const counts = new Map<string, number>();
  for (const keys of all) {
    const instance = instanceOf(keys, options);
    if (instance === undefined || instance === OPERATOR) continue;
    if (!options.strategies.includes(instance))
      counts.set(instance, (counts.get(instance) ?? 0) + 1);
  }
  return [...counts];
}

function instanceOf(
  keys: readonly string[],
  { store, accepted }: Pick<TakeOverOptions, 'store' | 'accepted'>,
): string | undefined {
  for (const key of keys) {
    const instance = store.intent(key)?.instance ?? accepted.instanceOf(key);
    if (instance !== undefined) return instance;
  }
  return undefined;
}

function linesOf(
  wallet: string,
  rows: ReadonlyMap<string, WatchRow> | undefined,
  { store, accepted, owners, holdings, bookOf, workOf }: TakeOverOptions,
): string[] {
  const work = workOf(wallet);
  const book = bookOf(wallet);
  const whose = (keys: readonly string[]): string =>
    instanceOf(keys, { store, accepted }) ??
    (keys.some((key) => work.isOwn(key)) ? 'this bot' : 'no owner in this bot');
  const spots = book
    .exposedSymbols()
    .filter((symbol) => isSpot(symbol) && book.position(symbol) !== 0);
  const legs = [...(rows?.values() ?? [])].filter(
    (row) => row.watch_kind === 'leg' && !ENDED_ROWS.includes(row.status ?? ''),
  );
  const lines: Array<[what: string, owner: string]> = [
    ...work.positions
      .filter(({ size }) => size > 0)
      .map((one): [string, string] => [describePosition(one), owners.describe(wallet, one.symbol)]),
    ...[...new Set(spots)].map((symbol): [string, string] => [
      `holding ${book.position(symbol)} of ${symbol}${partOf(book.position(symbol), holdings.bought(wallet, symbol))}`,
      owners.describe(wallet, symbol),
    ]),
    ...legs.map((row): [string, string] => [
      `leg ${row.kind ?? ''} of ${row.symbol}${row.trigger_price == null ? '' : ` at ${row.trigger_price}`}`,
      owners.describe(wallet, row.symbol),
    ]),
    ...work.orders
      .filter(({ execution_id }) => execution_id == null)
      .map((one): [string, string] => [describeOrder(one), whose(keysOf(one))]),
    ...work.executions
      .filter(({ status }) => LIVE.includes(status))
      .map((one): [string, string] => [describeExecution(one), whose(keysOf(one))]),
    ...work.monitors.map((one): [string, string] => [
      `${describeMonitor(one)}, ${entryOf(one).symbol}`,
      whose(monitorKeysOf(one)),
    ]),
  ];
  return lines.map(([what, owner]) => `${wallet}: ${what}: ${owner}`);
}

/** The part that is not the bot's is named, since the bot never sells it. */
function partOf(held: number, bought: number | undefined): string {
  if (bought === undefined || bought === held) return '';
  return bought === 0 ? ', none of it bought by this bot' : `, ${bought} of it bought by this bot`;
}
