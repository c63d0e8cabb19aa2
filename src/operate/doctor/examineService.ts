import { commandOf } from '../journal/commandOf.ts';
import { explainBaseUrl } from '../explainBaseUrl.ts';
import { lackingScopes } from '../lackingScopes.ts';
import { readLiveWork } from '../readLiveWork.ts';
import type { ServiceLinkConfig } from '../../config/index.ts';
import type {
  ConnectionRecord,
  Dialect,
  ExecutionRecord,
  LegRecord,
  OrderRecord,
  ServiceResponse,
  WatchRow,
} from '../../contract/index.ts';
import { isLoopback } from '../../contract/index.ts';
import { DAY_MS } from '../../contract/durations.ts';
import { counted, reasonOf } from '../../env/index.ts';
import type { JournalReader } from '../../journal/index.ts';
import {
  coverOf,
  isCovered,
  keysOf,
  ownerFactOf,
  placeName,
  tradedWallets,
  uncoveredSize,
} from '../../runtime/index.ts';
import {
  readEveryPage,
  ServiceFaultError,
  type Client,
  type ClockOffset,
  type ServiceSocket,
} from '../../wire/index.ts';
import { bad, note, well, type Finding } from './Finding.ts';
import { examineStream } from './examineStream.ts';
import { ignoredOn, readSpots } from './readSpots.ts';
import { examineWatchdog, type WatchdogOptions } from './examineWatchdog.ts';
import { readCertificate } from './readCertificate.ts';

export interface ServiceOptions extends WatchdogOptions {
  client: Client;
  /** Not open yet; it is closed again. */
  socket: ServiceSocket;
  clockOffset: Pick<ClockOffset, 'offsetMs'>;
  dialect: Dialect;
  /** Wall time, epoch milliseconds. */
  now: number;
  read<T>(use: (reader: JournalReader) => Promise<T>): Promise<T>;
}

const CERTIFICATE_DAYS = 14;
const SET_CLOCK =
  'Set the clock of this machine by a time service (NTP), such as chrony or systemd-timesyncd.';

/** The service: way and certificate, clock, key and wallets, what stands there and who owns it. */
export async function examineService(options: ServiceOptions): Promise<Finding[]> {
  const { config, client, dialect } = options;
  const { baseUrl } = config.link as ServiceLinkConfig;
  const way = await examineWay(baseUrl, options.now);
  if (way.some(({ state }) => state === 'bad')) return way;
  let wallets: string[];
  try {
    wallets = await readWallets(client, dialect);
  } catch (error) {
    const clock = hasTime(error) ? [examineClock(options)] : [];
    const remedy = isOfClock(error)
      ? SET_CLOCK
      : (explainBaseUrl(baseUrl) ??
        'Check link.base_url, link.key_id and link.secret, and whether the service is up.');
    return [...way, ...clock, bad('key', reasonOf(error), remedy)];
  }
  const traded = tradedWallets(config.strategies);
  const missing = traded.filter((wallet) => !wallets.includes(wallet));
  const findings = [
    ...way,
    examineClock(options),
    missing.length === 0
      ? well('wallets', `${traded.join(', ')}: known to the key`)
      : bad(
          'wallets',
          `the key has no wallet ${missing.join(', ')}`,
          `It has ${wallets.join(', ')}.`,
        ),
    await examineStream(options.socket, config.link as ServiceLinkConfig),
    ...(await examineScopes(client)),
    ...(await examineWatchdog(options)),
  ];
  for (const wallet of traded) {
    if (missing.includes(wallet)) continue;
    findings.push(...(await examineWallet(wallet, options).catch(unread(wallet))));
  }
  return findings;
}

async function readWallets(client: Client, dialect: Dialect): Promise<string[]> {
  const read = (): Promise<ConnectionRecord[]> =>
    readEveryPage(dialect.limits.pageMax, (query) => client.connections.list({ query }));
  // The refusal taught the service's time, by which the next signature counts: as in a bot, the rest can be examined.
  const all = await read().catch((error: unknown) => {
    if (!isOfClock(error)) throw error;
    return read();
  });
  return all.map(({ id }) => id);
}

