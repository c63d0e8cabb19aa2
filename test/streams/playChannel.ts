import type { StreamFrame } from '../../src/contract/frames.ts';
import type { Subscription } from '../../src/env/Link.ts';
import type { ScriptedLink } from './ScriptedLink.ts';

/** What happens next to one subscription; what comes often stands here often. */
export const STEPS = [
  ...(['say', 'say', 'say', 'say', 'lose', 'lose', 'late', 'late', 'late'] as const),
  ...(['again', 'cut', 'leave', 'answer', 'answer', 'answer'] as const),
] as const;
export type PlayedStep = readonly [kind: (typeof STEPS)[number], choice: number];

/** Where a frame stands, as a second reading of the sequence has it. */
export type Standing = 'live' | 'unsynced' | 'late';

export interface PlayedChannel {
  link: ScriptedLink;
  subscription: Subscription;
  hasSnapshot: boolean;
  /** The event and data of a frame: of a snapshot, or of any other event. */
  make(isSnapshot: boolean, choice: number): readonly [event: string, data: unknown];
  /** Subscribes every listener; returns what ends them all. */
  listen(): () => void;
  /** What must follow. */
  takes(frame: StreamFrame, standing: Standing): void;
  /** @param isCut the connection was lost */
  mayMiss(isCut: boolean): void;
  forgets(): void;
}

/**
 * Plays a subscription that loses, repeats and delays frames, whose connection breaks and whose listeners leave, and says
 * of each frame that counts how it stands. Snapshots come when the script says so, later than what asked for them.
 */
export function playChannel(channel: PlayedChannel, steps: readonly PlayedStep[]): void {
  const { link, subscription, hasSnapshot, make } = channel;
  link.snapshots = () => null;
  let next: number | undefined;
  let isAwaiting = true;
  let lost: StreamFrame[] = [];
  let last: StreamFrame | undefined;
  const missing = new Set<number>();

  const create = (isSnapshot: boolean, choice: number): StreamFrame => {
    link.market.advanceTo(link.market.now() + 1);
    return link.next(subscription, ...make(isSnapshot, choice));
  };
  const deliver = (frame: StreamFrame): void => {
    last = frame;
    link.deliver(frame);
    if (frame.seq === 1) {
      [next, isAwaiting, lost] = [2, false, []];
      missing.clear();
      channel.takes(frame, 'live');
    } else if (next === undefined) channel.takes(frame, 'unsynced');
    else if (frame.seq === next) {
      next++;
      channel.takes(frame, isAwaiting ? 'unsynced' : 'live');
    } else if (frame.seq > next) {
      for (; next < frame.seq; next++) missing.add(next);
      next++;
      isAwaiting = true;
      channel.mayMiss(false);
      channel.takes(frame, 'unsynced');
    } else if (missing.delete(frame.seq)) channel.takes(frame, 'late');
  };

  let end = channel.listen();
  for (const [kind, choice] of steps) {
    const isSilent = hasSnapshot && isAwaiting;
    if (kind === 'say' && !isSilent) deliver(create(false, choice));
    else if (kind === 'answer' && isSilent) deliver(create(true, choice));
    else if (kind === 'lose' && !isAwaiting) lost.push(create(false, choice));
    else if (kind === 'late' && lost.length > 0) {
      deliver(lost.splice(choice % lost.length, 1)[0]!);
    } else if (kind === 'again' && !isAwaiting && last !== undefined) link.deliver(last);
    else if (kind === 'cut') {
      link.lose();
      [next, isAwaiting, lost] = [undefined, true, []];
      missing.clear();
      channel.mayMiss(true);
      link.reopen([subscription]);
    } else if (kind === 'leave') {
      end();
      channel.forgets();
      [next, isAwaiting, lost] = [undefined, true, []];
      missing.clear();
      end = channel.listen();
    }
  }
  end();
}
