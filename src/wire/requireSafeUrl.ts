import { isLoopback } from '../contract/isLoopback.ts';
import { withCode } from '../contract/failures/withCode.ts';

/**
 * Parses an address that requests go to. Plain text is for this machine only: elsewhere anyone on the way could
 * read orders and replay signatures within their window.
 *
 * @throws TypeError when it is no URL, has another scheme, holds credentials, or is plain text to another
 *   machine; the message never repeats credentials
 */
export function requireSafeUrl(text: string, scheme: 'http' | 'ws'): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined)
    throw withCode(
      'TRIMTAB_WIRE_UNSAFE_ADDRESS',
      new TypeError('The address of the service is not a URL.'),
    );
  if (url.username !== '' || url.password !== '') {
    throw withCode(
      'TRIMTAB_WIRE_UNSAFE_ADDRESS',
      new TypeError('The address of the service must not hold credentials.'),
    );
  }
  if (url.protocol === `${scheme}s:`) return url;
  if (url.protocol !== `${scheme}:`) {
    throw withCode(
      'TRIMTAB_WIRE_UNSAFE_ADDRESS',
      new TypeError(`The address ${url.origin} needs the scheme ${scheme}s.`),
    );
  }
  if (isLoopback(url.hostname)) return url;
  throw withCode(
    'TRIMTAB_WIRE_UNSAFE_ADDRESS',
    new TypeError(`${url.host} is not this machine: use ${scheme}s, not ${scheme}.`),
  );
}
