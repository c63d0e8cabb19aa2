import { deflateRawSync } from 'node:zlib';
import { embedJson } from './embedJson.ts';
import { packJson } from './packJson.ts';

/** Packed length up to which the data are plain text, which other programs can read. */
const MOST_PLAIN = 64 * 1024;

/**
 * A page's data as a script element that is not run: as JSON, or, where that is long, as base64 of packed JSON under raw
 * DEFLATE, which browsers unpack by themselves. Equal data give equal bytes.
 */
export function embedData(data: unknown): string {
  const packed = JSON.stringify(packJson(data));
  if (packed.length <= MOST_PLAIN)
    return `<script type="application/json" id="report-data">${embedJson(data)}</script>`;
  const text = deflateRawSync(packed).toString('base64');
  return `<script type="text/plain" id="report-data" data-encoding="deflate-raw">${text}</script>`;
}
