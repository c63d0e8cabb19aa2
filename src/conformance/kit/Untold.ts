/** Ends a check without a verdict: what it needs isn't there. The message says what. */
export class Untold extends Error {
  override readonly name = 'Untold';
}
