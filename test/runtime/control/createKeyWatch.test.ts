import { expect, test } from 'vitest';
import { createKeyWatch } from '../../../src/runtime/control/createKeyWatch.ts';
import type { Exchange } from '../../../src/contract/index.ts';
import type { PipeEvent } from '../../../src/runtime/PipeEvent.ts';

const lost = (reason: string) => ({ state: 'lost', reason }) as const;
const rejected = (code: string) =>
  ({ state: 'rejected', fault: { code, message: '' } }) as PipeEvent;

test('a refused key is reported once, until it is accepted again', () => {
  const reported: string[] = [];
  const watch = createKeyWatch((code) => reported.push(code));
  watch.status(lost('refused_401_unknown_key'));
  watch.status(lost('refused_401_unknown_key'));
  watch.intent(rejected('unknown_key'));
  expect(reported).toEqual(['unknown_key']);
  watch.status({ state: 'open' });
  watch.intent(rejected('invalid_signature'));
  watch.intent({ ...rejected(''), state: 'accepted' });
  watch.status(lost('refused_401_session_credentials_refused'));
  expect(reported).toEqual(['unknown_key', 'invalid_signature', 'session_credentials_refused']);
  // By a read of someone else.
  watch.accepted();
  watch.intent(rejected('unknown_key'));
  watch.intent(rejected('unknown_key'));
  expect(reported.slice(3)).toEqual(['unknown_key']);
});

const answered = (status: number, body: unknown): Exchange => ({
  kind: 'answered',
  response: { status, headers: {}, body },
});
const envelope = (code: string) => ({ error: { code, message: '' }, request_id: 'req_1' });

test('a read that is refused tells of it, and a proxy’s page does not', () => {
  const reported: string[] = [];
  const watch = createKeyWatch((code) => reported.push(code));
  watch.leaves()(answered(200, { layers: [] }));
  watch.leaves()(answered(401, { message: 'log in' }));
  watch.leaves()(answered(401, envelope('timestamp_out_of_window')));
  watch.leaves()(answered(403, envelope('insufficient_scope')));
  watch.leaves()({ kind: 'no_answer', reason: 'timeout' });
  expect(reported).toEqual([]);
  watch.leaves()(answered(401, envelope('unknown_key')));
  watch.leaves()(answered(401, envelope('unknown_key')));
  watch.intent(rejected('unknown_key'));
  expect(reported).toEqual(['unknown_key']);
});

test('an answer to a request of before a key was accepted is not about that key', () => {
  const reported: string[] = [];
  const watch = createKeyWatch((code) => reported.push(code));
  const before = watch.leaves();
  watch.accepted();
  before(answered(401, envelope('unknown_key')));
  expect(reported).toEqual([]);
  watch.leaves()(answered(401, envelope('unknown_key')));
  expect(reported).toEqual(['unknown_key']);
});

test('a clock, a scope, a lost connection and a proxy’s 401 are not a refused key', () => {
  const reported: string[] = [];
  const watch = createKeyWatch((code) => reported.push(code));
  for (const reason of [
    'closed_1006',
    'stalled',
    'refused_503',
    'refused_401',
    'refused_403_insufficient_scope',
  ])
    watch.status(lost(reason));
  watch.status(lost('refused_401_timestamp_out_of_window'));
  for (const code of ['timestamp_out_of_window', 'insufficient_scope', 'their_own_code'])
    watch.intent(rejected(code));
  expect(reported).toEqual([]);
});
