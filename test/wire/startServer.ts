import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

export interface Started {
  port: number;
  url: string;
  /** Sockets that are open now. */
  sockets: Set<Socket>;
}

async function start(server: ReturnType<typeof createTcpServer> | Server): Promise<Started> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  return { port, url: `http://127.0.0.1:${port}`, sockets };
}

/** A real HTTP server for one test. */
export const startHttp = (listener: RequestListener): Promise<Started> =>
  start(createHttpServer(listener));

/** A server that answers in raw bytes: for answers that no honest server gives. */
export const startTcp = (onSocket: (socket: Socket) => void): Promise<Started> =>
  start(createTcpServer(onSocket));

/** A port without a listener. */
export async function closedPort(): Promise<number> {
  const server = createTcpServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
