import { createRequire } from 'node:module';

/** Version of this package. */
export function ownVersion(): string {
  const require = createRequire(import.meta.url);
  return (require('trimtab/package.json') as { version: string }).version;
}
