/** Optional fields of any intent, beside the request itself. */
export interface IntentMeta {
  /**
   * The strategy's own name for it: later intents, `outcome(ref)` and `byRef(ref)` use it. Used again, it names the
   * instance's newest intent.
   */
  ref?: string;
  /** The decision's own name; it replaces the cause in the decision's identity. */
  decision?: string;
  /** Market time, epoch milliseconds; the intent expires if it was not sent by then. */
  not_after?: number;
  /** The transport; `socket` needs a command of the stream (STR-6). */
  via?: 'rest' | 'socket';
  /** What a report groups its trades by, such as the setup that was found; several intents may share one. */
  tag?: string;
  /** A note for readers of the journal; it is never sent. */
  note?: string;
}
