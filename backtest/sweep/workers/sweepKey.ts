import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
} from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeFolders, reasonOf } from '../../../src/env/index.ts';

/** Readable by its owner only: who has it can run code on every worker that trusts it. */
const PRIVATE = 0o600;

/**
 * The Ed25519 key that signs plans, as PKCS#8 in PEM; a new one if there is no such file.
 *
 * @throws if the file can't be read or written, or is not such a key
 */
export async function openSweepKey(path: string): Promise<KeyObject> {
  try {
    return parse(path, await readFile(path, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const { privateKey } = generateKeyPairSync('ed25519');
  const pem = String(privateKey.export({ type: 'pkcs8', format: 'pem' }));
  makeFolders(dirname(path));
  try {
    // Another sweep may make it at the same time: then it signs with that one.
    await writeFile(path, pem, { mode: PRIVATE, flag: 'wx' });
    return privateKey;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return parse(path, await readFile(path, 'utf8'));
  }
}

function parse(path: string, text: string): KeyObject {
  const remedy = 'Name another file with --key: if there is none of that name, a new key is made.';
  try {
    const key = createPrivateKey(text);
    if (key.asymmetricKeyType === 'ed25519') return key;
    throw new Error(`it is a key of type ${key.asymmetricKeyType}`);
  } catch (error) {
    throw new Error(`${path} is no Ed25519 key in PEM: ${reasonOf(error)}.\n  ${remedy}`, {
      cause: error,
    });
  }
}

/** The public half as workers take it after `--trust`: 43 letters, digits, `-` and `_`. */
export function publicText(key: KeyObject): string {
  return createPublicKey(key).export({ format: 'jwk' }).x!;
}

/** The key of such a text; null if it is none. */
export function readPublicText(text: string): KeyObject | null {
  if (!/^[\w-]{43}$/.test(text)) return null;
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: text }, format: 'jwk' });
}
