import type { ServiceResponse } from './exchange.ts';

/**
 * Whether a cache may have answered with what it had stored (RFC 9111, section 5.1). Some proxies write `Age: 0` on each
 * answer of the service itself, and what was stored within the second is as good as that.
 */
export function isOfCache({ headers }: Pick<ServiceResponse, 'headers'>): boolean {
  const { age } = headers;
  return age !== undefined && Number(age) !== 0;
}
