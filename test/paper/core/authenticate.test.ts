import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { codeOf, openTestService, SECRET, signed } from './openTestService.ts';

describe('AUTH-1: three headers sign every request', () => {
  test('a signature over timestamp, method, path with query and body is accepted', () => {
    const { core, wall } = openTestService();
    const target = '/v1/candles/BTC?interval=5m&limit=2';
    const timestamp = String(Math.floor(wall.now / 1_000));
    const signature = createHmac('sha256', SECRET).update(`${timestamp}GET${target}`).digest('hex');
    const headers = {
      'x-service-api-key-id': 'vk_test',
      'x-service-timestamp': timestamp,
      'x-service-signature': signature,
    };
    const raw = { method: 'GET', target, headers, bodyText: '', wallTime: wall.now };
    expect(core.handleHttp(raw).status).toBe(200);
  });

  test.each(['x-service-api-key-id', 'x-service-timestamp', 'x-service-signature'])(
    'without %s it is 401 missing_credentials',
    (name) => {
      const answer = openTestService().ask('/v1/status', { headers: { [name]: undefined } });
      expect([answer.status, codeOf(answer)]).toEqual([401, 'missing_credentials']);
    },
  );

  test.each([
    ['of another secret', { secret: 'vs_other' }],
    ['in upper case', {}],
    ['too short', {}],
    ['not hex', {}],
  ])('a signature %s is 401 invalid_signature', (what, asked) => {
    const { core, wall } = openTestService();
    const raw = signed('/v1/status', asked, wall.now);
    const right = raw.headers['x-service-signature'] ?? '';
    const bent: Record<string, string> = {
      'in upper case': right.toUpperCase(),
      'too short': right.slice(1),
      'not hex': `${right.slice(0, 63)}z`,
    };
    const headers = { ...raw.headers, 'x-service-signature': bent[what] ?? right };
    const answer = core.handleHttp({ ...raw, headers });
    expect(answer.status).toBe(401);
    expect(answer.bodyText).toContain('invalid_signature');
  });

  test('an unknown key is 401 unknown_key, a revoked one too', () => {
    const service = openTestService();
    expect(codeOf(service.ask('/v1/status', { keyId: 'vk_nobody' }))).toBe('unknown_key');
    service.core.keyring.revoke('vk_test');
    expect(codeOf(service.ask('/v1/status'))).toBe('unknown_key');
  });
});

describe('AUTH-8: the timestamp may be 30 s off, either way', () => {
  const service = openTestService();
  const now = Math.floor(service.wall.now / 1_000);
  test.each([
    [-31, 401],
    [-30, 200],
    [0, 200],
    [30, 200],
    [31, 401],
  ])('%i s off: %i', (off, status) => {
    expect(service.ask('/v1/status', { timestamp: String(now + off) }).status).toBe(status);
  });

  test.each(['', '1.5e9', '-1', `${now}.5`, `${now}000`, 'now'])('%j is refused', (timestamp) => {
    expect(service.ask('/v1/status', { timestamp }).status).toBe(401);
  });

  test('a wrong signature is reported before a wrong timestamp', () => {
    const answer = service.ask('/v1/status', { timestamp: '1', secret: 'vs_other' });
    expect(codeOf(answer)).toBe('invalid_signature');
  });
});

describe('AUTH-2: the body is signed exactly as sent', () => {
  test('the same JSON with other spaces has another signature', () => {
    const { core, wall } = openTestService();
    const body = { symbol: 'BTC', side: 'buy', size: 0.001, order_type: 'market' };
    const raw = signed('/v1/order', { body }, wall.now);
    const spaced = { ...raw, bodyText: JSON.stringify(body, null, 1) };
    expect(core.handleHttp(spaced).bodyText).toContain('invalid_signature');
    expect(core.handleHttp(raw).status).toBe(201);
  });

  test('spaces, escapes and non-ASCII text are signed as bytes', () => {
    const bodyText = ' {"symbol" : "B\\u0054C","side":"buy","size":0.001,"order_type":"market"}\n';
    expect(openTestService().ask('/v1/order', { bodyText }).status).toBe(201);
    const other = openTestService().ask('/v1/order', { body: { symbol: '比特币' } });
    expect(other.status).toBe(422);
  });

  test('a body without Content-Type: application/json is 415', () => {
    const body = { symbol: 'BTC' };
    const service = openTestService();
    for (const type of [undefined, 'text/plain', 'application/jsonx']) {
      const answer = service.ask('/v1/order', { body, headers: { 'content-type': type } });
      expect([answer.status, codeOf(answer)]).toEqual([415, 'unsupported_media_type']);
    }
    const type = 'Application/JSON; charset=utf-8';
    const answer = service.ask('/v1/order', { body, headers: { 'content-type': type } });
    expect(answer.status).toBe(422);
  });
});

describe('AUTH-3: session credentials do not work', () => {
  const unsigned = {
    'x-service-api-key-id': undefined,
    'x-service-timestamp': undefined,
    'x-service-signature': undefined,
  };

  test('beside any of the three headers, what is missing is one of these', () => {
    const names = Object.keys(unsigned);
    for (const sent of [
      ...names.map((name) => [name]),
      ...names.map((name) => names.filter((each) => each !== name)),
    ]) {
      const left = Object.fromEntries(
        names.filter((name) => !sent.includes(name)).map((name) => [name, undefined]),
      );
      const answer = openTestService().ask('/v1/status', {
        headers: { ...left, cookie: 'session=1' },
      });
      expect([answer.status, codeOf(answer)], sent.join()).toEqual([401, 'missing_credentials']);
    }
  });

  test.each([
    ['cookie', 'session=1'],
    ['authorization', 'Bearer abc'],
  ])('a %s alone is 401 session_credentials_refused', (name, value) => {
    const answer = openTestService().ask('/v1/status', { headers: { ...unsigned, [name]: value } });
    expect([answer.status, codeOf(answer)]).toEqual([401, 'session_credentials_refused']);
  });

  test('beside a valid signature it is ignored', () => {
    const headers = { cookie: 'session=1', authorization: 'Bearer abc' };
    expect(openTestService().ask('/v1/status', { headers }).status).toBe(200);
  });

  test('beside a part of the signature it is missing_credentials', () => {
    const headers = { 'x-service-signature': undefined, cookie: 'session=1' };
    expect(codeOf(openTestService().ask('/v1/status', { headers }))).toBe('missing_credentials');
  });
});

describe('AUTH-9: health and inbound webhooks are unsigned', () => {
  test('health answers anyone and costs nothing', () => {
    const { core, wall } = openTestService();
    const raw = { method: 'GET', target: '/v1/health', headers: {}, bodyText: '' };
    const answer = core.handleHttp({ ...raw, wallTime: wall.now });
    expect([answer.status, answer.bodyText]).toEqual([200, '{"status":"ok"}']);
    expect(answer.headers).not.toHaveProperty('x-service-weight');
  });

  test('no endpoint moves funds out', async () => {
    const { ENDPOINTS } = await import('../../../src/contract/index.ts');
    const paths = Object.values(ENDPOINTS).map(({ path }) => path);
    expect(paths.filter((path) => /withdraw|transfer|send/.test(path))).toEqual([]);
  });
});
