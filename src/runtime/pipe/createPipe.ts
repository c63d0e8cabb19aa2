/**
 * The pipe, on one screen, in the order of the data:
 *
 * ```
 * emission → identity → approve → journal → budget → send → conclude → journal
 *                         │denied            │deferred         │
 *                         └──────────────────┴──── events ─────┘
 * ```
 * Denied and deferred intents continue as events, so that they are journaled and a strategy can react. Nothing
 * leaves before the journal has `sending`; no answer means unknown. `stations.ts` has the types.
 */
import { targetRefOf } from '../../intents/targetRefOf.ts';
import type { Emission } from '../../strategy/Emission.ts';
import type { Meant } from '../wallet/index.ts';
import { createApproval } from './createApproval.ts';
import { createDetached } from './createDetached.ts';
import { createLateness } from './createLateness.ts';
import { createQueue } from './createQueue.ts';
import { createReports } from './createReports.ts';
import { createSending } from './createSending.ts';
import { identityOf, reopen, startOf } from './identity.ts';
import type { Pipe, PipeOptions } from './Pipe.ts';
import { sameAs } from './sameAs.ts';
import { isFound, type Approved } from './stations.ts';
import { createWithdrawals } from './createWithdrawals.ts';
import { createSteps } from './steps.ts';

const CUT = { guard: 'kill_level', reason: 'the wire is cut' };
/** While fewer equal intents rest after failures, a new one may be the first to try a recovered service. */
const MOST_RESTING = 4;

export function createPipe(options: PipeOptions): Pipe {
  const { journal, market, env, held } = options;
  let sends = 0;
  /** Places of decisions: those of an earlier process, in the order of its journal, are before all of this one. */
  let ownPlace = 0;
  let earlierPlace = Number.MIN_SAFE_INTEGER;
  const fail = (error: unknown): void => {
    void queue.close();
    options.onFatal(error);
  };
  const steps = createSteps(fail);
  const reports = createReports(journal, steps, (event) => {
    options.onEvent(event);
    approval.follow(event);
  });
  const lateness = createLateness(options);
  const detached = createDetached(fail);
  const isClosed = (): boolean => queue.isClosed();
  const withdrawals = createWithdrawals({
    reports,
    places: () => [queue, sending, approval],
  });
  const sending = createSending({
    ...options,
    ...lateness,
    ...withdrawals,
    steps,
    isClosed,
    report: reports.report,
    detach: detached.detach,
    background: (work) => void work.catch(fail),
    requeue: (item) => queue.push(item),
    comesBack: (key) => approval.comesBack(key),
    send(request, emission) {
      sends++;
      const exchange = options.send(request, emission);
      queue.look();
      return exchange;
    },
  });
  const queue = createQueue({
    ...options,
    // If market time alone advances requests, it alone determines how far apart they are.
    after: (delayMs, run) =>
      held === undefined ? env.timers.after(delayMs, run) : market.at(market.now() + delayMs, run),
    isTooLate: (item) => lateness.explainTooLate(item) !== undefined,
    run(item, ended) {
      const begin = () => (isFound(item) ? sending.resolve(item) : sending.send(item));
      steps.chain(begin, (step) => step)(ended);
    },
    onDeferred: reports.deferred,
    onSuperseded: reports.superseded,
  });
  /** It is withdrawn before anything of the turn leaves, however many may be in flight: a replay has one. */
  const onApproved = (item: Approved): void => {
    const needless = withdrawals.beforeSending(item);
    if (needless === undefined) queue.push(item);
    else reports.end(item, 'expired', needless);
  };
  const { insteadOf } = withdrawals;
  const stations = { ...options, ...lateness, reports };
  const approval = createApproval({ ...stations, insteadOf, isClosed, onApproved });
  const meantBy = ({ intent, instance }: Emission): Meant | undefined => {
    const target = targetRefOf(intent);
    return target && options.meant?.(instance, target.kind, target.ref);
  };

  return {
    submit(emission) {
      const identity = identityOf(journal, emission.decisionKey);
      const item = startOf(emission, identity, ownPlace++, meantBy(emission));
      if (identity.isKnown) return reports.report(item, 'duplicate');
      if (!queue.isClosed()) return approval.take(item);
      // At a kill level, what the strategy wanted is still persisted.
      if (options.isCut()) return reports.end(item, 'denied', CUT);
      reports.report(item, 'expired', { reason: 'the bot is stopping' });
    },
    resume(persisted) {
      const meant = persisted.meant ?? meantBy(persisted.emission);
      const item = reopen(persisted, earlierPlace++, meant);
      if (persisted.stage === 'unsent') {
        if (!persisted.waitsForRow) return approval.take(item, persisted.state);
        return approval.waitOn(item);
      }
      const found = approval.findSent(item, persisted);
      queue.push(found);
      reports.write(found);
    },
    drop(persisted, reason) {
      const state = persisted.state === 'emitted' ? 'denied' : 'expired';
      reports.end(reopen(persisted, earlierPlace++), state, { reason });
    },
    isPending(emission) {
      const isSame = sameAs(emission);
      return queue.holds(isSame) || sending.countResting(isSame) >= MOST_RESTING;
    },
    shown: () => approval.look(),
    reconsider: () => queue.pump(),
    flush: steps.flush,
    async settled() {
      steps.flush();
      await queue.settled();
      while (!detached.isEmpty() && !queue.isClosed()) {
        await detached.settled();
        await queue.settled();
      }
    },
    close() {
      detached.close();
      const ended = queue.close();
      sending.close();
      return ended;
    },
    isIdle: () => queue.isIdle() && detached.isEmpty(),
    sends: () => sends,
  };
}
