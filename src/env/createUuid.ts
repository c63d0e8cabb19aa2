import { randomUUID } from 'node:crypto';

/** A fresh name that no other process gives, version 4. No run that is to be repeated may ask for one. */
export function createUuid(): string {
  return randomUUID();
}
