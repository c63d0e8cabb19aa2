import { expect, test } from 'vitest';
import { explainFailure, failureAsJson } from '../../../src/cli/failures/explainFailure.ts';
import { keepSecret } from '../../../src/env/index.ts';

const SECRET = 'a-password-of-the-database';

test.each([
  ['text', explainFailure],
  ['JSON', failureAsJson],
])('as %s no secret is in what a failure says, nor in its causes', (_what, explain) => {
  keepSecret(SECRET);
  const cause = new Error(`the server at ${SECRET} is away`, { cause: `also ${SECRET}` });
  for (const thrown of [new Error(`no ${SECRET}`, { cause }), `only ${SECRET}`, cause]) {
    for (const isDebug of [false, true]) {
      const { text } = explain(thrown, isDebug);
      expect(text).toContain('[secret]');
      expect(text).not.toContain(SECRET);
    }
  }
  const { text } = explain(new Error('first', { cause }), true);
  for (const part of ['first', 'the server at [secret] is away', 'also [secret]'])
    expect(text).toContain(part);
});
