import type { Subscription } from 'rxjs';
import type { Clock } from '../../env/index.ts';
import type { Streams } from '../../streams/index.ts';
import type { Accepted, Exposure, Reading, RecordKind } from '../wallet/index.ts';

export interface ReadRefusedOptions {
  streams: Pick<Streams, 'wallet'>;
  env: { clock: Clock };
  exposure: Pick<Exposure, 'unshown' | 'seen'>;
  accepted: Pick<Accepted, 'isUnseen'>;
  /** Reads the open records from the service, until a monotonic time; what it finds ended is unseen no more. */
  read(wallet: string, until: number): Promise<Reading>;
}

const READ_WITHIN_MS = 30_000;

/**
 * Where the service shows the executions or monitors of a wallet to nobody, what the bot made of them counts until the
 * service says that it is over: with each snapshot of the account it is asked.
 */
export function readRefused(wallet: string, options: ReadRefusedOptions): Subscription {
  const { streams, env, exposure, accepted, read } = options;
  const source = streams.wallet(wallet);
  const refused = new Set<RecordKind>();
  let isReading = false;
  let last: unknown;

  async function look(): Promise<void> {
    const ids = [...refused].flatMap((kind) => exposure.unshown(wallet, kind));
    if (isReading || ids.length === 0) return;
    isReading = true;
    await read(wallet, env.clock.monotonicNow() + READ_WITHIN_MS);
    isReading = false;
    for (const id of ids) if (!accepted.isUnseen(id)) exposure.seen(id);
  }

  const subscription = source.executionsRefused$.subscribe(() => void refused.add('execution'));
  subscription.add(source.monitorsRefused$.subscribe(() => void refused.add('monitor')));
  subscription.add(
    source.account$.subscribe(({ account }) => {
      if (account !== last) void look();
      last = account;
    }),
  );
  return subscription;
}
