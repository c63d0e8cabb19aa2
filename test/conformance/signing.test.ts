import { expect, test } from 'vitest';
import { runConformance, type ClauseId } from '../../src/conformance/index.ts';
import { createActor } from '../../src/conformance/kit/createActor.ts';
import { createDialect, defaultDialect, type Dialect } from '../../src/contract/index.ts';
import { createLiveEnv } from '../../src/env/index.ts';
import type { PaperServer } from '../../src/paper/index.ts';
import { createSigner } from '../../src/wire/createSigner.ts';
import { startService } from './startService.ts';

type Handle = PaperServer['core']['handleHttp'];

interface Staged {
  /** That of the checks. */
  dialect?: Dialect;
  /** That of the service, where it is another one. */
  service?: Dialect;
  as?: (handle: Handle) => Handle;
}

/** The verdicts of a clause's checks, by title. */
async function verdictsOf(
  only: ClauseId,
  { dialect = defaultDialect, service, as = (handle) => handle }: Staged = {},
): Promise<ReadonlyMap<string, string>> {
  const server = await startService({ budget_clock: 'replay' }, service ?? dialect);
  server.core.handleHttp = as(server.core.handleHttp);
  const verdicts = new Map<string, string>();
  const onCheck = ({ title }: { title: string }, { result }: { result: string }): void =>
    void verdicts.set(title, result);
  try {
    await runConformance({ ...server, dialect, env: createLiveEnv(), only: [only], onCheck });
  } finally {
    await server.close();
  }
  return verdicts;
}

const EACH_HEADER = 'each of the three headers is needed';

test.each(['Api-Key-Id', 'Timestamp', 'Signature'])(
  'AUTH-1: a service that does without %s differs',
  async (name) => {
    const header = `x-service-${name.toLowerCase()}`;
    const verdicts = await verdictsOf('AUTH-1', {
      as: (handle) => (raw) => {
        const answer = handle(raw);
        const isLacking = !Object.keys(raw.headers).some((one) => one.toLowerCase() === header);
        const isRefused = answer.status === 401 && answer.bodyText.includes('missing_credentials');
        return isLacking && isRefused ? { ...answer, status: 200, bodyText: '{}' } : answer;
      },
    });
    expect(verdicts.get(EACH_HEADER)).toBe('differs');
  },
);

test('AUTH-1: a service that takes a signature in capitals differs', async () => {
  const verdicts = await verdictsOf('AUTH-1', {
    as: (handle) => (raw) => {
      const lowered = Object.entries(raw.headers).map(([name, value]) =>
        name.toLowerCase() === 'x-service-signature' ? [name, value?.toLowerCase()] : [name, value],
      );
      return handle({ ...raw, headers: Object.fromEntries(lowered) as typeof raw.headers });
    },
  });
  expect(verdicts.get('the signature is lowercase hex')).toBe('differs');
});

const signing = (signQueryString: boolean): Dialect =>
  createDialect({ signing: { signQueryString } });

test.each([true, false])(
  'AUTH-8: a query is signed, or not, as the dialect says (signed: %s)',
  async (isSigned) => {
    const [dialect, other] = [signing(isSigned), signing(!isSigned)];
    const holding = await verdictsOf('AUTH-8', { dialect });
    expect(new Set(holding.values())).toEqual(new Set(['holds']));
    const differing = await verdictsOf('AUTH-8', { dialect, service: other });
    expect(differing.get('the query is part of the signed path')).toBe('differs');
  },
);

interface Sent {
  headers: Readonly<Record<string, string>>;
}

test('a path that is signed instead is below the service’s address, whatever the dialect signs of a query', async () => {
  const clock = { wallNow: () => 1_735_689_600_000, monotonicNow: () => 0 };
  const sent: Sent[] = [];
  const key = { keyId: 'vk_a', secret: 'secret' };
  for (const isSigned of [true, false]) {
    const actor = createActor({
      ...key,
      wallet: 'main',
      prefix: '/api',
      dialect: signing(isSigned),
      transport: {
        send: async (request: Sent) => {
          sent.push(request);
          return { kind: 'answered', response: { status: 200, headers: {}, body: '{}' } };
        },
      },
      env: { clock },
      offsetMs: () => 0,
      trace: { note: () => {} },
      waitForBudget: async () => {},
    } as unknown as Parameters<typeof createActor>[0]);
    for (const path of ['/v1/orders', '/v1/orders?limit=3'])
      await actor.raw({
        method: 'GET',
        path: '/v1/orders?limit=3',
        signing: { instead: { path } },
      });
  }
  const signer = createSigner({ ...key, dialect: signing(true), clock });
  const signed = ['/api/v1/orders', '/api/v1/orders?limit=3'].map(
    (path) => signer.sign({ method: 'GET', path, body: '' })['X-Service-Signature'],
  );
  expect(sent.map(({ headers }) => headers['X-Service-Signature'])).toEqual([...signed, ...signed]);
});