const isOfClock = (error: unknown): boolean =>
  error instanceof ServiceFaultError && error.code === 'timestamp_out_of_window';

/** The answer said what time it is. */
const hasTime = (error: unknown): boolean =>
  error instanceof ServiceFaultError &&
  (error.cause as ServiceResponse).headers['date'] !== undefined;

const unread =
  (wallet: string) =>
  (error: unknown): Finding[] => [
    bad('positions', `${wallet} can't be read: ${reasonOf(error)}`, 'Give the key the scope read.'),
  ];

async function examineWay(baseUrl: string, now: number): Promise<Finding[]> {
  const { protocol, hostname, port } = new URL(baseUrl);
  if (protocol !== 'https:') {
    const text = `${hostname}, without TLS, on this machine`;
    return isLoopback(hostname)
      ? [well('service', text)]
      : [bad('service', `${hostname} is reached without TLS`, 'Use https.')];
  }
  const found = await readCertificate(hostname, port === '' ? 443 : Number(port));
  if ('reason' in found)
    return [bad('service', `${hostname}: ${found.reason}`, 'Check name, network and certificate.')];
  const days = Math.floor((found.validUntil - now) / DAY_MS);
  const text = `${hostname}, certificate valid for ${counted(days, 'day')}`;
  return [
    days < CERTIFICATE_DAYS
      ? note('service', text, 'It is the service’s to renew; ask for it.')
      : well('service', text),
  ];
}

function examineClock({ clockOffset, dialect }: ServiceOptions): Finding {
  const offset = clockOffset.offsetMs() / 1_000;
  const most = dialect.signing.timestampToleranceSeconds;
  const side = offset > 0 ? 'behind' : 'ahead of';
  const text = `${Math.abs(offset).toFixed(1)} s ${side} the service's, which accepts ${most} s either way`;
  if (Math.abs(offset) < 1) return well('clock', 'in step with the service');
  return Math.abs(offset) > most / 2
    ? bad('clock', text, SET_CLOCK)
    : note('clock', text, SET_CLOCK);
}

async function examineScopes(client: Client): Promise<Finding[]> {
  const lacking = await lackingScopes(client).catch((error: unknown) => reasonOf(error));
  if (typeof lacking === 'string')
    return [note('scopes', `they can't be examined: ${lacking}`, 'Run trimtab doctor again.')];
  if (lacking.length === 0) return [well('scopes', 'read, trade and algo')];
  const text = `the key lacks ${lacking.join(' and ')}`;
  return [bad('scopes', text, 'Give it the scopes, or leave out the strategies that need them.')];
}

