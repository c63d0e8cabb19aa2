import { z } from 'zod';
import { secretReference } from './linkSettings.ts';
import { notifySettings } from './notifySettings.ts';

/** `HOST:PORT`, an IPv6 address in brackets, or `unix:PATH`. */
const ADDRESS =
  /^(?:unix:(?<socket>.+)|(?<host>\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9.-]+):(?<port>\d{1,5}))$/;

/** Where the operator's server listens: a port of a host, or a socket of this machine. */
export type ListenAddress = { host: string; port: number } | { socket: string };

/** Undefined if it is no address. */
export function toListenAddress(text: string): ListenAddress | undefined {
  const { socket, host, port } = ADDRESS.exec(text)?.groups ?? {};
  if (socket !== undefined) return { socket };
  if (host === undefined || Number(port) > 65_535) return undefined;
  return { host: host.replace(/^\[|\]$/g, ''), port: Number(port) };
}

const token = (what: string) =>
  secretReference.optional().meta({
    description: `${what} At least 16 characters, read from {env: NAME} or {file: PATH}; never the token itself.`,
  });

/** What a bot has for its operator: a server with page, metrics and control, and alerts. */
export const operateSettings = z
  .strictObject({
    listen: z
      .string()
      .refine((text) => text === 'off' || toListenAddress(text) !== undefined, {
        message: 'must be HOST:PORT, such as 127.0.0.1:9464, unix:PATH, or off',
      })
      .default('127.0.0.1:9464')
      .meta({
        description:
          'Where page, metrics and control are served: HOST:PORT, port 0 for any free one, unix:PATH relative to this file, or off for no server. A host other than this machine needs both tokens and `tls_in_front`.',
      }),
    read_token: token('Token of those who may read. Without one, everyone on this machine may.'),
    control_token: token(
      'Token of those who may also control the bot. Without one, no route does.',
    ),
    hosts: z.array(z.string().min(1)).default([]).meta({
      description:
        'Names by which a proxy in front of it is reached, as in the Host header, without a port. Names of this machine are always accepted.',
    }),
    tls_in_front: z.boolean().default(false).meta({
      description:
        'That a proxy in front of it speaks TLS: without, tokens would be readable on the way. Needed to listen on other addresses than those of this machine.',
    }),
    notify: notifySettings.optional(),
  })
  .meta({
    description: 'What this bot has for its operator: a server, and alerts. Default: none.',
  });
export type OperateSettings = z.output<typeof operateSettings>;
