import { hash } from 'node:crypto';

/**
 * A name-based UUID (RFC 9562 §5.5): the same namespace and name give the same UUID everywhere.
 *
 * @param namespace a UUID
 */
export function uuidv5(namespace: string, name: string): string {
  const hex = hash('sha1', Buffer.concat([spaceOf(namespace), Buffer.from(name, 'utf8')]));
  const version = `5${hex.slice(13, 16)}`;
  const variant = ((Number.parseInt(hex[16]!, 16) & 0x3) | 0x8).toString(16);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    version,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}

const spaces = new Map<string, Buffer>();

function spaceOf(namespace: string): Buffer {
  const known = spaces.get(namespace);
  if (known !== undefined) return known;
  const space = Buffer.from(namespace.replaceAll('-', ''), 'hex');
  spaces.set(namespace, space);
  return space;
}
