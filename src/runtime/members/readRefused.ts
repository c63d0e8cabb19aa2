import type { Subscription } from 'rxjs';
import type { Env } from '../../env/index.ts';
import type { Streams } from '../../streams/index.ts';
import type { Accepted, Exposure, Reading, RecordKind, WorkKind } from '../wallet/index.ts';

export interface ReadRefusedOptions {
  streams: Pick<Streams, 'wallet'>;
  env: Pick<Env, 'clock' | 'log'>;
  exposure: Pick<Exposure, 'unshown' | 'seen'>;
  accepted: Pick<Accepted, 'isUnseen'>;
  /** Reads the open records of some kinds from the service, until a monotonic time; what it finds ended is unseen no more. */
  read(wallet: string, until: number, kinds?: readonly WorkKind[]): Promise<Reading>;
}

const READ_WITHIN_MS = 30_000;

/**
 * Where the service shows the executions or monitors of a wallet to nobody, what the bot made of them counts until the
 * service says that it is over: with each snapshot of the account it is asked. Each kind is known by its own list, since
 * a service that refuses a channel may lack the list as well.
 */
export function readRefused(wallet: string, options: ReadRefusedOptions): Subscription {
  const { streams, env, exposure, accepted, read } = options;
  const source = streams.wallet(wallet);
  const refused = new Set<RecordKind>();
  /** Kinds of which it was reported that they can't be read. */
  const reported = new Set<RecordKind>();
  let isReading = false;
  let last: unknown;

  async function look(): Promise<void> {
    const waiting = [...refused].flatMap((kind) =>
      exposure.unshown(wallet, kind).map((id) => ({ kind, id })),
    );
    if (isReading || waiting.length === 0) return;
    isReading = true;
    const kinds = [...new Set(waiting.map(({ kind }) => kind))];
    const reading = await read(wallet, env.clock.monotonicNow() + READ_WITHIN_MS, kinds);
    isReading = false;
    // A link that closes with the bot answers nothing more.
    if (subscription.closed) return;
    for (const kind of kinds) report(kind, reading);
    const { executions, monitors } = reading.work;
    const open = new Set([
      ...executions.map(({ execution_id: id }) => id),
      ...monitors.map(({ monitor_id: id }) => id),
    ]);
    for (const { kind, id } of waiting) {
      const isRead = reading.ok || !reading.failed.has(kind);
      if (isRead && !open.has(id) && !accepted.isUnseen(id)) exposure.seen(id);
    }
  }

  function report(kind: RecordKind, reading: Reading): void {
    const unread = reading.ok ? undefined : reading.failed.get(kind);
    if (unread === undefined) return void reported.delete(kind);
    if (reported.has(kind)) return;
    reported.add(kind);
    const fields = { wallet, reason: unread.reason };
    env.log.warn(
      `The ${kind}s are neither shown nor read; what was accepted counts in full`,
      fields,
    );
  }

  const subscription = source.executionsRefused$.subscribe(() => void refused.add('execution'));
  subscription.add(source.monitorsRefused$.subscribe(() => void refused.add('monitor')));
  subscription.add(source.executionsShown$.subscribe(() => void refused.delete('execution')));
  subscription.add(source.monitorsShown$.subscribe(() => void refused.delete('monitor')));
  subscription.add(
    source.account$.subscribe(({ account }) => {
      if (account !== last) void look();
      last = account;
    }),
  );
  return subscription;
}
