import { randomBytes } from 'node:crypto';

/** A fresh pair: `vk_…` is public, `vs_…` is shown once (spec §2.1). */
export function createCredentials(): { keyId: string; secret: string } {
  return {
    keyId: `vk_${randomBytes(12).toString('hex')}`,
    secret: `vs_${randomBytes(32).toString('hex')}`,
  };
}
