/** Ends a check without a verdict: what it needs isn't there. The message says what. */
export class Inconclusive extends Error {
  override readonly name = 'Inconclusive';
  /** Whether another stretch of the tape may bring it. */
  readonly mayCome: boolean;

  constructor(message: string, mayCome = false) {
    super(message);
    this.mayCome = mayCome;
  }
}
