import type { Severity } from '../../config/index.ts';

/** Something about a bot that a person should know. */
export interface Alert {
  /** Names what it is about, such as `uncovered/main/BTC`; the same condition has the same key. */
  key: string;
  severity: Severity;
  title: string;
  /** One line; it may quote a plugin or the service. */
  text: string;
  /** What to do, most often a command; empty if nothing is to be done. */
  todo: string;
  /** Of alerts with the same group one holds at a time: a higher kill level replaces a lower one. */
  group?: string;
}

/** What has become of an alert: a condition begins and is over, an event happens once. */
export interface AlertChange {
  /** `replaced`: another alert of its group holds now, which is what is sent. */
  kind: 'begun' | 'over' | 'once' | 'replaced';
  alert: Alert;
  /** Wall time, epoch milliseconds. */
  time: number;
}

/** A line of a message. */
export interface Notice {
  /** `still`: it was sent before, and lasts. */
  kind: 'begun' | 'still' | 'over' | 'once';
  alert: Alert;
  /** Wall time, epoch milliseconds. */
  time: number;
}
