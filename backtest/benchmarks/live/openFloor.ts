import { createHmac } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { Pool } from 'undici';
import { WebSocket } from 'ws';

/** What a launch writes into the journal before it is sent, about; and what after the answer. */
const BEFORE = 'x'.repeat(900);
const AFTER = 'x'.repeat(500);
const BODY = JSON.stringify({
  algo: 'pacemaker',
  symbol: 'BTC',
  side: 'buy',
  total_size: 0.01,
  params: { duration_seconds: 60 },
  client_execution_id: '00000000-0000-5000-8000-000000000000',
});

/**
 * The least that can be done: the text parsed, one row appended durably (the same SQLite mode on the
 * same disk), the request signed and handed to the same library; one more row upon the answer.
 */
export async function openFloor(port: number, path: string): Promise<{ close(): Promise<void> }> {
  const db = new DatabaseSync(path);
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE log (data TEXT)');
  const insert = db.prepare('INSERT INTO log VALUES (?)');
  const append = (data: string): void => {
    db.exec('BEGIN IMMEDIATE');
    insert.run(data);
    db.exec('COMMIT');
  };
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: 16, pipelining: 1 });
  const socket = new WebSocket(`ws://127.0.0.1:${port}/floor`, { perMessageDeflate: false });

  async function send(): Promise<void> {
    append(BEFORE);
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
    append(AFTER);
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
      db.close();
    },
  };
}
