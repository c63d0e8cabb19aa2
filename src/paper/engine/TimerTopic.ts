/** What acts when a timer is due; the engine has one reaction per topic. */
export type TimerTopic = 'funding' | 'exit' | 'execution' | 'stale';
