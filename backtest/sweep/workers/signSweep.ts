import { sign, verify, type KeyObject } from 'node:crypto';
import type { SweepContent } from '../content/SweepContent.ts';
import { FinalRefusal } from '../FinalRefusal.ts';
import type { SweepPlan } from '../SweepPlan.ts';
import { publicText, readPublicText } from './sweepKey.ts';

/** What a sweep hands to its workers. */
export interface SharedSweep {
  plan: SweepPlan;
  /** Where its code and data are; null if each worker has them at the plan's paths. */
  content: SweepContent | null;
}

/** As it is stored: `text` is a {@link SharedSweep} in JSON, to the byte as it was signed. */
interface SignedSweep {
  text: string;
  /** The public key, and the signature in base64url. */
  key: string;
  signature: string;
}

/** A signature of this is none of anything else that the key may sign one day. */
const signedBytes = (text: string): Buffer => Buffer.from(`trimtab sweep 1\n${text}`);

/** A sweep that workers take if they trust this key. */
export function signSweep(sweep: SharedSweep, key: KeyObject): string {
  const text = JSON.stringify(sweep);
  const signature = sign(null, signedBytes(text), key).toString('base64url');
  return JSON.stringify({ text, key: publicText(key), signature } satisfies SignedSweep);
}

/**
 * Reads a stored sweep. Whoever can write to the database could otherwise run code on every worker.
 *
 * @param trusted public keys, as texts
 * @throws if it is not signed with one of them
 */
export function readSignedSweep(stored: string, trusted: readonly string[]): SharedSweep {
  const { text, key, signature } = parse(stored);
  if (typeof text !== 'string' || typeof key !== 'string' || typeof signature !== 'string') {
    throw new FinalRefusal(
      'Its plan is not signed.\n  Start the sweep with this version of Trimtab, which signs it.',
    );
  }
  const named = readPublicText(key);
  if (
    named === null ||
    !verify(null, signedBytes(text), named, Buffer.from(signature, 'base64url'))
  )
    throw new FinalRefusal(
      'The signature of its plan is wrong: it was changed after it was signed.',
    );
  if (!trusted.includes(key)) {
    throw new FinalRefusal(
      `Its plan is signed with the key ${key}, which this worker was not given.\n` +
        `  If it is yours, start the worker with --trust ${key}.`,
    );
  }
  return JSON.parse(text) as SharedSweep;
}

function parse(stored: string): Partial<SignedSweep> {
  try {
    return (JSON.parse(stored) ?? {}) as Partial<SignedSweep>;
  } catch {
    return {};
  }
}
