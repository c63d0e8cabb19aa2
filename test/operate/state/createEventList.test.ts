import { expect, test } from 'vitest';
import { keepSecret } from '../../../src/env/index.ts';
import { createEventList } from '../../../src/operate/state/createEventList.ts';

test('no event has a secret of this process, in its text or in a field', () => {
  keepSecret('a-password-of-the-event-list');
  const events = createEventList({ now: () => 1, wallNow: () => 2, sequence: () => 3 });
  const log = events.log.with({ strategy: 'own' });
  log.warn('It threw: a-password-of-the-event-list', {
    reason: 'vs_0123456789abcdef is refused',
    size: 0.1,
    isLast: true,
  });
  expect(events.newest(10)).toMatchObject([
    {
      text: 'It threw: [secret]',
      fields: { strategy: 'own', reason: '[secret] is refused', size: 0.1, isLast: true },
    },
  ]);
});
