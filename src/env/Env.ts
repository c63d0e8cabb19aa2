import type { Clock, Timers } from './Clock.ts';
import type { Log } from './Log.ts';
import type { Metrics } from './Metrics.ts';
import type { Random } from './Random.ts';

/**
 * Everything that a run takes from outside: time, timers, randomness, log and metrics. One seed and one env
 * reproduce a run, byte for byte.
 */
export interface Env {
  clock: Clock;
  timers: Timers;
  random: Random;
  log: Log;
  metrics: Metrics;
}
