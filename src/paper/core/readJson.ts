import { repeatedFields, type FieldPath } from './repeatedFields.ts';
import { ServiceError } from './ServiceError.ts';

/** No request of the contract nests deeper than a few levels. Deeper nesting is treated as an attack. */
const MAX_DEPTH = 64;

export interface JsonRead {
  value: unknown;
  /** Fields that their object has more than once: the value holds the last of each. */
  repeated: readonly FieldPath[];
}

/** @throws ServiceError `invalid_json` */
export function readJson(text: string): JsonRead {
  const { depth, fields } = scan(text);
  if (depth > MAX_DEPTH) {
    throw new ServiceError('invalid_json', { message: `The body nests deeper than ${MAX_DEPTH}.` });
  }
  const value = parsed(text);
  return { value, repeated: fields === fieldsOf(value) ? [] : repeatedFields(text) };
}

/** @throws ServiceError `invalid_json` */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new ServiceError('invalid_json');
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;

/** Deepest nesting of brackets outside strings, and number of fields; the text need not be valid JSON. */
function scan(text: string): { depth: number; fields: number } {
  let depth = 0;
  let deepest = 0;
  let fields = 0;
  let inString = false;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (inString) {
      if (code === BACKSLASH) index++;
      else if (code === QUOTE) inString = false;
    } else if (code === QUOTE) inString = true;
    else if (code === COLON) fields++;
    else if (code === 0x5b || code === 0x7b) deepest = Math.max(deepest, ++depth);
    else if (code === 0x5d || code === 0x7d) depth--;
  }
  return { depth: deepest, fields };
}

/** Number of fields of a value, those inside it too. */
function fieldsOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (const item of value) count += fieldsOf(item);
    return count;
  }
  for (const name in value) count += 1 + fieldsOf((value as Record<string, unknown>)[name]);
  return count;
}
