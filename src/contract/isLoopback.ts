/**
 * Whether a host is this machine, for all that trusts this machine alone: addresses that may be plain text,
 * peers that may drive a paper service, hosts that it may be asked by.
 *
 * It is an exact list of forms, and no pattern: `localhost`, four decimal numbers of which the first is
 * 127, `::1`, and 127.… mapped into IPv6; brackets around IPv6 are a URL's. Whatever else a resolver might
 * take for this machine (`127.1`, `0x7f000001`, `localhost.`, `127.evil.example`) is not.
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

/** Without leading zeros, which some readers take for octal. */
function isLoopbackFour(text: string): boolean {
  const numbers = text.split('.');
  const isRight = (part: string): boolean => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255;
  return numbers.length === 4 && numbers.every(isRight) && numbers[0] === '127';
}

/**
 * The host of a `Host` header, without its port; undefined where it is none. User info, paths and lists are
 * refused, not taken apart.
 */
export function hostOf(header: string | undefined): string | undefined {
  return /^(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9.-]+)(?::\d{1,5})?$/.exec(header ?? '')?.[1];
}
