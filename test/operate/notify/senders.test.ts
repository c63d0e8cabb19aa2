import { afterEach, describe, expect, test } from 'vitest';
import { Secret, type ChannelConfig } from '../../../src/config/index.ts';
import { createLiveEnv } from '../../../src/env/index.ts';
import { createNotifier, createSender } from '../../../src/operate/notify/createNotifier.ts';
import { createEmailSender } from '../../../src/operate/notify/createEmailSender.ts';
import { createTelegramSender } from '../../../src/operate/notify/createTelegramSender.ts';
import type { Message } from '../../../src/operate/notify/formatNotices.ts';
import { sendTestMessages } from '../../../src/operate/notify/sendTestMessages.ts';
import { postJson } from '../../../src/wire/index.ts';
import { alertOf, changeOf, createFastEnv, openLog, RULES } from './fixtures.ts';
import { openMailServer, openReceiver } from './receivers.ts';

const opened: Array<{ close(): Promise<void> }> = [];
afterEach(async () => {
  for (const one of opened.splice(0).toReversed()) await one.close();
});
const use = async <T extends { close(): Promise<void> }>(what: Promise<T>): Promise<T> => {
  const one = await what;
  opened.push(one);
  return one;
};

const HOSTILE =
  'bad <!channel> <@U1> & @everyone [x](http://evil.example)\r\nBcc: all@evil.example\u202Eabc\u0000';
const TOKEN = '123456789:AAH-secret_token_of_the_test_bot_1234';
const env = createLiveEnv();
const messageOf = (text: string): Message => ({
  bot: 'one',
  notices: [
    { kind: 'begun', alert: alertOf('uncovered/main/BTC', 'page', text), time: 1_780_000_000_000 },
  ],
  dropped: 0,
});
const webhook = (
  url: string,
  template: 'plain' | 'slack' | 'discord' = 'plain',
): ChannelConfig => ({
  kind: 'webhook',
  url: new Secret(url),
  template,
  ...RULES,
});

describe('each kind of channel writes user text as text', () => {
  test('a plain webhook', async () => {
    const receiver = await use(openReceiver());
    const delivery = await createSender(webhook(receiver.url), env).send(messageOf(HOSTILE));
    expect(delivery).toEqual({ kind: 'delivered' });
    const [{ body, path, headers }] = receiver.got as [(typeof receiver.got)[0]];
    expect(path).toBe('/hooks/T0123/very-secret-path?key=also-very-secret');
    expect(headers['content-type']).toBe('application/json');
    expect(body).toMatchObject({ bot: 'one', dropped: 0 });
    const [alert] = body['alerts'] as Array<Record<string, string>>;
    expect(alert).toMatchObject({ key: 'uncovered/main/BTC', severity: 'page', state: 'begun' });
    expect(alert!['title']).toBe('PAGE: title of uncovered/main/BTC');
    expect(alert!['text']).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect(body['text']).toContain('→ do it');
  });

  test('Slack: no mention and no link begins', async () => {
    const receiver = await use(openReceiver());
    await createSender(webhook(receiver.url, 'slack'), env).send(messageOf(HOSTILE));
    const text = String(receiver.got[0]!.body['text']);
    expect(text).toContain('&lt;!channel&gt; &lt;@U1&gt; &amp; @everyone');
    expect(text).not.toMatch(/[<>]/);
    expect(receiver.got[0]!.body['mrkdwn']).toBe(false);
  });

  test('Discord: nobody is mentioned, and nothing is markup', async () => {
    const receiver = await use(openReceiver());
    await createSender(webhook(receiver.url, 'discord'), env).send(messageOf(HOSTILE));
    const { content, allowed_mentions: mentions } = receiver.got[0]!.body;
    expect(mentions).toEqual({ parse: [] });
    expect(content).toContain(String.raw`\<@U1\>`);
    expect(content).toContain(String.raw`\[x\]\(http`);
  });

  test('Telegram: plain text', async () => {
    const receiver = await use(openReceiver());
    const channel: ChannelConfig = {
      kind: 'telegram',
      token: new Secret(TOKEN),
      chat: 123,
      ...RULES,
    };
    const api = new URL(receiver.url).origin;
    await createSender(channel, env, api).send(messageOf(HOSTILE));
    const [{ path, body }] = receiver.got as [(typeof receiver.got)[0]];
    expect(path).toBe(`/bot${TOKEN}/sendMessage`);
    expect(body).toMatchObject({ chat_id: 123 });
    expect(Object.keys(body)).not.toContain('parse_mode');
    expect(body['text']).toContain('<!channel> <@U1> &');
  });

  test('mail: no header is added', async () => {
    const server = await use(openMailServer());
    const to = ['ops@example.org', 'night@example.org'];
    const message = messageOf(HOSTILE);
    const hostile = { ...message.notices[0]!.alert, title: HOSTILE };
    const notices = [{ ...message.notices[0]!, alert: hostile }];
    const sender = createEmailSender({ url: server.url, to, from: undefined }, env);
    expect(await sender.send({ ...message, notices })).toEqual({ kind: 'delivered' });
    const [mail] = server.mails;
    expect(mail).toMatchObject({ from: 'bot@example.org', to });
    expect(server.logins).toEqual(['bot@example.org mail-pass-word']);
    const head = mail!.data.slice(0, mail!.data.indexOf('\n\n'));
    expect(head).toMatch(/^Subject: \[one\] PAGE: bad/m);
    expect(head).not.toMatch(/^Bcc:/m);
    expect(mail!.data).not.toContain('mail-pass-word');
  });
});

