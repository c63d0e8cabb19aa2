import { expect, test } from 'vitest';
import { withFullStop, withoutFullStop } from '../../src/env/index.ts';

test.each([
  ['it is full', 'it is full.'],
  ['it is full.', 'it is full.'],
  ['do they belong together?', 'do they belong together?'],
  ['at last!', 'at last!'],
  ['and so on…', 'and so on…'],
])('%j ends as a sentence, once', (text, sentence) => {
  expect(withFullStop(text)).toBe(sentence);
});

test('a part of a sentence has no end of its own, and keeps what it asks', () => {
  expect(withoutFullStop('bad_signature: It does not match.')).toBe(
    'bad_signature: It does not match',
  );
  expect(withoutFullStop('why?')).toBe('why?');
});
