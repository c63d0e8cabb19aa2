/**
 * A value of a request that JSON can't carry as it is: it would be sent changed, or not at all, and the service
 * would act on something unintended (RULE-1). Nothing was sent.
 *
 * ```ts
 * const { client, close } = openService(paper);
 * try {
 *   await client.orders.place({ body: { symbol: 'BTC', side: 'buy', size: NaN, order_type: 'market' } });
 * } catch (error) {
 *   error instanceof UnsendableValueError; // => true
 * }
 * await close();
 * ```
 */
export class UnsendableValueError extends TypeError {
  override readonly name = 'UnsendableValueError';
  readonly code = 'TRIMTAB_WIRE_UNSENDABLE';
  /** Dotted path of the field, as `stop_loss.offset.mult`; places in lists are numbers. */
  readonly path: string;

  constructor(path: string, what: string, remedy: string) {
    super(`${path === '' ? 'The body' : path} is ${what}, which JSON can't carry: ${remedy}.`);
    this.path = path;
  }
}
