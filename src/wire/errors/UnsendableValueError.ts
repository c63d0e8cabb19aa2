/**
 * A value of a request that JSON can't carry as it is: it would leave changed, or not at all, and the
 * service would act upon something that nobody meant (RULE-1). Nothing was sent.
 */
export class UnsendableValueError extends TypeError {
  override readonly name = 'UnsendableValueError';
  /** Dotted path of the field, as `stop_loss.offset.mult`; places in lists are numbers. */
  readonly path: string;

  constructor(path: string, what: string, remedy: string) {
    super(`${path === '' ? 'The body' : path} is ${what}, which JSON can't carry: ${remedy}.`);
    this.path = path;
  }
}
