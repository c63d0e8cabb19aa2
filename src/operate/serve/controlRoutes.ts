import { z } from 'zod';
import type { BotConfig } from '../../config/index.ts';
import { reasonOf, type Env, withFullStop } from '../../env/index.ts';
import type { JournalReader } from '../../journal/index.ts';
import { KILL_LEVELS, type Bot } from '../../runtime/index.ts';
import {
  askStrategy,
  askToSettle,
  sendCommand,
  strategyCommand,
  type BotAnswer,
  type ControlFiles,
  type CommandOutcome,
} from '../control/index.ts';
import { findLife } from '../journal/index.ts';
import { notFound, sendJson, type RouteFault } from './answer.ts';
import { invalid } from './readRoutes.ts';
import type { Route, RouteCall } from './Route.ts';

export interface ControlRoutesOptions {
  bot: Pick<Bot, 'audit'>;
  config: Pick<BotConfig, 'name' | 'strategies'>;
  env: Env;
  /** Null if the bot takes no commands: its journal is in memory, or its service is in the same process. */
  files: ControlFiles | null;
  read<T>(use: (reader: JournalReader) => Promise<T>): Promise<T>;
}

/** Why, for the journal; without line breaks and control characters. */
const reason = z
  .string()
  .trim()
  .min(1)
  .max(500)
  .regex(/^[^\p{Cc}]*$/u, 'must be one line');
/** Chosen by the sender, so that a command that is sent twice is carried out once. */
const nonce = z.string().regex(/^[A-Za-z0-9_-]{8,64}$/, 'must be 8 to 64 of A-Z a-z 0-9 _ -');

const killBody = z.strictObject({
  level: z.enum(KILL_LEVELS).exclude(['L0']),
  reason,
  nonce,
  /** The bot's name, typed by hand: L3 and L4 need it. */
  name: z.string().optional(),
});
const rearmBody = z.strictObject({ reason, nonce });
const settleBody = z.strictObject({
  key: z.string().min(1).max(200),
  as: z.enum(['accepted', 'absent']),
  records: z.array(z.string().min(1).max(200)).max(50).default([]),
  /** The records are taken on the operator's word. */
  unchecked: z.boolean().default(false),
  reason,
  nonce,
});

const strategyBody = z.strictObject({ reason, nonce });
const promoteBody = z.strictObject({
  move: strategyCommand.shape.move.default('next'),
  /** Symbols whose positions, orders, stops and executions go to the version that trades next. */
  hand_over: z.array(z.string().min(1).max(50)).max(200).default([]),
  reason,
  nonce,
});

interface PostRules<T> {
  check?(asked: T): RouteFault | undefined;
  /** Done twice it is the same, so that it may be sent again until it is known to be done. */
  isRepeatable?: boolean;
}

/** Nonces that are remembered; a command that old is not repeated by accident. */
const MOST_NONCES = 1_000;
/** Codes of faults after which a command may still be carried out, or was and another one followed. */
const MAYBE_DONE: readonly string[] = ['no_answer', 'overruled', 'stopping'];
const BY = 'the operator’s server';

/**
 * What changes a bot, by the same files as the command line: there is one path. Each is in the journal, with its
 * reason, before it is carried out; a kill and a pause are not held up by a journal that takes long, or fails.
 */
