/** Shorter ones would remove ordinary words. */
const LEAST_LENGTH = 8;
const SHOWN = '[secret]';
/** Secrets of the service, also those of another configuration. */
const OF_THE_SERVICE = /vs_[A-Za-z0-9_-]+/g;

/** The longest first: one may be a part of another. */
let known: readonly string[] = [];

/**
 * Notes a secret that this process holds. None is ever forgotten: what was written with one that was replaced may still
 * be on its way.
 */
export function keepSecret(text: string): void {
  const parts = secretPartsOf(text).filter((part) => part.length >= LEAST_LENGTH);
  known = [...new Set([...known, ...parts])].toSorted((a, b) => b.length - a.length);
}

/** What must not be shown of a secret that may be an address: of a database's, the password, where it has one. */
export function secretPartsOf(text: string): string[] {
  const url = URL.parse(text);
  if (url === null || url.host === '') return [text];
  const { href, password, pathname, search } = url;
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:';
  if (!isWeb && password === '') return [];
  const path = isWeb ? [pathname + search, pathname] : [];
  return [text, href, password, decode(password), ...path];
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A text of somebody else's, as an error of a plugin, without the secrets that this process holds. */
export function withoutSecrets(text: string): string {
  const clean = known.reduce((left, secret) => left.replaceAll(secret, SHOWN), text);
  return clean.replace(OF_THE_SERVICE, SHOWN);
}
