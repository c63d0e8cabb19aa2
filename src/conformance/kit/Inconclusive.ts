/** Ends a check without a verdict: something that it needs is missing. The message names it. */
export class Inconclusive extends Error {
  override readonly name = 'Inconclusive';
  /** Whether a later part of the tape may bring it. */
  readonly mayCome: boolean;

  constructor(message: string, mayCome = false) {
    super(message);
    this.mayCome = mayCome;
  }
}
