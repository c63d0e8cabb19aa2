/** Who acts when a timer is due; the engine has one reaction a topic. */
export type TimerTopic = 'funding' | 'exit' | 'execution' | 'stale';
