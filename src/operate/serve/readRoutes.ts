import type { Env } from '../../env/index.ts';
import { INTENT_STATES, isCursor, JournalFault, type JournalReader } from '../../journal/index.ts';
import { findLife } from '../journal/index.ts';
import { intentOf } from '../journal/formatIntents.ts';
import { explained } from './explained.ts';
import type { MetricsPage } from '../metrics/index.ts';
import type { BotState } from '../state/index.ts';
import { notFound, sendJson, sendText, type RouteFault } from './answer.ts';
import type { Admission } from './createAdmission.ts';
import type { Route, RouteCall } from './Route.ts';
import { createReportRoute } from './createReportRoute.ts';
import { wholeView, type EventStreams } from './streamEvents.ts';

export interface ReadRoutesOptions {
  state: BotState;
  streams: EventStreams;
  /** Whether the server takes commands. */
  control: boolean;
  admission: Pick<Admission, 'mayRead'>;
  metrics: Pick<MetricsPage, 'render'>;
  /** Runs with a reader of the bot's journal. */
  read<T>(use: (reader: JournalReader) => Promise<T>): Promise<T>;
  /** The bot's name. */
  name: string;
  env: Pick<Env, 'timers' | 'clock'>;
  /** Number of wallets that the bot trades on. */
  walletCount: number;
}

const MOST_INTENTS = 200;

/** Everything that is only read. */
export function readRoutes(options: ReadRoutesOptions): Route[] {
  const { state, streams, control } = options;
  const answerReport = createReportRoute(options);
  return [
    // That it answers at all says that the main loop beats.
    get('/healthz', 'open', ({ response }) => sendText(response, { text: 'ok\n' })),
    get('/readyz', 'open', (call) => answerReady(call, options)),
    get('/metrics', 'read', async ({ response }) =>
      sendText(response, await options.metrics.render()),
    ),
    get('/api/state', 'read', ({ response }) => sendJson(response, wholeView(state, control))),
    get('/api/events', 'read', ({ request, response }) => streams.open(request, response)),
    get('/api/candles', 'read', (call) => answerCandles(call, state)),
    get('/api/report', 'read', (call) => whileReadable(() => answerReport(call))),
    get('/api/intents', 'read', (call) => whileReadable(() => answerIntents(call, options))),
    get('/api/intents/:key', 'read', (call) => whileReadable(() => answerIntent(call, options))),
  ];
}

const get = (path: string, access: Route['access'], handle: Route['handle']): Route => ({
  method: 'GET',
  path,
  access,
  handle,
});

/** Ready: the stream is up and every account is known. Who may not read gets the verdict alone. */
function answerReady({ request, response }: RouteCall, options: ReadRoutesOptions): void {
  const { blocks } = options.state.view();
  const { connection, wallets, bot } = blocks;
  const reasons = [
    ...(connection.state === 'open' ? [] : [`the stream is ${connection.state}`]),
    ...(wallets.length < options.walletCount ? ['an account is not known yet'] : []),
    ...(bot.key_refused === null ? [] : ["the service refuses the bot's key"]),
  ];
  const ready = reasons.length === 0;
  const value = options.admission.mayRead(request) ? { ready, reasons } : { ready };
  sendJson(response, value, ready ? 200 : 503);
}

function answerCandles({ response, query }: RouteCall, state: BotState): void | RouteFault {
  const symbol = query.get('symbol') ?? '';
  const candles = state.candles(symbol);
  if (candles !== undefined) return sendJson(response, candles);
  return notFound(
    symbol === ''
      ? 'Name a symbol: /api/candles?symbol=BTC'
      : 'The bot does not trade this symbol.',
  );
}

async function answerIntents(
  { response, query }: RouteCall,
  { read }: ReadRoutesOptions,
): Promise<void | RouteFault> {
  const limit = Number(query.get('limit') ?? '50');
  if (!Number.isInteger(limit) || limit < 1 || limit > MOST_INTENTS)
    return invalid(`limit is a whole number from 1 to ${MOST_INTENTS}.`);
  const asked = (query.get('state') ?? '').split(',').filter((text) => text !== '');
  const states = INTENT_STATES.filter((state) => asked.includes(state));
  if (states.length < asked.length)
    return invalid(`state is one or more of ${INTENT_STATES.join(', ')}, separated by commas.`);
  const cursor = query.get('cursor');
  if (cursor !== null && !isCursor(cursor))
    return invalid('cursor is the next_cursor of the page before.');
  const strategy = query.get('strategy');
  const page = await read((reader) =>
    reader.find({
      limit,
      ...(states.length === 0 ? {} : { states }),
      ...(cursor === null ? {} : { cursor }),
      ...(strategy === null ? {} : { instance: strategy }),
    }),
  );
  const items = page.items.map((known) => ({
    key: known.key,
    strategy: known.instance,
    wallet: known.wallet,
    kind: known.kind,
    state: known.state,
    intent: intentOf(known),
    wall_opened: known.opened,
    wall_updated: known.updated,
    time: known.marketOpened,
  }));
  sendJson(response, { items, next_cursor: page.next });
}

async function answerIntent(
  { response, params }: RouteCall,
  { read }: ReadRoutesOptions,
): Promise<void | RouteFault> {
  const life = await read((reader) => findLife(reader, params['key']!));
  if (typeof life === 'string') return notFound(life);
  sendJson(response, explained(life));
}

/** A journal in memory, or one that can't be read, is the reader's to know and no fault of the server. */
async function whileReadable(answer: () => Promise<void | RouteFault>): Promise<void | RouteFault> {
  try {
    return await answer();
  } catch (error) {
    if (!(error instanceof JournalFault)) throw error;
    if (error.code === 'missing') return notFound(error.message);
    return { status: 503, code: 'journal_unreadable', message: error.message };
  }
}

export const invalid = (message: string): RouteFault => ({
  status: 422,
  code: 'invalid_request',
  message,
});
