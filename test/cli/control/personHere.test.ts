import { hostname } from 'node:os';
import { expect, test } from 'vitest';
import { personHere } from '../../../src/cli/control/personHere.ts';

test('a person is named by user and host', () => {
  expect(personHere(() => ({ username: 'ann' }))).toBe(`ann at ${hostname()}`);
});

test('a user without a name is shown by number, and every command works', () => {
  const nameless = (): never => {
    throw new Error('uv_os_get_passwd returned ENOENT');
  };
  expect(personHere(nameless)).toMatch(new RegExp(`^user .+ at ${hostname()}$`));
});
