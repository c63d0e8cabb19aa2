import { createServer, type Server } from 'node:http';
import { connect } from 'node:net';
import { existsSync, linkSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  closeServer,
  createRouteServer,
  listen,
} from '../../../src/operate/serve/createRouteServer.ts';

let folder: string;
let path: string;
const servers: Server[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'trimtab-listen-'));
  path = join(folder, 'bot.sock');
});
afterEach(async () => {
  for (const server of servers.splice(0)) await closeServer(server);
  rmSync(folder, { recursive: true });
});

function open(): Server {
  const server = createServer((_request, response) => void response.end());
  servers.push(server);
  return server;
}

const answers = (): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = connect(path, () => (probe.destroy(), resolve(true)));
    probe.once('error', () => resolve(false));
  });

test('a socket of a process that runs stays its own', async () => {
  await listen(open(), { socket: path });
  await expect(listen(open(), { socket: path })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  expect(await answers()).toBe(true);
});

test('a socket of a process that is too busy to answer stays its own', async () => {
  const busy = open();
  await new Promise<void>((resolve) => busy.listen({ path, backlog: 1 }, resolve));
  // Its queue is full until this turn ends.
  const waiting = Array.from({ length: 20 }, () => connect(path).on('error', () => {}));
  const second = listen(open(), { socket: path });
  await expect(second).rejects.toMatchObject({ code: 'EADDRINUSE' });
  for (const socket of waiting) socket.destroy();
  await expect.poll(answers).toBe(true);
});

test('a socket that a killed process left is replaced', async () => {
  const killed = open();
  await listen(killed, { socket: join(folder, 'first.sock') });
  // A server that closes removes its name of the socket; a killed one removes none.
  linkSync(join(folder, 'first.sock'), path);
  await closeServer(servers.pop()!);
  expect([existsSync(path), await answers()]).toEqual([true, false]);
  await listen(open(), { socket: path });
  expect(await answers()).toBe(true);
});

test('a file that is no socket is left as it is', async () => {
  writeFileSync(path, 'name: bot\n');
  await expect(listen(open(), { socket: path })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  expect(readFileSync(path, 'utf8')).toBe('name: bot\n');
});

test('no more than 64 connections are held', async () => {
  // None of them asks for anything, as those of a slow sender.
  const server = createRouteServer({ routes: [], admission: {} as never, env: {} as never });
  servers.push(server);
  await listen(server, { socket: path });
  const dropped = Promise.withResolvers<void>();
  server.once('drop', () => dropped.resolve());
  const callers = Array.from({ length: 65 }, () => connect(path).on('error', () => {}));
  await dropped.promise;
  const held = await new Promise<number>((resolve, reject) =>
    server.getConnections((error, count) => (error === null ? resolve(count) : reject(error))),
  );
  expect(held).toBe(64);
  for (const caller of callers) caller.destroy();
});
