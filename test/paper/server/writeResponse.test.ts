import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { writeResponse } from '../../../src/paper/server/serveHttp.ts';

test.each([
  ['ASCII', '{"note":"plain"}'],
  ['Latin-1', '{"note":"déjà vu"}'],
  ['beyond Latin-1', '{"note":"купить 買う 🚀"}'],
])('a response arrives complete as UTF-8: %s', async (_name, bodyText) => {
  const headers = { 'content-type': 'application/json' };
  const server = createServer((_request, response) =>
    writeResponse(response, { status: 200, headers, bodyText }),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const { port } = server.address() as AddressInfo;
    const response = await fetch(`http://127.0.0.1:${port}/`);
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(bytes.equals(Buffer.from(bodyText, 'utf8'))).toBe(true);
    expect(response.headers.get('content-length')).toBe(String(bytes.length));
  } finally {
    server.close();
    server.closeAllConnections();
  }
});
