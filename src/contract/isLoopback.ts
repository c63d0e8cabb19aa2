/**
 * Whether a host is this machine, for everything that trusts only this machine: plain-text addresses,
 * peers that may drive a paper service, accepted Host headers.
 *
 * It is an exact list of forms, not a pattern: `localhost`, four decimal numbers of which the first is
 * 127, `::1`, and 127.… mapped into IPv6; brackets around IPv6 are a URL's. Other forms that a resolver
 * might map to this machine (`127.1`, `0x7f000001`, `localhost.`, `127.evil.example`) are not accepted.
 *
 * @param host as a URL, a header without its port, or a socket has it
 */
export function isLoopback(host: string | undefined): boolean {
  if (host === undefined) return false;
  const name = host.toLowerCase();
  if (name === 'localhost') return true;
  const isBracketed = name.startsWith('[') && name.endsWith(']');
  const bare = isBracketed ? name.slice(1, -1) : name;
  if (bare === '::1') return true;
  if (bare.startsWith('::ffff:')) return isMapped(bare.slice('::ffff:'.length));
  return !isBracketed && isLoopbackFour(bare);
}

/** A URL writes the mapped address in hexadecimal: `::ffff:7f00:1`. */
function isMapped(rest: string): boolean {
  const hex = /^([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(rest);
  return hex === null ? isLoopbackFour(rest) : Number.parseInt(hex[1]!, 16) >> 8 === 127;
}

/** Without leading zeros, which some parsers read as octal. */
function isLoopbackFour(text: string): boolean {
  const numbers = text.split('.');
  const isRight = (part: string): boolean => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255;
  return numbers.length === 4 && numbers.every(isRight) && numbers[0] === '127';
}

/**
 * The host of a `Host` header, without its port; undefined if it is invalid. User info, paths and lists
 * are refused, not parsed.
 */
export function hostOf(header: string | undefined): string | undefined {
  return /^(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9.-]+)(?::\d{1,5})?$/.exec(header ?? '')?.[1];
}
