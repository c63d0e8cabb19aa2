import { expect, test } from 'vitest';
import { oneByOne } from '../../src/journal/postgres/oneByOne.ts';
import type { PgResult, Statement } from '../../src/journal/postgres/PgClient.ts';

test('a statement is sent once the one before has its answer, or its refusal', async () => {
  const sent: string[] = [];
  const open: Array<PromiseWithResolvers<PgResult>> = [];
  const client = oneByOne({
    query({ text }: Statement) {
      sent.push(text);
      const answer = Promise.withResolvers<PgResult>();
      open.push(answer);
      return answer.promise;
    },
  });
  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  const [first, second, third] = ['one', 'two', 'three'].map((text) => client.query({ text }));
  await settled();
  expect(sent).toEqual(['one']);
  open[0]!.reject(new Error('refused'));
  await expect(first).rejects.toThrow('refused');
  await settled();
  expect(sent).toEqual(['one', 'two']);
  const answer = { rows: [], rowCount: 2 };
  open[1]!.resolve(answer);
  expect(await second).toBe(answer);
  await settled();
  expect(sent).toEqual(['one', 'two', 'three']);
  open[2]!.resolve(answer);
  expect(await third).toBe(answer);
});
