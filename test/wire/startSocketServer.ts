import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { WebSocketServer, type WebSocket } from 'ws';

export interface SocketServer {
  wsUrl: string;
  /** Requests of all upgrades so far. */
  upgrades: IncomingMessage[];
  connections: WebSocket[];
  /** Messages of all connections, parsed. */
  messages: Array<Record<string, unknown>>;
}

interface Options {
  onConnection?: (socket: WebSocket, count: number) => void;
  onMessage?: (socket: WebSocket, message: Record<string, unknown>) => void;
  /** Answers an upgrade itself instead; returns false to accept it. */
  refuse?: (socket: Socket, count: number) => boolean;
  autoPong?: boolean;
}

/** A real WebSocket server for one test. */
export async function startSocketServer(options: Options = {}): Promise<SocketServer> {
  const http = createServer();
  const server = new WebSocketServer({ noServer: true, autoPong: options.autoPong ?? true });
  const started: SocketServer = { wsUrl: '', upgrades: [], connections: [], messages: [] };
  http.on('upgrade', (request: IncomingMessage, socket: Socket, head) => {
    started.upgrades.push(request);
    socket.on('error', () => {});
    if (options.refuse?.(socket, started.upgrades.length) === true) return;
    server.handleUpgrade(request, socket, head, (connection) => accept(connection));
  });
  const accept = (connection: WebSocket): void => {
    started.connections.push(connection);
    connection.on('error', () => {});
    connection.on('message', (data: Buffer) => {
      const message = JSON.parse(data.toString()) as Record<string, unknown>;
      started.messages.push(message);
      options.onMessage?.(connection, message);
    });
    options.onConnection?.(connection, started.connections.length);
  };
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const connection of started.connections) connection.terminate();
    http.closeAllConnections();
    http.close();
  });
  started.wsUrl = `ws://127.0.0.1:${(http.address() as AddressInfo).port}/v1/stream?compact=1`;
  return started;
}
