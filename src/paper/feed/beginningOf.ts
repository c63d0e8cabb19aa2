/** Bytes by which a format is detected. */
const BEGINNING = 4_096;

/** The beginning of a file as text, by which its format is detected; without a byte-order mark. */
export function beginningOf(bytes: Uint8Array): string {
  return new TextDecoder('utf-8').decode(bytes.subarray(0, BEGINNING));
}

export function firstLineOf(text: string): string {
  return /^[^\r\n]*/.exec(text)![0];
}
