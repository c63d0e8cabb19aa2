import { afterEach, expect, test } from 'vitest';
import { openService, type OpenedService, type ServerFrame } from '../../src/service.ts';
import { openWorkshop, type Service, type Workshop } from './startProcess.ts';

let workshop: Workshop | undefined;
let opened: OpenedService | undefined;
afterEach(async () => {
  await opened?.close();
  workshop?.close();
});

test('the line that a paper service prints opens client and socket', async () => {
  workshop = openWorkshop('open-service');
  const line = await workshop.startPaper(60);
  opened = openService(line);
  const { client, socket } = opened;

  const frames: ServerFrame[] = [];
  const states: string[] = [];
  socket.open({
    onFrame: (frame) => frames.push(frame),
    onFault: (fault) => states.push(`fault ${JSON.stringify(fault)}`),
    onStatus: ({ state }) => states.push(state),
  });
  await expect.poll(() => states, { timeout: 10_000 }).toEqual(['connecting', 'open']);
  socket.send({ id: 'mine', op: 'subscribe', channel: 'price', params: { symbol: 'BTC' } });
  await expect.poll(() => frames.map(({ kind }) => kind), { timeout: 10_000 }).toContain('stream');

  const placed = await client.orders.place({
    body: { symbol: 'BTC', side: 'buy', size: 0.001, order_type: 'market' },
  });
  expect(placed.symbol).toBe('BTC');

  await opened.close();
  await opened.close();
  expect(states.filter((state) => state === 'closed')).toEqual(['closed']);
  const request = { endpoint: 'utility.status', pathParams: {}, query: {}, body: '' } as const;
  expect(await client.request(request)).toEqual({ kind: 'not_sent', reason: 'closed' });
  expect(await socket.command('place_order', {})).toEqual({ kind: 'not_sent', reason: 'closed' });
}, 60_000);

const LINE: Service = {
  base_url: 'http://127.0.0.1:1',
  ws_url: 'ws://127.0.0.1:1/v1/stream',
  key_id: 'vk_1',
  secret: 'vs_hidden',
};

test.each(Object.keys(LINE))('a line without `%s` is refused by its name', (name) => {
  for (const [value, what] of [
    [undefined, 'missing'],
    ['', 'empty'],
    [7, 'no text'],
    [`vs_hidden\n`, 'line break'],
  ] as const) {
    const open = (): unknown => openService({ ...LINE, [name]: value });
    expect(open).toThrow(TypeError);
    expect(open).toThrow(new RegExp(`\`${name}\`.* ${what}`));
    expect(open).not.toThrow(/vs_hidden/);
  }
});

test('a plain-text address of another machine is refused', () => {
  const elsewhere = { ...LINE, base_url: 'http://127.evil.example' };
  expect(() => openService(elsewhere)).toThrow('is not this machine');
});
