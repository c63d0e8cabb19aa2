import { within, type Env } from '../env/index.ts';
import type { ChangeableSigner, Client, KeyedSocket, SendGate, Signer } from '../wire/index.ts';

/** An API key in plain text, for a signer. */
export interface KeyPair {
  keyId: string;
  secret: string;
}

export interface KeyChangeOptions {
  env: Pick<Env, 'timers'>;
  signer: ChangeableSigner;
  gate: SendGate;
  socket: KeyedSocket;
  signerOf(pair: KeyPair): Signer;
  /** A client of its own, whose requests are signed by this signer alone. */
  clientOf(signer: Signer): { client: Client; close(): Promise<void> };
}

/** How a change ended; after a refusal everything is signed with the old key as before. */
export type KeyChanged =
  /** `unanswered`: requests that the old key signed and that had no answer in time; they stay unknown until then. */
  | { kind: 'changed'; unanswered: number }
  /** The service refuses a stream of the next key, or does not answer. */
  | { kind: 'refused'; reason: string };

/** Replaces the key of a running connection: every request is signed with exactly one. */
export interface KeyChange {
  readonly keyId: string;
  /**
   * @param check sends signed reads with the next key before anything else is; what it throws ends the change
   * @param onChange called between the last request of the old key and the first of the next, with what is unanswered
   * @throws what `check` throws
   */
  change(
    next: KeyPair,
    check: (client: Client) => Promise<void>,
    onChange: (unanswered: number) => void,
  ): Promise<KeyChanged>;
}

/**
 * How long requests wait for the last answers to the old key. Exits wait too, so it is short; a service answers
 * within milliseconds, and a request that is still open then does not stop the others.
 */
const LONGEST_WAIT_MS = 2_000;

/**
 * check the next key → open its stream → hold requests → last answer to the old key → change → go on.
 * What can be refused comes before anything is held.
 */
export function createKeyChange(options: KeyChangeOptions): KeyChange {
  const { env, signer, gate, socket } = options;
  return {
    get keyId() {
      return signer.keyId;
    },
    async change(next, check, onChange) {
      const nextSigner = options.signerOf(next);
      const own = options.clientOf(nextSigner);
      try {
        await check(own.client);
      } finally {
        await own.close();
      }
      const stream = await socket.prepare(nextSigner);
      if ('refused' in stream) {
        return { kind: 'refused', reason: `its stream was refused: ${stream.refused}` };
      }
      gate.close();
      try {
        await within(env.timers, gate.drained(), LONGEST_WAIT_MS);
        const unanswered = gate.inFlight;
        signer.change(nextSigner);
        onChange(unanswered);
        stream.use();
        return { kind: 'changed', unanswered };
      } finally {
        gate.open();
      }
    },
  };
}