async function examineWallet(wallet: string, options: ServiceOptions): Promise<Finding[]> {
  const { config, client, dialect, read } = options;
  const limit = dialect.limits.pageMax;
  const at = { wallet };
  const positions = await readEveryPage(limit, (query) => client.positions.list({ query, ...at }));
  const live = readLiveWork({ client, wallet, limit });
  const orders = await live.orders();
  const executions = await live.executions();
  const monitors = await live.monitors();
  const owned = config.strategies
    .filter((one) => one.wallet === wallet)
    .flatMap(({ symbols }) => symbols);
  const { isOrphan, formerOf } = await readOwners(wallet, options);
  const orphans = positions.filter((one) => one.size !== 0 && isOrphan(one));
  const spots = await readSpots(wallet, { client, limit, read, isKept: (one) => !isOrphan(one) });
  const rows: WatchRow[] = [];
  for (const { symbol } of positions) {
    const legs = await readEveryPage(limit, (query) =>
      client.positions.legs({ symbol, query, ...at }),
    );
    rows.push(...legs.map((leg) => toRow(leg, symbol)));
  }
  const bare = coverOf(wallet, { positions, rows, monitors }).filter((one) => !isCovered(one));
  const working = [...orders, ...executions];
  const foreign = await foreignOf(working, { read, owned });
  return [
    well(
      'positions',
      `${wallet}: ${positions.length + spots.held.length} open, ${counted(working.length, 'order or execution', 'orders and executions')}`,
    ),
    ...[...orphans, ...spots.orphans].map(({ symbol, side, size }) => {
      const place = placeName(wallet, symbol, tradedWallets(config.strategies));
      return bad(
        'orphan',
        `${wallet}: ${side} ${size} ${symbol}, which no strategy owns${formerOf(symbol)}`,
        `Start with a decision: ${commandOf(config, 'run', `--adopt ${symbol}=STRATEGY`)}; or with --ignore ${place} or --flatten ${place}.`,
      );
    }),
    ...spots.others.map(({ symbol, size }) =>
      note(
        'asset',
        `${wallet}: ${size} ${symbol}, which this bot did not buy or can't sell: too little`,
        'It counts in the equity, and the bot leaves it alone.',
      ),
    ),
    ...bare.map((cover) =>
      note(
        'no stop',
        `${wallet}: ${uncoveredSize(cover)} of ${cover.size} ${cover.symbol} have no acknowledged stop`,
        'Attach one, or let the strategy do so.',
      ),
    ),
    ...foreign.map(({ id, symbol }) =>
      note(
        'foreign',
        `${wallet}: ${id} on ${symbol} is not in this bot's journal`,
        'Another program trades the symbol; the bot leaves it alone.',
      ),
    ),
  ];
}

/** Who owns what on a wallet, as the bot decides it at its start: by the configuration, and by the journal. */
async function readOwners(wallet: string, { config, read }: ServiceOptions) {
  const ignored = await ignoredOn(wallet, read);
  // Without a journal there is no former owner; that it can't be read is a finding of its own.
  const facts = await read((reader) => reader.facts()).catch((): Record<string, string> => ({}));
  const former = (symbol: string): string | undefined => facts[ownerFactOf(wallet, symbol)];
  return {
    isOrphan({ symbol }: { symbol: string }): boolean {
      if (ignored.has(symbol)) return false;
      const owner = config.strategies.find(
        (one) => one.wallet === wallet && one.symbols.includes(symbol),
      );
      return owner === undefined || (former(symbol) ?? owner.name) !== owner.name;
    },
    formerOf: (symbol: string): string =>
      former(symbol) === undefined ? '' : `; it was ${former(symbol)}'s`,
  };
}

/**
 * A leg of a position, as the stream would show it. The list does not name the entry that a leg came with: its own id
 * takes that place, so that it counts with its size and not with the position's.
 */
function toRow({ leg_id: id, kind, status, size, coupled }: LegRecord, symbol: string): WatchRow {
  const entry = coupled === false ? { order_id: id } : {};
  return {
    watch_kind: 'leg',
    watch_id: id,
    leg_id: id,
    kind,
    symbol,
    status,
    size,
    coupled,
    ...entry,
  };
}

async function foreignOf(
  working: ReadonlyArray<OrderRecord | ExecutionRecord>,
  { read, owned }: { read: ServiceOptions['read']; owned: readonly string[] },
): Promise<Array<{ id: string; symbol: string }>> {
  const own = working.filter(({ symbol }) => owned.includes(symbol));
  if (own.length === 0) return [];
  const held = await read((reader) => reader.held(own.flatMap(keysOf))).catch(
    () => new Set<string>(),
  );
  return own
    .filter((record) => !keysOf(record).some((key) => held.has(key)))
    .map((record) => ({
      id: idOf(record),
      symbol: record.symbol,
    }));
}

const idOf = (record: OrderRecord | ExecutionRecord): string =>
  'order_id' in record
    ? (record as OrderRecord).order_id
    : (record as ExecutionRecord).execution_id;
