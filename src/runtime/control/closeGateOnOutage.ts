import { combineLatest, distinctUntilChanged, map, type Subscription } from 'rxjs';
import type { Subscription as StreamSubscription } from '../../env/index.ts';
import type { Streams } from '../../streams/index.ts';
import { isHidden } from './closeGateUntilShown.ts';
import type { EntryGate } from './createEntryGate.ts';

const LOST = 'the stream is lost';
const MISSING = 'account frames are missing';

/** Whether a reason of the gate says that the books may lack what is open. */
export const isBlind = (reason: string): boolean =>
  reason === LOST || reason === MISSING || isHidden(reason);

/**
 * Keeps the entry gate closed while the bot can't see: a lost stream, an account that may lack frames, a layer
 * that the service reports as degraded (STR-4), prices or candles that have fallen silent.
 *
 * @param watchesSilence false on a replay that waits for the bot, where elapsed time means nothing
 * @param isDecidedOn whether a decision may rest on a stream; the silence of another closes nothing
 */
export function closeGateOnOutage(
  streams: Streams,
  wallets: readonly string[],
  gate: EntryGate,
  watchesSilence: boolean,
  isDecidedOn: (subscription: StreamSubscription) => boolean = () => true,
): Subscription {
  const closeForLayers = createReasons(gate);
  const subscription = streams.status$.subscribe(({ state }) => {
    if (state === 'open') gate.open(LOST);
    else gate.close(LOST);
  });
  subscription.add(
    streams.connectivity$.subscribe((connectivity) => {
      const degraded = Object.entries(connectivity).filter(([, status]) => status !== 'ok');
      closeForLayers(degraded.map(([name, status]) => `${name} is ${status}`));
    }),
  );
  const completeness = wallets.map((wallet) =>
    streams.wallet(wallet).account$.pipe(
      map(({ complete }) => complete),
      distinctUntilChanged(),
    ),
  );
  subscription.add(
    combineLatest(completeness).subscribe((complete) => {
      if (complete.every(Boolean)) gate.open(MISSING);
      else gate.close(MISSING);
    }),
  );
  if (watchesSilence) subscription.add(followSilence(streams, gate, isDecidedOn));
  return subscription;
}

function followSilence(
  { silent$ }: Pick<Streams, 'silent$'>,
  gate: EntryGate,
  isDecidedOn: (subscription: StreamSubscription) => boolean,
): Subscription {
  const closeForSilent = createReasons(gate);
  return silent$.subscribe((silent) => {
    const reasons = silent.filter(isDecidedOn).map(({ channel, params }) => {
      const { symbol, interval } = params;
      return `${[channel, symbol, interval].filter(Boolean).join(' ')} is silent`;
    });
    closeForSilent(reasons);
  });
}

/** Closes the gate for all of these and then opens it for those that are over: it is never open in between. */
function createReasons(gate: EntryGate): (reasons: readonly string[]) => void {
  let closed: readonly string[] = [];
  return (reasons) => {
    for (const reason of reasons) gate.close(reason);
    for (const reason of closed) if (!reasons.includes(reason)) gate.open(reason);
    closed = reasons;
  };
}