describe('what an answer means', () => {
  const sendTo = async (answer: Parameters<typeof openReceiver>[0]) => {
    const receiver = await use(openReceiver(answer));
    const delivery = await createSender(webhook(receiver.url), env).send(messageOf('text'));
    return { delivery, receiver };
  };

  test.each([
    [204, {}, '', { kind: 'delivered' }],
    [404, {}, '', { kind: 'refused', reason: 'HTTP 404' }],
    [401, {}, '', { kind: 'refused', reason: 'HTTP 401' }],
    [503, {}, '', { kind: 'retry', reason: 'HTTP 503' }],
    // The same message may be taken later.
    [408, {}, '', { kind: 'retry', reason: 'HTTP 408' }],
    [425, {}, '', { kind: 'retry', reason: 'HTTP 425' }],
    [429, { 'retry-after': '7' }, '', { kind: 'retry', reason: 'HTTP 429', retryAfterMs: 7_000 }],
    [429, {}, '{"retry_after":0.5}', { kind: 'retry', reason: 'HTTP 429', retryAfterMs: 500 }],
    [
      429,
      {},
      '{"ok":false,"parameters":{"retry_after":31}}',
      { kind: 'retry', reason: 'HTTP 429', retryAfterMs: 31_000 },
    ],
    [
      503,
      { 'retry-after': '99999999' },
      '',
      { kind: 'retry', reason: 'HTTP 503', retryAfterMs: 3_600_000 },
    ],
    [429, { 'retry-after': 'soon' }, 'null', { kind: 'retry', reason: 'HTTP 429' }],
  ])('%i with %j %s', async (status, headers, body, expected) => {
    const { delivery } = await sendTo((response) => response.writeHead(status, headers).end(body));
    expect(delivery).toEqual(expected);
  });

  test.each(['webhook', 'telegram'] as const)(
    'a time until which a %s waits is one of the wall',
    async (kind) => {
      const [time, waitMs] = [1_790_000_000_000, 90_000];
      const clock = { ...env.clock, wallNow: () => time };
      const until = new Date(time + waitMs).toUTCString();
      const receiver = await use(
        openReceiver((response) => response.writeHead(429, { 'retry-after': until }).end()),
      );
      const { origin } = new URL(receiver.url);
      const { send } =
        kind === 'webhook'
          ? createSender(webhook(receiver.url), { ...env, clock })
          : createTelegramSender({ token: TOKEN, chat: 1, api: origin }, { ...env, clock });
      expect(await send(messageOf('text'))).toMatchObject({ retryAfterMs: waitMs });
    },
  );

  test('a message is no longer than the service takes', () => {
    const url = 'https://hooks.example.org/x';
    const telegram = { kind: 'telegram', token: new Secret(TOKEN), chat: 1, ...RULES } as const;
    expect(createSender(telegram, env).most).toBeLessThan(4_096);
    expect(createSender(webhook(url, 'discord'), env).most).toBeLessThan(2_000);
    expect(createSender(webhook(url, 'slack'), env).most).toBeLessThan(4_000);
  });

  test('a redirect is refused, and not followed', async () => {
    const other = await use(openReceiver());
    const { delivery } = await sendTo((response) =>
      response.writeHead(307, { location: other.url }).end(),
    );
    expect(delivery).toEqual({ kind: 'refused', reason: 'HTTP 307' });
    expect(other.got).toEqual([]);
  });

  test('an answer without end is read to a bound', async () => {
    const { delivery } = await sendTo((response) => {
      response.writeHead(200);
      const more = (): void => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
        if (!response.destroyed) response.once('drain', more);
      };
      more();
    });
    expect(delivery).toEqual({ kind: 'delivered' });
  });

  test('one that hangs, is not there, or cuts the line is tried again, and no address is named', async () => {
    const fast = createFastEnv();
    const hanging = await use(openReceiver(() => {}));
    expect(await createSender(webhook(hanging.url), fast).send(messageOf('text'))).toEqual({
      kind: 'retry',
      reason: 'timeout',
    });
    const gone = await openReceiver();
    await gone.close();
    const { delivery: cut } = await sendTo((response) => response.destroy());
    const absent = await createSender(webhook(gone.url), env).send(messageOf('text'));
    for (const delivery of [cut, absent]) {
      expect(delivery.kind).toBe('retry');
      expect(JSON.stringify(delivery)).not.toMatch(/127\.0\.0\.1|secret/);
    }
  });

  test('plain text to another machine is never sent', async () => {
    const answer = await postJson({ url: 'http://192.0.2.1/x', body: {}, timeoutMs: 1_000, env });
    expect(answer).toMatchObject({ kind: 'failed' });
    expect(JSON.stringify(answer)).toContain('UNSAFE_ADDRESS');
  });

  test('of a mail server', async () => {
    const to = ['ops@example.org'];
    const sendMail = async (server: { url: string }, given = env) =>
      createEmailSender({ url: server.url, to, from: 'bot@example.org' }, given).send(
        messageOf('text'),
      );
    const refusing = await use(openMailServer({ recipient: () => '550 nobody here' }));
    expect(await sendMail(refusing)).toEqual({ kind: 'refused', reason: 'SMTP 550' });
    for (const code of [451, 499, 500, 599]) {
      const server = await use(openMailServer({ recipient: () => `${code} no` }));
      const kind = code < 500 ? 'retry' : 'refused';
      expect(await sendMail(server)).toEqual({ kind, reason: `SMTP ${code}` });
    }
    const hanging = await use(openMailServer({ hangs: true }));
    expect((await sendMail(hanging, createFastEnv())).kind).toBe('retry');
    const gone = await openMailServer();
    await gone.close();
    const absent = await sendMail(gone);
    expect(absent.kind).toBe('retry');
    expect(JSON.stringify(absent)).not.toMatch(/mail-pass-word|127\.0\.0\.1/);
  });
});

