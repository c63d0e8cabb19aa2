/** The only reader of time, timers and randomness, and the ports for log, metrics and the service. */
export { watchLoopDelay } from './watchLoopDelay.ts';
export type { BarColumns, BarLane, BarTaker } from './BarSpan.ts';
export type { Cancel, Clock, MarketClock, Timers } from './Clock.ts';
export type { Env } from './Env.ts';
export type {
  InterruptSpan,
  BarReader,
  SpanControl,
  Link,
  LinkFault,
  LinkListener,
  LinkStatus,
  SpanReceiver,
  Subscription,
} from './Link.ts';
export { keepSecret, secretPartsOf, withoutSecrets } from './withoutSecrets.ts';
export { createDelay, type DelaySetting } from './createDelay.ts';
export { after } from './after.ts';
export { atMost } from './atMost.ts';
export { counted } from './counted.ts';
export { countBefore, countUntil } from './countUntil.ts';
export { makeFolders } from './makeFolders.ts';
export { meantFile } from './meantFile.ts';
export { ownVersion } from './ownVersion.ts';
export { pause, pauseUnless } from './pause.ts';
export {
  UnboundedFileError,
  openRegularFile,
  readRegularFile,
  readRegularText,
} from './readRegularFile.ts';
export { reasonOf } from './reasonOf.ts';
export { replaceFile } from './replaceFile.ts';
export { withFullStop, withoutFullStop } from './fullStop.ts';
export { runAtInterval } from './runAtInterval.ts';
export { sha256 } from './sha256.ts';
export { shellWord } from './shellWord.ts';
export { silentLog, type Log, type LogFields } from './Log.ts';
export { noMetrics, type Labels, type Metrics } from './Metrics.ts';
export { OpenMap } from './OpenMap.ts';
export { createRandom, type Random } from './Random.ts';
export { TaskQueue } from './TaskQueue.ts';
export { createLiveEnv } from './createLiveEnv.ts';
export { createLiveMarketClock } from './createLiveMarketClock.ts';
export { createTurnEnd } from './createTurnEnd.ts';
export { createVirtualEnv, type VirtualEnv } from './createVirtualEnv.ts';
export { subscriptionKey } from './subscriptionKey.ts';
export { watchEventLoop } from './loopWatch/watchEventLoop.ts';
export { LONGEST_FLUSH_MS, watchHostTimers, type WatchedTimers } from './watchHostTimers.ts';
export { within } from './within.ts';
export { withOtherTime } from './withOtherTime.ts';
export { toSchedulerLike } from './toSchedulerLike.ts';
export type { OpenThread, Thread, ThreadSide } from './Thread.ts';
export { openThread } from './openThread.ts';
export { openThreadSide } from './openThreadSide.ts';
