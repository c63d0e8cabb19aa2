/** A bot as `trimtab run` assembles it, with a script for a strategy and ports that may end it. */
import { createLiveEnv } from '../../../src/env/index.ts';
import { defaultDialect, SCOPES } from '../../../src/contract/index.ts';
import { decodeFrame } from '../../../src/frames/index.ts';
import { idempotencyKeyOf } from '../../../src/journal/index.ts';
import { createPostgresStore } from '../../../src/journal/postgres/index.ts';
import { controlFilesOf, pollCommands } from '../../../src/operate/control/index.ts';
import { keepJournalSmall } from '../../../src/operate/journal/keepJournalSmall.ts';
import { createBot } from '../../../src/runtime/createBot.ts';
import { createWireLink } from '../../../src/runtime/links/createWireLink.ts';
import {
  createClient,
  createClockOffset,
  createHttpClient,
  createSigner,
  createSocket,
} from '../../../src/wire/index.ts';
import { createTransport } from '../../../src/wire/createTransport.ts';
import { OLD } from '../oldIntents.ts';
import { SCRIPTS, SYMBOL } from '../script.ts';
import { ORDERS, type ChaosOrders } from './ChaosOrders.ts';
import { createMortalLink } from './createMortalLink.ts';
import type { MortalStore } from './MortalStore.ts';
import { createMortalDatabase } from './createMortalDatabase.ts';
import { createMortalFile } from './createMortalFile.ts';
import { createMortalTransport } from './createMortalTransport.ts';
import { createReach, say } from './createReach.ts';
import { createScriptStrategy } from './createScriptStrategy.ts';

const orders = JSON.parse(process.env[ORDERS]!) as ChaosOrders;
const { baseUrl, wsUrl, keyId, secret, wallet, path, database, durability } = orders;
const INSTANCE = 'script';
const LOOK_MS = 100;
const dialect = defaultDialect;
const env = createLiveEnv();
const reach = createReach(orders.armed);
const script = SCRIPTS[orders.script];
say({ kind: 'loaded', sinceStartMs: performance.now() });
let isDraining = false;

function fail(error: unknown): never {
  say({
    kind: 'failed',
    reason: error instanceof Error ? (error.stack ?? error.message) : String(error),
  });
  process.exit(1);
}

async function openStore(): Promise<MortalStore> {
  const mortal = { durability, reach, isDraining: () => isDraining };
  if (database === undefined) return createMortalFile(path, mortal);
  const options = { ...database, env, durability, onLost: fail };
  return createMortalDatabase(await createPostgresStore(options), mortal);
}
const { store, isSending } = await openStore().catch(fail);

const clockOffset = createClockOffset();
const offsetMs = (): number => clockOffset.offsetMs();
const signer = createSigner({ keyId, secret, dialect, clock: env.clock, offsetMs });
const origin = new URL(baseUrl);
const plain = createTransport({ origin: origin.origin, env });
const transport = createMortalTransport(plain, origin, reach);
const http = createHttpClient({ baseUrl, dialect, signer, env, clockOffset, transport });
const decode = (text: string) => decodeFrame(text, dialect);
const socket = createSocket({ wsUrl, dialect, signer, env, decode, clockOffset });
const retained = new Set(store.openIntents().map(({ key }) => key));
const wire = createWireLink({ http, socket, env, market: 'frames', clockOffset });
const link = createMortalLink(wire, {
  reach,
  isDraining: () => isDraining,
  isPersisted: (key) => retained.has(key),
  isRecorded: isSending,
  onUnrecorded: (key) => fail(`${key} was sent before the journal had it`),
});

function stateOf(decision: string) {
  for (let generation = 0; ; generation++) {
    const key = idempotencyKeyOf(`${wallet}/${INSTANCE}/${decision}#0`, generation);
    const state = store.stateOf(key);
    if (state !== 'absent') return state ?? (generation === 0 ? undefined : 'absent');
  }
}

/** The script is done, and old intents are retired. */
const finished = Promise.withResolvers<void>();
const finish = (): void => {
  if (store.intents()[0]?.instance !== OLD) return finished.resolve();
  setTimeout(finish, LOOK_MS);
};
const strategy = createScriptStrategy({
  script,
  paceMs: orders.paceMs,
  stateOf,
  onEmit: () => reach.reach('emit'),
  onStep(done) {
    const { user, system } = process.cpuUsage();
    const cpuMs = (user + system) / 1_000;
    say({ kind: 'step', done, sinceStartMs: performance.now(), cpuMs });
    if (done === script.length) finish();
  },
  onFailed: fail,
});

const client = createClient(http, dialect);
const { items: instruments } = await client.market.instruments();
const bot = createBot({
  plan: {
    dialect,
    seed: 1,
    strategies: [
      { strategy, params: {}, name: INSTANCE, symbols: [SYMBOL], wallet, capitalShare: 1 },
    ],
    guards: {},
    budget: { limit: 1_200, share: 0.9, reserveShare: 0.3, reserveFloor: 40, clock: 'wall' },
    concurrency: 8,
    instruments,
    scopes: SCOPES,
    resyncMs: 300_000,
    markInterval: () => '1m',
  },
  link,
  env,
  store,
  defaultWallet: '',
  onFatal: fail,
});
bot.events$.subscribe((event) => {
  if (event.kind === 'intent' && event.event.state === 'guarded') reach.reach('guard');
  if (event.kind === 'recovered') {
    say({ kind: 'recovered', sinceStartMs: performance.now() });
  }
  if (event.kind === 'strategy_fault') fail(event.fault.reason);
});

const polled = { bot, env, files: controlFilesOf(path), pid: process.pid };
const commands = pollCommands({ ...polled, instances: [], wallets: [] });
await bot.start();
const stopKeeping = keepJournalSmall({ store, env, keepDays: 30 });

const asked = new Promise<'asked'>((resolve) => process.once('SIGTERM', () => resolve('asked')));
const end = await Promise.race([asked, finished.promise]);
isDraining = end === 'asked';
commands.closeCommands();
commands.end('in_order');
stopKeeping();
await bot.stop({ policy: end === 'asked' ? 'pause' : 'leave' });
if (end !== 'asked') say({ kind: 'done', passages: reach.passages });
process.exit(0);
