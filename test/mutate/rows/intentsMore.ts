/** Bugs planted by hand, in the form of a table's rows: file, what is wrong then, text, replacement. */
export const intents = {
  station: 'intents',
  rows: [
    [
      'closePosition.ts',
      'a close is an entry',
      'reduceOnly: true, isExit: true }',
      'reduceOnly: true, isExit: false }',
    ],
    [
      'closePosition.ts',
      'a close may add',
      'reduceOnly: true, isExit: true',
      'reduceOnly: false, isExit: true',
    ],
    [
      'placeOrder.ts',
      'an order has no client id of its own',
      'client_order_id: request.client_order_id ?? idempotencyKey',
      'client_order_id: idempotencyKey',
    ],
    [
      'toServiceRequest.ts',
      'a change of the intent changes the request',
      'result.call.isFresh === true ? body : { ...body }',
      'body',
    ],
    [
      'toServiceRequest.ts',
      'the wallet of a request is lost',
      'if (wallet !== undefined) request.wallet = wallet;',
      '',
    ],
    [
      'toServiceRequest.ts',
      'the transport of a request is lost',
      'if (intent.via !== undefined) request.via = intent.via;',
      '',
    ],
  ],
} as const;