export function controlRoutes(options: ControlRoutesOptions): Route[] {
  const { bot, config, env, files } = options;
  const used = new Set<string>();

  const take = (given: string): RouteFault | undefined => {
    if (used.has(given))
      return {
        status: 409,
        code: 'nonce_used',
        message: 'This command was sent before, and was carried out or may still be.',
      };
    used.add(given);
    if (used.size > MOST_NONCES) used.delete(used.values().next().value!);
    return undefined;
  };

  const post = <T extends { nonce: string; reason: string }>(
    path: string,
    schema: z.ZodType<T>,
    run: (asked: T, files: ControlFiles, call: RouteCall) => Promise<void | RouteFault>,
    { check, isRepeatable = false }: PostRules<NoInfer<T>> = {},
  ): Route => ({
    method: 'POST',
    path,
    access: 'control',
    async handle(call) {
      const parsed = schema.safeParse(call.body);
      if (!parsed.success) return invalid(describe(parsed.error));
      const refused = check?.(parsed.data) ?? (files === null ? UNCONTROLLED : undefined);
      if (refused !== undefined) return refused;
      const { nonce } = parsed.data;
      const replayed = take(nonce);
      if (replayed !== undefined) return replayed;
      const fault = await run(parsed.data, files!, call).catch(toFault);
      // What was certainly not done may be sent again, once its cause is gone.
      if (fault !== undefined && (isRepeatable || !MAYBE_DONE.includes(fault.code)))
        used.delete(nonce);
      return fault;
    },
  });

  /** What may add exposure, or is taken as the truth, is carried out only once the journal has it. @throws NotJournaled */
  const audit = (text: string, why: string): Promise<void> =>
    bot.audit(text, why).catch((error: unknown) => {
      throw new NotJournaled(reasonOf(error));
    });

  /** What only takes exposure away does not wait: a database that is away answers after half a minute. */
  const auditBeside = (text: string, why: string): void =>
    void bot.audit(text, why).catch((error: unknown) => {
      env.log.error(`The journal could not record a command: ${reasonOf(error)}`, {
        command: text,
      });
    });

  const setLevel = async (
    level: (typeof KILL_LEVELS)[number],
    why: string,
    { files: at, call }: { files: ControlFiles; call: RouteCall },
  ): Promise<void | RouteFault> => {
    const asked = { env, files: at, level, reason: `${why} (by ${BY})`, isAlive: () => true };
    return answerOutcome(await sendCommand(asked), call, level);
  };

  const unknownStrategy = ({ params }: RouteCall): RouteFault | undefined => {
    const instance = params['name']!;
    if (config.strategies.some(({ name }) => name === instance)) return undefined;
    return notFound(`This bot has no strategy ${instance}.`);
  };

  const nameOf = (asked: { level: string; name?: string | undefined }): RouteFault | undefined =>
    (asked.level === 'L3' || asked.level === 'L4') && asked.name !== config.name
      ? invalid(`${asked.level} needs the bot's name as "name".`)
      : undefined;

  return [
    post(
      '/api/kill',
      killBody,
      async ({ level, reason: why }, at, call) => {
        auditBeside(`kill ${level}`, why);
        return setLevel(level, why, { files: at, call });
      },
      { check: nameOf, isRepeatable: true },
    ),
    post('/api/rearm', rearmBody, async ({ reason: why }, at, call) => {
      await audit('rearm', why);
      return setLevel('L0', why, { files: at, call });
    }),
    post('/api/settle', settleBody, async (asked, at, call) => {
      const { key, as, records, unchecked, reason: why } = asked;
      if (as === 'absent' && records.length > 0) return invalid('An absent intent has no records.');
      const life = await options
        .read((reader) => findLife(reader, key))
        .catch((error: unknown) => {
          throw new NotRead(reasonOf(error));
        });
      if (typeof life === 'string') return notFound(life);
      const whole = life.intent.key;
      await audit(`settle ${whole} as ${as}`, why);
      const settlement = { as, records, unchecked, reason: why, by: BY };
      const answer = await askToSettle({
        env,
        files: at,
        key: whole,
        asked: settlement,
        isAlive: () => true,
      });
      if (answer.kind === 'done') return sendJson(call.response, { key: whole, state: as });
      return faultOf(answer);
    }),
    ...(['pause', 'resume'] as const).map((what) =>
      post(`/api/strategies/:name/${what}`, strategyBody, async ({ reason: why }, at, call) => {
        const unknown = unknownStrategy(call);
        if (unknown !== undefined) return unknown;
        const instance = call.params['name']!;
        if (what === 'pause') auditBeside(`pause ${instance}`, why);
        else await audit(`resume ${instance}`, why);
        const asked = { instance, do: what, reason: why };
        const answer = await askStrategy({ env, files: at, asked, isAlive: () => true });
        if (answer.kind !== 'done') return faultOf(answer);
        return sendJson(call.response, { strategy: instance, paused: what === 'pause' });
      }),
    ),
    post('/api/strategies/:name/promote', promoteBody, async (body, at, call) => {
      const unknown = unknownStrategy(call);
      if (unknown !== undefined) return unknown;
      const instance = call.params['name']!;
      const { move, hand_over, reason: why } = body;
      await audit(`promote ${instance} to ${move}`, why);
      const asked = { instance, do: 'promote' as const, reason: why, move, hand_over };
      const answer = await askStrategy({ env, files: at, asked, isAlive: () => true });
      if (answer.kind !== 'done') return faultOf(answer);
      return sendJson(call.response, { strategy: instance, stage: answer.text });
    }),
  ];
}

const UNCONTROLLED: RouteFault = {
  status: 409,
  code: 'takes_no_commands',
  message:
    'This bot takes no commands: its journal is in memory, or it runs on the embedded paper service. Stop its process instead.',
};

class NotJournaled extends Error {}
class NotRead extends Error {}

function toFault(error: unknown): RouteFault {
  if (error instanceof NotRead) {
    const message = `The journal can't be read: ${withFullStop(error.message)}`;
    return { status: 503, code: 'journal_unreadable', message };
  }
  if (!(error instanceof NotJournaled)) throw error;
  const message = `The journal could not record it: ${withFullStop(error.message)}`;
  return { status: 500, code: 'not_durable', message };
}

function faultOf(answer: Exclude<BotAnswer, { kind: 'done' }>): RouteFault {
  if (answer.kind === 'refused')
    return {
      status: 409,
      code: 'refused',
      message: `It can't be done: ${withFullStop(answer.reason)}`,
    };
  if (answer.kind === 'failed') return { status: 500, code: 'not_durable', message: answer.reason };
  return answer.kind === 'stopping' ? STOPPING : NO_ANSWER;
}

const NO_ANSWER: RouteFault = {
  status: 503,
  code: 'no_answer',
  message: 'The bot did not carry it out in time, and may still do so.',
};

const STOPPING: RouteFault = {
  status: 409,
  code: 'stopping',
  message: 'The bot is stopping, by its stop policy, and carries out no command any more.',
};

/** A kill stays for the next process; see `pollCommands`. */
const leftForTheStart = (level: string): RouteFault => ({
  ...STOPPING,
  message: `The bot is stopping, by its stop policy. Its next start is at ${level}.`,
});

function answerOutcome(
  answer: CommandOutcome,
  { response }: RouteCall,
  level: string,
): void | RouteFault {
  switch (answer.kind) {
    case 'carried_out': {
      const { level, reasons } = answer.pulse;
      return sendJson(response, { level, gate: reasons, not_ended: answer.left ?? null });
    }
    case 'overruled': {
      const message = `A command that came meanwhile took its place: the bot is at ${answer.pulse.level}.`;
      return { status: 409, code: 'overruled', message };
    }
    case 'failed':
      return { status: 500, code: 'not_durable', message: answer.reason };
    case 'stopping':
      return answer.isLeft && level !== 'L0' ? leftForTheStart(level) : STOPPING;
    default:
      return NO_ANSWER;
  }
}

function describe({ issues }: z.ZodError): string {
  return issues
    .slice(0, 5)
    .map(({ path, message }) => `${path.length === 0 ? 'the body' : path.join('.')}: ${message}`)
    .join('; ');
}
