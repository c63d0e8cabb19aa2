/** A process that sends signed requests as fast as the budget that it shares with others lets it. */
import { once } from 'node:events';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createInterface } from 'node:readline';
import { createSharedBudget, type Lane } from '../../src/budget/index.ts';
import { createPostgresLedger } from '../../src/budget/createPostgresLedger.ts';
import { createDialect } from '../../src/contract/index.ts';
import { createLiveEnv } from '../../src/env/index.ts';
import { createHttpClient } from '../../src/wire/createHttpClient.ts';
import { createSigner } from '../../src/wire/createSigner.ts';

export interface SpenderOptions {
  baseUrl: string;
  keyId: string;
  secret: string;
  url: string;
  member: string;
  lane: Lane;
  /** Of each request: 2 reads the account, 5 its P&L. */
  weight: 2 | 5;
  windowMs: number;
  limit: number;
  /** From the start, which all are told together on standard input, in epoch milliseconds. */
  runMs: number;
}

const options = JSON.parse(process.argv[2]!) as SpenderOptions;
const { baseUrl, keyId, secret, url, member, lane, weight, windowMs, limit } = options;
const env = createLiveEnv();
const dialect = createDialect({ budget: { windowMs, standard: limit } });
const signer = createSigner({ keyId, secret, dialect, clock: env.clock });
const http = createHttpClient({ baseUrl, dialect, signer, env });
const ledger = await createPostgresLedger({ url, key: keyId, member });
const budget = await createSharedBudget({
  ledger,
  timers: env.timers,
  limit,
  windowMs,
  share: 0.9,
  reserveShare: 0.3,
  reserveFloor: 40,
  now: () => env.clock.wallNow(),
});
const pause = (delayMs: number) =>
  new Promise<void>((resolve) => void env.timers.after(delayMs, resolve));

/**
 * How late a timer of this process was at most, and an answer to it: what is sent or served so late counts in another
 * window than was meant.
 */
let slowestMs = 0;
const late = monitorEventLoopDelay({ resolution: 10 });
late.enable();
const statuses: Record<string, number> = {};
let spent = 0;
let underWay = 0;

async function send(): Promise<void> {
  underWay++;
  const sentAt = env.clock.monotonicNow();
  const blank = { pathParams: {}, body: '' };
  const exchange = await http.request(
    weight === 2
      ? { ...blank, endpoint: 'account.get', query: {} }
      : { ...blank, endpoint: 'account.pnl', query: { start_time: 1 } },
  );
  underWay--;
  slowestMs = Math.max(slowestMs, env.clock.monotonicNow() - sentAt);
  const status = exchange.kind === 'answered' ? exchange.response.status : exchange.kind;
  statuses[status] = (statuses[status] ?? 0) + 1;
  if (exchange.kind !== 'answered') return;
  const remaining = exchange.response.headers['x-service-weight-remaining'];
  if (remaining !== undefined) budget.learnRemaining(Number(remaining));
}

process.stdout.write('ready\n');
const [startTime] = (await once(createInterface(process.stdin), 'line')) as [string];
await pause(Number(startTime) - env.clock.wallNow());
late.reset();
const endTime = Number(startTime) + options.runMs;
while (env.clock.wallNow() < endTime) {
  const admission = budget.admit(lane, weight);
  if (admission.admitted && underWay < 8) {
    budget.spend(weight, lane);
    spent += weight;
    void send();
  } else {
    const until = admission.admitted ? 0 : admission.until;
    await pause(Math.max(1, until - env.clock.wallNow()));
  }
}
while (underWay > 0) await pause(5);
await budget.close();
await http.close();
const lateMs = Math.max(slowestMs, late.max / 1e6);
process.stdout.write(`${JSON.stringify({ statuses, spent, lateMs })}\n`);
