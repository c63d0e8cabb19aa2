import type { Signer } from './createSigner.ts';

/** Signs with one key at a time; each signature is made with the key that is current when it is made. */
export interface ChangeableSigner extends Signer {
  /** Every later signature is made with this one. */
  change(next: Signer): void;
}

/** A signer whose key can be replaced in a running process. */
export function createChangeableSigner(first: Signer): ChangeableSigner {
  let current = first;
  return {
    get keyId() {
      return current.keyId;
    },
    sign: (request) => current.sign(request),
    change: (next) => void (current = next),
  };
}