describe('channels of one bot', () => {
  test('one that hangs and one that is down hold up neither the bot nor the others', async () => {
    const { log, lines } = openLog();
    const fast = createFastEnv(log, 20);
    const [good, hanging] = [await use(openReceiver()), await use(openReceiver(() => {}))];
    const gone = await openReceiver();
    await gone.close();
    const mail = await use(openMailServer());
    const email: ChannelConfig = {
      kind: 'email',
      url: new Secret(mail.url),
      to: ['ops@example.org'],
      from: undefined,
      ...RULES,
    };
    const channels = [webhook(hanging.url), webhook(gone.url), webhook(good.url, 'slack'), email];
    const notifier = createNotifier({ channels, bot: 'one', env: fast, redact: (text) => text });
    for (let at = 0; at < 50; at++)
      notifier.offer(changeOf('once', alertOf(`liquidation/${at}`, 'page')));
    await expect
      .poll(() => good.texts().join('\n'), { timeout: 10_000 })
      .toContain('liquidation/49');
    await expect
      .poll(() => mail.mails.map(({ data }) => data).join('\n'), { timeout: 10_000 })
      .toContain('liquidation');
    for (let at = 0; at < 50; at++) {
      const delivered = good.texts().join('\n').split(`about liquidation/${at}\n`).length - 1;
      expect(delivered, `liquidation/${at}`).toBe(1);
    }
    await notifier.close(3_000);
    expect(lines.join('\n')).toContain('webhook notify[0]');
    expect(lines.join('\n')).not.toMatch(/secret|127\.0\.0\.1|mail-pass-word/);
  }, 20_000);

  test('title, text and remedy of an alert and of its reminders are redacted', async () => {
    const receiver = await use(openReceiver());
    const notifier = createNotifier({
      channels: [{ ...webhook(receiver.url), repeatMs: 1_000 }],
      bot: 'one',
      env: createFastEnv(),
      redact: (text) => text.replaceAll('hunter2', '***'),
    });
    const alert = { ...alertOf('kill/L1', 'page', 'text hunter2'), todo: 'remedy hunter2' };
    const titled = { ...alert, title: 'title hunter2' };
    notifier.offer(changeOf('begun', titled));
    await expect.poll(() => receiver.got.length).toBe(1);
    await expect
      .poll(() => {
        notifier.remind(new Map([[titled.key, titled]]));
        return receiver.got.length;
      })
      .toBeGreaterThan(1);
    for (const { text } of receiver.got) {
      for (const part of ['title ***', 'text ***', 'remedy ***']) expect(text).toContain(part);
      expect(text).not.toContain('hunter2');
    }
    await notifier.close(1_000);
  });

  test('each receiver of a mail gets it: one that is not taken is tried again, or is lost and said so', async () => {
    const { log, lines } = openLog();
    const fast = createFastEnv(log, 5);
    let later = 0;
    const server = await use(
      openMailServer({
        recipient(address) {
          if (address.startsWith('gone')) return '550 nobody here';
          return address.startsWith('busy') && later++ < 2 ? '451 later' : '250 taken';
        },
      }),
    );
    const to = ['ops', 'busy', 'gone'].map((name) => `${name}@example.org`);
    const email: ChannelConfig = {
      kind: 'email',
      // Without a name that could be the sender's.
      url: new Secret(server.url.replace('bot%40example.org', 'bot')),
      to,
      from: undefined,
      ...RULES,
    };
    const channels = [email];
    const notifier = createNotifier({ channels, bot: 'one', env: fast, redact: (text) => text });
    notifier.offer(changeOf('begun', alertOf('kill/L1')));
    const receivers = () => new Set(server.mails.flatMap((mail) => mail.to));
    const both = new Set(['ops@example.org', 'busy@example.org']);
    await expect.poll(receivers, { timeout: 15_000 }).toEqual(both);
    await notifier.close(1_000);
    expect(server.mails.every((mail) => mail.to.length === 1)).toBe(true);
    expect(new Set(server.mails.map((mail) => mail.from))).toEqual(new Set(['ops@example.org']));
    const text = lines.join('\n');
    expect(text).toContain('Alerts are lost: email notify[0].to[2]');
    expect(text).not.toContain('example.org');
    const tested = await sendTestMessages(
      { name: 'one', operate: { notify: { channels } } } as never,
      { env: fast },
    );
    expect(tested.map(({ name, delivery }) => [name, delivery.kind])).toEqual([
      ['email notify[0].to[0]', 'delivered'],
      ['email notify[0].to[1]', 'delivered'],
      ['email notify[0].to[2]', 'refused'],
    ]);
  }, 20_000);

  test('a receiver that comes back gets what waited, once', async () => {
    const fast = createFastEnv(undefined, 50);
    const first = await openReceiver();
    const { port, url } = first;
    await first.close();
    const notifier = createNotifier({
      channels: [webhook(url)],
      bot: 'one',
      env: fast,
      redact: (text) => text,
    });
    for (const key of ['a', 'b', 'c']) notifier.offer(changeOf('begun', alertOf(key)));
    await new Promise((resolve) => setTimeout(resolve, 300));
    const second = await use(openReceiver(undefined, port));
    await expect.poll(() => second.got.length, { timeout: 10_000 }).toBeGreaterThan(0);
    await expect
      .poll(
        () =>
          second.got.flatMap(({ body }) =>
            (body['alerts'] as Array<{ key: string }>).map(({ key }) => key),
          ),
        { timeout: 10_000 },
      )
      .toEqual(['a', 'b', 'c']);
    await notifier.close(1_000);
  }, 20_000);

  test('429 with Retry-After is waited for', async () => {
    const fast = createFastEnv(undefined, 10);
    const times: number[] = [];
    const receiver = await use(
      openReceiver((response, at) => {
        times.push(fast.clock.monotonicNow());
        if (at === 0) response.writeHead(429, { 'retry-after': '20' }).end();
        else response.writeHead(200).end();
      }),
    );
    const notifier = createNotifier({
      channels: [webhook(receiver.url)],
      bot: 'one',
      env: fast,
      redact: (text) => text,
    });
    notifier.offer(changeOf('begun', alertOf('kill/L1')));
    await expect.poll(() => times.length, { timeout: 10_000 }).toBe(2);
    expect(times[1]! - times[0]!).toBeGreaterThanOrEqual(20_000);
    await notifier.close(1_000);
  }, 20_000);
});

test('a mail server elsewhere gets no password over a connection without TLS', async () => {
  const mail = await use(openMailServer());
  // The same server, by a name that does not say that it is on this machine.
  const url = mail.url.replace('127.0.0.1', '127.1');
  expect(url).toContain('@127.1:');
  const sender = createEmailSender({ url, to: ['ops@example.org'], from: undefined }, env);
  const delivery = await sender.send(messageOf('a test'));
  sender.close();
  expect(delivery.kind).not.toBe('delivered');
  expect([mail.logins, mail.mails]).toEqual([[], []]);
});

test('a password with characters that an address may not hold is the one that was meant', async () => {
  const mail = await use(openMailServer());
  const url = mail.url.replace('mail-pass-word', 'p%40ss%2Fw%3Ard%25');
  const sender = createEmailSender({ url, to: ['ops@example.org'], from: undefined }, env);
  expect(await sender.send(messageOf('a test'))).toEqual({ kind: 'delivered' });
  sender.close();
  expect(mail.logins).toEqual(['bot@example.org p@ss/w:rd%']);
});
