import type { z } from 'zod';
import { isLoopback } from '../contract/index.ts';
import { isPostgresUrl } from '../journal/index.ts';

/** Why an address of a database can't be used; undefined when it can. Never repeats it. */
export function databaseFault(text: string): string | undefined {
  const url = URL.parse(text);
  if (!isPostgresUrl(text) || url === null)
    return 'must be an address: postgres://user@host/database';
  // Without a host it is a socket on this machine.
  const isFar = url.hostname !== '' && !isLoopback(url.hostname);
  if (isFar && !url.searchParams.has('sslmode')) {
    return 'must say how the line is protected: end it with ?sslmode=verify-full (in a private network ?sslmode=disable)';
  }
  return undefined;
}

/** An address in a file: it must not contain a password either. */
export function requireSafeDatabase(text: string, ctx: z.core.$RefinementCtx): void {
  const fault = databaseFault(text);
  const url = URL.parse(text);
  const hasPassword = url?.password || url?.searchParams.get('password');
  if (fault !== undefined) ctx.addIssue({ code: 'custom', message: fault });
  else if (hasPassword) {
    const message = 'must not hold a password: a configuration is no place for secrets';
    ctx.addIssue({ code: 'custom', message });
  }
}
