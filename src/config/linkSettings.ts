import { z } from 'zod';
import { isLoopback } from '../contract/index.ts';

/** Names of environment variables, as POSIX has them. */
const variableName = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'the name of an environment variable: letters, digits and _');

const fromEnvironment = z.strictObject({
  env: variableName.meta({ description: 'Name of the environment variable that holds the value.' }),
});
const fromFile = z.strictObject({
  file: z.string().min(1).meta({
    description:
      "File with only the value, its owner's alone (chmod 600); a bare name may be a systemd credential.",
  }),
});

/** Never the secret itself: a file may be shared, committed or shown. */
export const secretReference = z.union([fromEnvironment, fromFile]);
export type SecretReference = z.infer<typeof secretReference>;

/** An address with one of the secure protocols; the plain one is for this machine only. */
function address(secure: 'https:' | 'wss:', plain: 'http:' | 'ws:') {
  return z.string().superRefine((text, ctx) => {
    const url = URL.parse(text);
    const isPlain = url?.protocol === plain;
    if (url === null || (url.protocol !== secure && !isPlain)) {
      ctx.addIssue({
        code: 'custom',
        message: `must be an address that starts with ${secure}//, or ${plain}// on this machine`,
      });
    } else if (url.username !== '' || url.password !== '') {
      ctx.addIssue({ code: 'custom', message: 'must not hold a user name or a password' });
    } else if (isPlain && !isLoopback(url.hostname)) {
      ctx.addIssue({
        code: 'custom',
        message: `must start with ${secure}// (${plain}// is for this machine only)`,
      });
    }
  });
}

const paperLink = z.strictObject({ kind: z.literal('paper') }).meta({
  description: 'The paper service of section `paper`, in the same process, over loopback.',
});

const keyFields = {
  key_id: z
    .union([z.string().regex(/^vk_/, 'must start with vk_'), fromEnvironment, fromFile])
    .meta({ description: 'Public id of the API key (vk_…), or where to read it.' }),
  secret: secretReference.meta({
    description:
      'Where the API secret is read: {env: NAME} or {file: PATH}. Never the secret itself.',
  }),
};

const serviceFields = {
  base_url: address('https:', 'http:').meta({
    description: 'Base address of the service, without /v1, such as https://service.example.',
  }),
  ws_url: address('wss:', 'ws:').optional().meta({
    description: 'Address of the socket, path included. Default: base_url with wss and /v1/stream.',
  }),
  ...keyFields,
  start_retry_seconds: z.number().min(0).max(86_400).default(120).meta({
    description:
      'How long a start waits for a service that answers 5xx or 429, or not at all, before it ends.',
  }),
  auth_retry_seconds: z.number().min(1).max(86_400).default(60).meta({
    description:
      'How long a bot whose key is refused at run time keeps trying before it exits, for a supervisor to notice.',
  }),
};

/** Keys of a link to a service, which the embedded paper service has no use for. */
export const SERVICE_KEYS = Object.keys(serviceFields);

/** The second process that ends entries when the bot hangs, with its own key. */
export const watchdogSettings = z
  .strictObject({
    ...keyFields,
    silence_seconds: z.number().min(5).max(3_600).default(60).meta({
      description: "Silence of the bot's main loop after which its entries are ended, seconds.",
    }),
  })
  .meta({
    description:
      'Key and patience of `trimtab watchdog`. Its key needs the scopes read, trade and algo.',
  });
export type WatchdogSettings = z.output<typeof watchdogSettings>;
/** Where a key and its secret are read; the id may be written itself. */
export type NamedKey = Pick<WatchdogSettings, 'key_id' | 'secret'>;

const liveLink = z
  .strictObject({ kind: z.literal('live'), ...serviceFields })
  .meta({ description: 'A real service. Trading on it also needs the flag --live.' });

const paperServiceLink = z
  .strictObject({
    kind: z.literal('paper_service'),
    ...serviceFields,
    budget_clock: z.enum(['wall', 'replay']).default('wall').meta({
      description: "What that service's rate budgets count: wall time, or its replay's.",
    }),
  })
  .meta({ description: 'A separate paper service (trimtab paper).' });

export const linkSettings = z
  .discriminatedUnion('kind', [paperLink, liveLink, paperServiceLink])
  .meta({ description: 'Where the bot trades.' });
