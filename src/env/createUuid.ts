import { randomUUID } from 'node:crypto';

/** A fresh unique name, UUID version 4. A run that must be repeatable may not use it. */
export function createUuid(): string {
  return randomUUID();
}
