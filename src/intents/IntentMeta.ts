/** What a strategy may say about any intent, beside what it wants done. */
export interface IntentMeta {
  /** The strategy's own name for it, unique per instance; later intents and `outcome(ref)` use it. */
  ref?: string;
  /** The decision's own name; it replaces the cause in the decision's identity. */
  decision?: string;
  /** Market time, epoch milliseconds; what was not sent by then expires. */
  not_after?: number;
  /** The road to the service; `socket` needs a command of the stream (STR-6). */
  via?: 'rest' | 'socket';
  /** For people: it stands in the journal and is never sent. */
  note?: string;
}
