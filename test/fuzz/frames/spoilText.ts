import { isUtf8 } from 'node:buffer';
import type { Draw } from '../Draw.ts';

type Tree = Record<string, unknown>;

/** A corrupted or altered frame; null if its bytes are not valid UTF-8. */
export function spoilText(text: string, draw: Draw): string | null {
  return draw.chance(0.5) ? spoilBytes(text, draw) : spoilStructure(text, draw);
}

/** Bytes that are not UTF-8 close the socket (RFC 6455, 8.1). */
function spoilBytes(text: string, draw: Draw): string | null {
  const bytes = Buffer.from(text);
  switch (draw.pick(['flip', 'cut', 'insert', 'double', 'zero'])) {
    case 'flip':
      for (let times = draw.int(1, 4); times > 0; times--) {
        const at = draw.int(0, bytes.length - 1);
        bytes[at] = bytes[at]! ^ (1 << draw.int(0, 7));
      }
      return toText(bytes);
    case 'cut':
      return toText(bytes.subarray(0, draw.int(0, bytes.length - 1)));
    case 'insert': {
      const at = draw.int(0, bytes.length);
      const extra = Buffer.from(draw.pick(['{', '}', '"', ',', '\0', '\\', '[', '1e999', '💥']));
      return toText(Buffer.concat([bytes.subarray(0, at), extra, bytes.subarray(at)]));
    }
    case 'double':
      return toText(Buffer.concat([bytes, bytes]));
    default: {
      const at = draw.int(0, bytes.length - 1);
      return toText(bytes.fill(0, at, Math.min(bytes.length, at + draw.int(1, 20))));
    }
  }
}

const toText = (bytes: Buffer): string | null => (isUtf8(bytes) ? bytes.toString() : null);

const VALUES: readonly unknown[] = [
  null,
  true,
  '',
  'text',
  -1,
  0,
  1e308,
  5e-324,
  [],
  {},
  [[]],
  { length: 1e9 },
  '__proto__',
];
const NAMES = ['__proto__', 'constructor', 'toString', 'type', 'seq', 'data', 'params', 'event'];

function spoilStructure(text: string, draw: Draw): string {
  const frame = JSON.parse(text) as Tree;
  if (draw.chance(0.05)) return JSON.stringify(draw.pick(VALUES));
  const places = placesIn(frame);
  const [holder, name] = draw.pick(places);
  switch (draw.pick(['value', 'value', 'missing', 'extra', 'nested', 'huge'])) {
    case 'value':
      holder[name] = draw.pick(VALUES);
      break;
    case 'missing':
      delete holder[name];
      break;
    case 'extra':
      Object.defineProperty(holder, draw.pick(NAMES), {
        value: draw.pick(VALUES),
        enumerable: true,
        configurable: true,
        writable: true,
      });
      break;
    case 'nested':
      return text.replace(`"${name}":`, `"${name}":${'['.repeat(draw.pick([10, 5_000]))}`);
    default:
      return text.replace(`"${name}":`, `"${name}":1e999,"${name}":`);
  }
  return JSON.stringify(frame);
}

function placesIn(tree: Tree, found: Array<[Tree, string]> = []): Array<[Tree, string]> {
  for (const [name, value] of Object.entries(tree)) {
    found.push([tree, name]);
    if (typeof value === 'object' && value !== null) placesIn(value as Tree, found);
  }
  return found;
}
