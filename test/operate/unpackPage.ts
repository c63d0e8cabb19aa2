import { inflateRawSync } from 'node:zlib';
import { unpackJson } from '../../src/operate/report/page/unpackJson.ts';
import type { PageData } from '../../src/operate/report/toPageData.ts';

/** The data of a report's page, as a browser reads what the page packed. */
export function unpackPage(html: string): PageData {
  const [, encoding, text] = /id="report-data"( data-encoding="deflate-raw")?>([^<]*)</.exec(html)!;
  if (encoding === undefined) return JSON.parse(text!) as PageData;
  const packed = inflateRawSync(Buffer.from(text!, 'base64')).toString('utf8');
  return unpackJson(JSON.parse(packed)) as PageData;
}
