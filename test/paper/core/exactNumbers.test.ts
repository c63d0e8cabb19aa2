import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openTestService, RESTING_ORDER } from './openTestService.ts';
import { openTestSession } from './openTestSession.ts';

const orderText = (size: string, more = ''): string =>
  `{"symbol":"BTC","side":"buy","size":${size},"order_type":"limit","price":30000${more}}`;
/** The refusal of a body whose size is this literal. */
const faultOf = (size: string) => {
  const { status, body } = openTestService().ask('/v1/order', { bodyText: orderText(size) });
  return [status, body.error?.details.fields?.[0]?.code];
};

describe('RULE-1: a number that JSON would round is refused', () => {
  test.each([
    '1.00000000000000000000001',
    '0.9999999999999999999',
    '99.000000000000001',
    '9007199254740993',
    '1e-400',
    `1.${'0'.repeat(200)}1`,
  ])('%s', (size) => {
    expect(faultOf(size)).toEqual([422, 'inexact_number']);
  });

  test.each([
    ['1', 201],
    ['1.000000000000000000000', 201],
    ['0.0010000000000000000', 201],
    ['1e0', 201],
    ['10000000000000000000000e-22', 201],
    // As C writes 0.1 with 17 digits, and all the digits that its double has.
    ['0.10000000000000001', 201],
    ['0.1000000000000000055511151231257827021181583404541015625', 201],
  ])('but %s is taken: %i', (size, status) => {
    expect(openTestService().ask('/v1/order', { bodyText: orderText(size) }).status).toBe(status);
  });

  test('its path is named, and digits in a string are none', () => {
    const service = openTestService();
    const leg = ',"stop_loss":{"offset":{"mult":1.00000000000000000001}}';
    const { error } = service.ask('/v1/order', { bodyText: orderText('1', leg) }).body;
    expect(error.details.fields).toMatchObject([
      {
        path: 'stop_loss.offset.mult',
        message: expect.stringContaining('1.00000000000000000001 has more digits'),
      },
    ]);
    // In lists, too, where each number of several is named.
    const indicators =
      '[{"indicator":"sma","params":{"period":20}},{"indicator":"bollinger","params":{"period":9007199254740993,"std_dev":2.00000000000000000001}}]';
    const bodyText = `{"symbol":"BTC","interval":"1m","indicators":${indicators}}`;
    const evaluated = service.ask('/v1/indicators/evaluate', { bodyText }).body.error;
    expect(evaluated.details.fields.map(({ path }: { path: string }) => path)).toEqual([
      'indicators.1.params.period',
      'indicators.1.params.std_dev',
    ]);
    const id = ',"client_order_id":"99.00000000000000100001"';
    expect(service.ask('/v1/order', { bodyText: orderText('1', id) }).status).toBe(201);
  });

  test('a command is refused alike', () => {
    const session = openTestSession(openTestService());
    const args = `"args":${orderText('1.00000000000000000000001')}`;
    const message = `{"id":"c1","op":"command","command":"place_order",${args}}`;
    expect(session.send(message)).toMatchObject({
      id: 'c1',
      ok: false,
      error: { code: 'validation_failed', details: { fields: [{ path: 'size' }] } },
    });
    expect(
      session.send({ id: 'c2', op: 'command', command: 'place_order', args: RESTING_ORDER }).ok,
    ).toBe(true);
  });

  test('every literal of a double is taken, at any number of digits', () => {
    const service = openTestService({ limits: 'off' });
    const literals = fc.tuple(
      fc.double({ min: 1e-5, max: 1, noNaN: true }),
      fc.integer({ min: 1, max: 40 }),
    );
    fc.assert(
      fc.property(literals, ([value, digits]) => {
        const asked = [
          String(value),
          value.toPrecision(Math.max(17, digits)),
          value.toExponential(),
        ];
        for (const literal of asked) {
          const { body } = service.ask('/v1/order', { bodyText: orderText(literal) });
          expect(body.error?.details.fields?.[0]?.code, literal).not.toBe('inexact_number');
        }
      }),
      { numRuns: 50 },
    );
  });
});
