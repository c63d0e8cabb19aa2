import type { PgClient } from './PgClient.ts';

/**
 * The client, with each statement sent once the one before has its answer. The driver's own queue for them warns on
 * standard error, and goes with its next major version.
 */
export function oneByOne<T extends Pick<PgClient, 'query'>>(client: T): T {
  const send = client.query.bind(client);
  let before: Promise<unknown> = Promise.resolve();
  client.query = (statement) => {
    const answer = before.then(() => send(statement));
    before = answer.catch(() => {});
    return answer;
  };
  return client;
}
