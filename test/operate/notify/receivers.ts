import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net';

/** A request that a receiver got. */
export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: Record<string, unknown>;
  text: string;
}

export interface Receiver {
  url: string;
  port: number;
  got: Received[];
  /** Texts of the messages that were answered with 200. */
  texts(): string[];
  close(): Promise<void>;
}

type Answer = (response: ServerResponse, at: number) => void;
const accept: Answer = (response) => void response.writeHead(200).end('ok');

/** A real HTTP receiver on this machine. */
export async function openReceiver(answer: Answer = accept, port = 0): Promise<Receiver> {
  const got: Received[] = [];
  const accepted: string[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8');
    request.on('data', (part: string) => (text += part));
    request.on('end', () => {
      const { url = '', headers } = request;
      const body = JSON.parse(text) as Record<string, unknown>;
      got.push({ path: url, headers, body, text });
      response.on('finish', () => {
        if (response.statusCode === 200) accepted.push(String(body['text'] ?? body['content']));
      });
      answer(response, got.length - 1);
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const at = (server.address() as AddressInfo).port;
  return {
    url: `http://127.0.0.1:${at}/hooks/T0123/very-secret-path?key=also-very-secret`,
    port: at,
    got,
    texts: () => accepted,
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => void server.close(() => resolve()));
    },
  };
}

export interface Mail {
  from: string;
  to: string[];
  /** Headers and body, as they came. */
  data: string;
}

export interface MailServer {
  url: string;
  mails: Mail[];
  /** User and password of each login, decoded. */
  logins: string[];
  close(): Promise<void>;
}

export interface MailServerOptions {
  /** The answer to a recipient. Default: it is taken. */
  recipient?: (address: string) => string;
  /** Says nothing at all. */
  hangs?: boolean;
}

/** A small real SMTP server on this machine: EHLO, AUTH PLAIN, MAIL, RCPT, DATA, QUIT. */
export async function openMailServer(options: MailServerOptions = {}): Promise<MailServer> {
  const mails: Mail[] = [];
  const logins: string[] = [];
  const sockets = new Set<Socket>();
  const serve = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    if (options.hangs === true) return;
    const say = (line: string): void => void socket.write(`${line}\r\n`);
    let mail: Mail = { from: '', to: [], data: '' };
    let isData = false;
    let rest = '';
    const addressOf = (line: string): string => /<([^>]*)>/.exec(line)?.[1] ?? '';
    const command = (line: string): void => {
      const verb = line.slice(0, 4).toUpperCase();
      if (verb === 'EHLO') return say('250-test\r\n250 AUTH PLAIN');
      if (verb === 'AUTH') {
        const text = Buffer.from(line.split(' ')[2] ?? '', 'base64').toString();
        logins.push(text.split('\0').slice(1).join(' '));
        return say('235 welcome');
      }
      if (verb === 'MAIL') mail = { from: addressOf(line), to: [], data: '' };
      if (verb === 'RCPT') {
        const answer = options.recipient?.(addressOf(line)) ?? '250 taken';
        if (answer.startsWith('2')) mail.to.push(addressOf(line));
        return say(answer);
      }
      if (verb === 'DATA') {
        isData = true;
        return say('354 go on');
      }
      say(verb === 'QUIT' ? '221 bye' : '250 ok');
      if (verb === 'QUIT') socket.end();
    };
    say('220 test');
    socket.setEncoding('utf8');
    socket.on('data', (part: string) => {
      rest += part;
      for (let end = rest.indexOf('\r\n'); end !== -1; end = rest.indexOf('\r\n')) {
        const line = rest.slice(0, end);
        rest = rest.slice(end + 2);
        if (!isData) command(line);
        else if (line === '.') {
          isData = false;
          mails.push(mail);
          say('250 delivered');
        } else mail.data += `${line}\n`;
      }
    });
  };
  const server = createTcpServer(serve);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `smtp://bot%40example.org:mail-pass-word@127.0.0.1:${port}`,
    mails,
    logins,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => void server.close(() => resolve()));
    },
  };
}
