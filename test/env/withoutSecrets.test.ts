/** What a process holds as a secret is in no text of somebody else's, in whatever form it is quoted. */
import { expect, test } from 'vitest';
import { Secret } from '../../src/config/index.ts';
import { keepSecret, withoutSecrets } from '../../src/env/index.ts';
import { secretsOf } from '../../src/operate/notify/createRedaction.ts';

test.each([
  [
    'the password of a database, as it is written and as it is meant',
    'postgres://canary:c%40nary-one@host/db',
    ['c%40nary-one', 'c@nary-one', 'postgres://canary:c%40nary-one@host/db'],
  ],
  [
    'the path of a hook, with its query and without',
    'https://hooks.example/services/T0/canary-two?wait=canary-three',
    ['/services/T0/canary-two?wait=canary-three', '/services/T0/canary-two'],
  ],
  ['a token', 'canary-four-token', ['canary-four-token']],
])('%s', (_name, secret, quoted) => {
  keepSecret(secret);
  for (const form of quoted) {
    const text = withoutSecrets(`refused: "${form}", twice: ${form}.`);
    expect(text).toBe('refused: "[secret]", twice: [secret].');
  }
});

test('one that is a part of another leaves nothing of the longer one, and none is forgotten', () => {
  keepSecret('canary-five');
  keepSecret('canary-five-and-more');
  keepSecret('canary-six-unlike');
  expect(withoutSecrets('canary-five-and-more canary-five canary-six-unlike')).toBe(
    '[secret] [secret] [secret]',
  );
});

test('every secret of the service is hidden, also one that this process does not hold', () => {
  expect(withoutSecrets('vs_canary-A1, then vs_canary_B2.')).toBe('[secret], then [secret].');
});

test('what has no secret part, or is an ordinary word, is left as it is', () => {
  keepSecret('postgres://host/database');
  keepSecret('short');
  const text = 'postgres://host/database is short';
  expect(withoutSecrets(text)).toBe(text);
});

test('a secret of a configuration is found wherever it is', () => {
  const config = {
    link: { secret: new Secret('canary-seven') },
    operate: { notify: { channels: [{ url: new Secret('https://hook.example/canary-eight') }] } },
  };
  const found = secretsOf(config as never);
  expect(found).toContain('canary-seven');
  expect(found).toContain('/canary-eight');
});
