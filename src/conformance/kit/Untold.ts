/** Ends a check without a verdict: what it needs isn't there. The message says what. */
export class Untold extends Error {
  override readonly name = 'Untold';
  /** Whether another stretch of the tape may bring it. */
  readonly mayCome: boolean;

  constructor(message: string, mayCome = false) {
    super(message);
    this.mayCome = mayCome;
  }
}
