import { expect, test } from 'vitest';
import type { Conclusions } from '../../../src/runtime/pipe/createConclusions.ts';
import type { Sending } from '../../../src/runtime/pipe/createSending.ts';
import type { SendItem } from '../../../src/runtime/pipe/PipeItem.ts';
import {
  approve,
  journalSending,
  markSent,
  type Approved,
  type Journaled,
  type Sent,
} from '../../../src/runtime/pipe/stations.ts';

/**
 * What the compiler must refuse: each line is checked by the type check, where an expected error that
 * does not come is an error itself. None of it runs.
 */
function skipStations(
  item: SendItem,
  { approved, journaled }: { approved: Approved; journaled: Journaled },
  { sending, conclusions }: { sending: Sending; conclusions: Conclusions },
): void {
  // @ts-expect-error nothing is sent that the guards did not pass
  sending.send(item);
  // @ts-expect-error nor is it journaled as being sent
  void journalSending(null as never, item, {});
  // @ts-expect-error a refusal approves nothing
  approve(item, { passed: false, guard: 'scope', reason: 'refused', passedGuards: [] });
  // @ts-expect-error what the journal does not have is not handed to the link
  markSent(approved, 0);
  // @ts-expect-error what was not sent has no answer
  void conclusions.accept(journaled, {});
  // @ts-expect-error nor was it refused
  void conclusions.reject(approved, { code: '', message: '' });
  // @ts-expect-error and nothing is unknown of it
  void conclusions.markUnknown(approved, 'no answer');
  // @ts-expect-error an approved item cannot be constructed directly
  const made: Approved = { ...item };
  // @ts-expect-error nor a sent one
  const sent: Sent = approved;
  void [made, sent];
}

test('the stages of the pipe cannot be skipped', () => {
  expect(skipStations).toBeTypeOf('function');
});
