import { expect, test } from 'vitest';
import { controlExecution } from '../../../src/intents/index.ts';
import type { IntentState } from '../../../src/journal/index.ts';
import { createEarlyControls } from '../../../src/runtime/pipe/createEarlyControls.ts';
import type { PipeItem } from '../../../src/runtime/pipe/PipeItem.ts';
import { emission } from '../setUpPipe.ts';

/** Controls by what they are about; a name of that is known once it is answered. */
function setUp() {
  const states = new Map<string, IntentState>();
  const lines: string[] = [];
  const acts = new Map<string, () => void>();
  const early = createEarlyControls({
    reports: { report() {}, write() {}, end() {}, superseded() {} } as never,
    journal: { stateOf: (key) => states.get(key) },
    insteadOf: () => false,
    isClosed: () => false,
    evaluate({ key }) {
      lines.push(`${key} begins`);
      acts.get(key)?.();
      lines.push(`${key} ends`);
    },
  });
  const itemOf = (key: string, about: string, action: 'pause' | 'resume'): PipeItem => {
    const meant = { key: about, name: () => (states.get(about) === 'accepted' ? 'id' : undefined) };
    const { [action]: control } = controlExecution;
    return { key, meant, steps: [], emission: emission(key, control({ ref: about })) } as never;
  };
  return {
    early,
    lines,
    /** What happens while one is evaluated. */
    during: (key: string, act: () => void) => void acts.set(key, act),
    wait(key: string, about: string, action: 'pause' | 'resume') {
      states.set(about, 'sending');
      early.wait(itemOf(key, about, action), 'emitted');
    },
    take: (key: string, about: string) => early.take(itemOf(key, about, 'pause'), 'emitted'),
    accept(about: string) {
      states.set(about, 'accepted');
      early.follow({ state: 'accepted', key: about });
    },
  };
}

test('what is decided while others of its target go on comes after them, whatever else was answered meanwhile', () => {
  const { early, lines, during, wait, take, accept } = setUp();
  wait('a1', 'a', 'pause');
  wait('a2', 'a', 'resume');
  wait('b1', 'b', 'pause');
  wait('c1', 'c', 'pause');
  during('b1', () => accept('c'));
  during('a1', () => {
    accept('b');
    take('a3', 'a');
  });
  accept('a');
  expect(lines).toEqual([
    'a1 begins',
    'b1 begins',
    'c1 begins',
    'c1 ends',
    'b1 ends',
    'a1 ends',
    'a2 begins',
    'a2 ends',
    'a3 begins',
    'a3 ends',
  ]);
  // Nothing is left that goes on.
  lines.length = 0;
  for (const about of ['a', 'b', 'c']) take(`${about}9`, about);
  early.look();
  expect(lines).toEqual(['a9', 'b9', 'c9'].flatMap((key) => [`${key} begins`, `${key} ends`]));
});
