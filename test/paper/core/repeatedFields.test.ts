import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readJson } from '../../../src/paper/core/readJson.ts';
import { codeOf, openTestService, RESTING_ORDER } from './openTestService.ts';
import { openTestSession } from './openTestSession.ts';

const repeatedIn = (text: string): string[] =>
  readJson(text).repeated.map((path) => path.join('.'));

describe('fields that stand more than once', () => {
  test.each([
    ['{"side":"buy","side":"sell"}', ['side']],
    ['{"a":1,"b":2,"a":3,"a":4}', ['a', 'a']],
    ['{"legs":[{"x":1},{"x":1,"x":2}]}', ['legs.1.x']],
    ['{"a":{"b":[[],{"c":1,"c":{}}]}}', ['a.b.1.c']],
    // The same name, written in two ways.
    ['{"side":"buy","\\u0073ide":"sell"}', ['side']],
    ['{"__proto__":1,"__proto__":2}', ['__proto__']],
    ['{ "a" : 1 , "a" : 2 }', ['a']],
    ['{"a":"\\",\\"a\\":1","b":"a:"}', []],
    ['[{"a":1},{"a":1}]', []],
    ['{"a":{"a":{"a":1}}}', []],
    ['"a:b"', []],
    ['null', []],
  ])('%s: %j', (text, paths) => {
    expect(repeatedIn(text)).toEqual(paths);
  });

  test('none in any document that a program writes, and each that is put in', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(repeatedIn(text)).toEqual([]);
      }),
      { numRuns: 300 },
    );
    const object = fc.dictionary(fc.string({ minLength: 1 }), fc.jsonValue(), { minKeys: 1 });
    fc.assert(
      fc.property(object, fc.nat(), fc.jsonValue(), (fields, at, more) => {
        const names = Object.keys(fields);
        const name = names[at % names.length]!;
        const text = JSON.stringify(fields);
        const doubled = `${text.slice(0, -1)},${JSON.stringify(name)}:${JSON.stringify(more)}}`;
        expect(readJson(doubled).repeated).toEqual([[name]]);
      }),
      { numRuns: 300 },
    );
  });

  test('a long string does not exhaust the search', () => {
    const long = JSON.stringify('\\"x'.repeat(80_000));
    expect(repeatedIn(`{"a":${long},"a":${long}}`)).toEqual(['a']);
  });
});

describe('RULE-1: a request with a field twice is refused, and not read by half', () => {
  const text = (more: string): string => `${JSON.stringify(RESTING_ORDER).slice(0, -1)},${more}}`;

  test.each([
    ['"side":"sell"', 'side'],
    ['"side":"buy"', 'side'],
    ['"stop_loss":{"price":1,"price":2}', 'stop_loss.price'],
  ])('%s', (more, path) => {
    const service = openTestService();
    const answer = service.ask('/v1/order', { bodyText: text(more) });
    expect([answer.status, codeOf(answer)]).toEqual([422, 'validation_failed']);
    const [field] = answer.body.error.details.fields;
    expect(field).toMatchObject({ path, code: 'repeated_field' });
    expect(service.ask('/v1/orders').body.items).toEqual([]);
  });

  test('STR-6: a command alike, and a message that is half read', () => {
    const service = openTestService();
    const session = openTestSession(service);
    const command = (args: string, more = ''): string =>
      `{"id":"c","op":"command","command":"place_order","args":${args}${more}}`;
    const fault = (path: string) => ({
      error: { code: 'validation_failed', details: { fields: [{ path, code: 'repeated_field' }] } },
    });
    expect(session.send(command(text('"side":"sell"')))).toMatchObject({
      type: 'result',
      id: 'c',
      ok: false,
      ...fault('side'),
    });
    const twice = session.send(command(text('"reduce_only":false'), `,"args":${text('"x":1')}`));
    expect(twice).toMatchObject({ type: 'error', id: 'c', ...fault('args') });
    const subscribe = '{"id":"s","op":"subscribe","channel":"price","params":';
    expect(session.send(`${subscribe}{"symbol":"ETH","symbol":"BTC"}}`)).toMatchObject({
      type: 'error',
      id: 's',
      ...fault('params.symbol'),
    });
    expect(service.ask('/v1/orders').body.items).toEqual([]);
    expect(session.send(command(JSON.stringify(RESTING_ORDER))).ok).toBe(true);
  });

  test('WHK-1: an alert is read as before: a chart’s text may have a field twice', () => {
    const service = openTestService();
    const action = { type: 'order', request: { ...RESTING_ORDER, side: '{{side}}' } };
    const hook = { name: 'h', action, cooldown_seconds: 0, daily_cap: 5, dry_run: true };
    const { token } = service.ask('/v1/webhooks', { body: hook }).body;
    const answer = service.ask(`/v1/hooks/${token}`, { bodyText: '{"side":"buy","side":"sell"}' });
    expect([answer.status, answer.body.outcome]).toEqual([200, 'dry_run']);
  });

  test('WHK-1: an alert is delivered and listed, whatever its fields are called', () => {
    const service = openTestService();
    const action = { type: 'order', request: { ...RESTING_ORDER, side: '{{side}}' } };
    const hook = { name: 'h', action, dry_run: true };
    const { token, webhook_id: id } = service.ask('/v1/webhooks', { body: hook }).body;
    const bodyText = '{"side":"buy","__proto__":{"side":"sell"}}';
    const { status, body } = service.ask(`/v1/hooks/${token}`, { bodyText });
    expect([status, body.outcome, body.result.request.side]).toEqual([200, 'dry_run', 'buy']);
    const [delivery] = service.ask(`/v1/webhooks/${id}/deliveries`).body.items;
    expect(JSON.stringify(delivery.request_body)).toBe(bodyText);
  });
});
