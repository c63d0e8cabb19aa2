import { createHmac, randomUUID } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { Pool } from 'undici';
import { WebSocket } from 'ws';
import {
  createSqliteStore,
  type IntentState,
  type JournalEntry,
} from '../../../src/journal/index.ts';

/** Appends durably before a request is sent, and after its response. */
export interface FloorLog {
  before(): void;
  after(): void;
  close(): void;
}

/** Approximate bytes that a launch writes into the journal before it is sent, and after the response. */
const BEFORE = 'x'.repeat(900);
const AFTER = 'x'.repeat(500);

/** One row per append, in one table. */
export function openBareLog(path: string): FloorLog {
  const db = new DatabaseSync(path);
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE log (data TEXT)');
  const insert = db.prepare('INSERT INTO log VALUES (?)');
  const append = (data: string): void => {
    db.exec('BEGIN IMMEDIATE');
    insert.run(data);
    db.exec('COMMIT');
  };
  return { before: () => append(BEFORE), after: () => append(AFTER), close: () => db.close() };
}

/** The same appends as a launch's, by the journal itself: rows, checksums and indices as they are. */
export function openJournalLog(path: string): FloorLog {
  const store = createSqliteStore(path);
  let key = '';
  const entry = (state: IntentState, data: string): JournalEntry => {
    const now = Date.now();
    return { key, state, wallTime: now, marketTime: now, data };
  };
  return {
    before() {
      key = randomUUID();
      const intent = { key, decisionKey: key, generation: 0, instance: 'eager', wallet: 'main' };
      void store.append({
        intent: { ...intent, kind: 'launch', intent: BEFORE.slice(0, 400) },
        entries: [
          entry('emitted', '{}'),
          entry('guarded', '{}'),
          entry('sending', BEFORE.slice(400)),
        ],
      });
    },
    after: () => void store.append({ entries: [entry('accepted', AFTER)] }),
    close: () => void store.close(),
  };
}
const BODY = JSON.stringify({
  algo: 'pacemaker',
  symbol: 'BTC',
  side: 'buy',
  total_size: 0.01,
  params: { duration_seconds: 60 },
  client_execution_id: '00000000-0000-5000-8000-000000000000',
});

/**
 * The least that can be done: the text parsed, one row appended durably (the same SQLite mode on the same
 * disk), the request signed and passed to the same library; one more row after the response.
 */
export async function openFloor(
  port: number,
  path: string,
  log: FloorLog,
): Promise<{ close(): Promise<void> }> {
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: 16, pipelining: 1 });
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, { perMessageDeflate: false });

  async function send(): Promise<void> {
    log.before();
    const timestamp = String(Math.floor(Date.now() / 1_000));
    const text = `${timestamp}POST/v1/execute${BODY}`;
    const signature = createHmac('sha256', 'vs_bench').update(text).digest('hex');
    const headers = {
      Accept: 'application/json',
      'User-Agent': 'trimtab',
      'Content-Type': 'application/json',
      'Idempotency-Key': '00000000-0000-5000-8000-000000000000',
      'X-Service-Api-Key-Id': 'vk_bench',
      'X-Service-Timestamp': timestamp,
      'X-Service-Signature': signature,
    };
    const answer = await pool.request({ method: 'POST', path: '/v1/execute', headers, body: BODY });
    await answer.body.json();
    log.after();
  }

  socket.on('message', (data: Buffer) => {
    const { event } = JSON.parse(data.toString()) as { event?: string };
    if (event === 'bar_closed') void send();
  });
  await new Promise((resolve) => socket.once('message', resolve));
  return {
    async close() {
      socket.terminate();
      await pool.destroy();
      log.close();
    },
  };
}
