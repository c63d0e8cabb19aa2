import { ServiceError } from './ServiceError.ts';

/** No request of the contract nests deeper than a few levels. Deeper nesting is treated as an attack. */
const MAX_DEPTH = 64;

/** @throws ServiceError `invalid_json` */
export function readJson(text: string): unknown {
  if (depthOf(text) > MAX_DEPTH) {
    throw new ServiceError('invalid_json', { message: `The body nests deeper than ${MAX_DEPTH}.` });
  }
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new ServiceError('invalid_json');
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Deepest nesting of brackets outside strings; the text need not be valid JSON. */
function depthOf(text: string): number {
  if (text.length <= MAX_DEPTH) return 0;
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (inString) {
      if (code === BACKSLASH) index++;
      else if (code === QUOTE) inString = false;
    } else if (code === QUOTE) inString = true;
    else if (code === 0x5b || code === 0x7b) deepest = Math.max(deepest, ++depth);
    else if (code === 0x5d || code === 0x7d) depth--;
  }
  return deepest;
}
