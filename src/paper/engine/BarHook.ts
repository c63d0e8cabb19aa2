import type { Interval } from '../../contract/index.ts';

/** What acts on a closed bar; the engine has one reaction per topic. */
export type BarTopic = 'leg' | 'track' | 'execution' | 'monitor';

/** "Call me on each closed bar of this symbol and interval", until it is removed. */
export interface BarHook {
  readonly symbol: string;
  readonly interval: Interval;
  readonly topic: BarTopic;
  readonly wallet: string;
  readonly id: string;
}
