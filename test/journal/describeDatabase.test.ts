import fc from 'fast-check';
import { expect, test } from 'vitest';
import { describeDatabase, withoutPassword } from '../../src/journal/describeDatabase.ts';
import { unreachable } from '../../src/journal/postgres/connectPg.ts';
import { holdLaw } from '../holdLaw.ts';

/** Of letters that no other part of the messages has. */
const secret = fc
  .array(fc.constantFrom('Q', 'X', 'Z', '@', '/', '%', ' ', '#'), { minLength: 1, maxLength: 12 })
  .map((letters) => `J${letters.join('')}J`);
const message = fc.array(fc.constantFrom('url', 'plain', 'encoded', 'words'), { maxLength: 8 });

test('a password is in no message, however often and however spelt a driver repeats it', async () => {
  await holdLaw(500, fc.tuple(secret, message), ([password, parts]) => {
    const url = `postgres://bot:${encodeURIComponent(password)}@db.example:5432/journal`;
    const spelt = {
      url,
      plain: password,
      encoded: encodeURIComponent(password),
      words: 'refused by',
    };
    const text = parts.map((part) => spelt[part as keyof typeof spelt]).join(' ');
    expect(withoutPassword(text, url)).not.toContain('J');
    expect(withoutPassword(text, url).split('refused by')).toHaveLength(
      parts.filter((part) => part === 'words').length + 1,
    );
    expect(describeDatabase(url)).toBe('postgres://bot@db.example:5432/journal');
  });
});

test('one that is given as a parameter, or is not well encoded, is removed as well', () => {
  const asParameter = 'postgres://bot@db.example/journal?password=Q%40Z&sslmode=require';
  expect(withoutPassword('auth of Q@Z and Q%40Z failed', asParameter)).toBe(
    'auth of [secret] and [secret] failed',
  );
  expect(describeDatabase(asParameter)).toBe('postgres://bot@db.example/journal');
  const malformed = 'postgres://bot:Q%ZZ@db.example/journal';
  expect(withoutPassword('URI malformed: Q%ZZ', malformed)).toBe('URI malformed: [secret]');
});

test('an address that cannot be read is hidden whole', () => {
  expect(withoutPassword('no host in postgres://:x@:y', 'postgres://:x@:y')).toBe(
    'no host in postgres://…',
  );
});

test('a database that can’t be used says why, without its password', () => {
  const url = 'postgres://bot:p%40ss-word@db.example:5432/bots?sslmode=require';
  for (const [text, shown] of [
    [`Invalid connection string: ${url}`, 'Invalid connection string: [secret].'],
    ['password p@ss-word of bot was refused', 'password [secret] of bot was refused.'],
    ['p%40ss-word', '[secret].'],
    ['', 'it does not answer.'],
  ] as const) {
    const { code, message, cause } = unreachable(new Error(text), url);
    expect([code, cause]).toEqual(['unreachable', undefined]);
    expect(message).toBe(
      `The database postgres://bot@db.example:5432/bots can't be used: ${shown}\n` +
        '  Check its address, that it runs, and the rights of that user.',
    );
  }
});
