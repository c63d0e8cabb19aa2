import type { MonitorRecord } from '../../src/contract/index.ts';
import type { Bot } from '../../src/runtime/createBot.ts';
import type { Remains } from '../../src/runtime/control/stopBot.ts';
import type { StopPolicy } from '../../src/runtime/control/stopPolicy.ts';
import { isRenamed, type SimService } from './createSimService.ts';
import type { SimProcess } from './SimProcess.ts';
import type { Simulation } from './Simulation.ts';

/**
 * An orderly stop ends in time, whatever the service does. What its policy asks for and its report does not name has
 * ended at the service. A bot that has stopped sends nothing and leaves no timer to the program that holds it.
 */
export interface StopCheck {
  /** Stops the bot; its process ends some time later, so that whatever it left shows. */
  stops(one: { process: SimProcess; bot: Bot }, policy: StopPolicy): void;
  /** A request or a text leaves a process. */
  sending(process: number): void;
  /** It was stopped in order, and may end what its policy ends. */
  isStopping(process: number): boolean;
  /** Stops whose report named nothing, and whose effect was compared with the service. */
  readonly checked: number;
}

/** What the bot may take at most, by its own limit, and the least that each of its last parts has. */
const LIMIT_MS = 8_000 + 500;
/** Longer than each wait of a connection. */
const LINGER_MS = 40_000;

export function createStopCheck(sim: Simulation, service: () => SimService | null): StopCheck {
  const ended = new Set<number>();
  const stopping = new Set<number>();
  let checked = 0;

  /** Entries of the bot's that go on at the service, one line each. */
  function entriesAtWork(policy: StopPolicy): string[] {
    const { truth, core } = service()!;
    const read = (wallet: string) => core.engine.snapshot('monitors', wallet, {})!;
    const monitors = service()!
      .wallets.flatMap((wallet) => read(wallet)['monitors'] as MonitorRecord[])
      .filter(isEntry);
    const executions = [...truth.liveExecutions.values()].filter(isOwnEntry);
    const lineOf = (what: string, status: string): string => `${what} is ${status}`;
    const runs = executions.map((one) => lineOf(one.execution_id, one.status));
    const armed = monitors.map((one) => lineOf(one.monitor_id, one.status));
    if (policy === 'pause')
      return [...runs, ...armed].filter((line) => /is (running|armed)$/.test(line));
    const orders = [...truth.openOrders.values()].filter(
      (one) => one.execution_id == null && isOwnEntry(one),
    );
    return [...runs, ...armed, ...orders.map((one) => lineOf(one.order_id, one.status))];
  }

  /** Exits of the bot's that would act on a later position, one line each. */
  function exitsAtWork(): string[] {
    const { truth } = service()!;
    const orders = [...truth.openOrders.values()].filter(
      (one) => one.execution_id == null && one.reduce_only && isOwn(one),
    );
    const executions = [...truth.liveExecutions.values()].filter(
      (one) => one.reduce_only && isOwn(one),
    );
    return [
      ...orders.map((one) => `${one.order_id} is ${one.status}`),
      ...executions.map((one) => `${one.execution_id} is ${one.status}`),
    ];
  }

  /** @param left spot that the bot reported as not bought by it, as far as its fills show */
  function compare(
    policy: StopPolicy,
    { unended, unanswered }: Remains,
    left: ReadonlySet<string>,
  ): void {
    if (policy === 'leave' || unended.length > 0 || unanswered.length > 0) return;
    checked++;
    for (const line of entriesAtWork(policy)) sim.violate('works_after_stop', `${policy}: ${line}`);
    if (policy !== 'flatten') return;
    for (const line of exitsAtWork()) sim.violate('exit_after_stop', line);
    const { symbols, truth } = service()!;
    for (const symbol of symbols) {
      const size = truth.positions.get(symbol) ?? 0;
      if (size !== 0 && !left.has(symbol)) sim.violate('held_after_stop', `${size} ${symbol}`);
    }
  }

  return {
    stops({ process, bot }, policy) {
      if (!process.alive || process.isStopping) return;
      process.isStopping = true;
      stopping.add(process.index);
      sim.note('stops', process.index, policy);
      const { clock } = process.env;
      const startedAt = clock.monotonicNow();
      const end = (reason: string): void => {
        if (!process.alive) return;
        const tookMs = clock.monotonicNow() - startedAt;
        sim.note('stopped', process.index, reason, tookMs);
        if (tookMs > LIMIT_MS && !process.wasSuspended)
          sim.violate('stops_late', `${policy} after ${tookMs} ms`);
        ended.add(process.index);
        sim.after(LINGER_MS, () => {
          if (process.alive && process.timers > 0 && !process.wasSuspended)
            sim.violate('timer_left', `${process.timers} after ${policy}`);
          process.kill('stopped');
        });
      };
      const onEnded = (remains: Remains): void => {
        if (process.alive) compare(policy, remains, left);
      };
      const left = new Set<string>();
      bot.events$.subscribe((event) => {
        if (event.kind === 'holding_left') left.add(event.symbol);
      });
      bot.stop({ policy, onEnded }).then(
        () => end('done'),
        (error: unknown) => {
          if (!String(error).includes('ENOSPC')) sim.violate('stop_failed', String(error));
          end('failed');
        },
      );
    },
    sending(process) {
      if (ended.has(process)) sim.violate('sent_after_stop', `process ${process}`);
    },
    isStopping: (process) => stopping.has(process),
    get checked() {
      return checked;
    },
  };
}

/** An order or an execution of the bot's own that may add exposure. */
const isOwnEntry = (one: Record<string, unknown>): boolean =>
  one['reduce_only'] !== true && isOwn(one);

/** An order or an execution of the bot's own. */
function isOwn(one: Record<string, unknown>): boolean {
  const clientId = one['client_order_id'] ?? one['client_execution_id'];
  const key = one['idempotency_key'] as string | null | undefined;
  // What a monitor made, or a service twice under one key, carries no id of the bot's.
  return clientId != null || (key != null && !isRenamed(key));
}

function isEntry({ status, action }: MonitorRecord): boolean {
  const { request } = action as unknown as { request: Record<string, unknown> };
  const isOpen = status === 'armed' || status === 'paused';
  return isOpen && request['reduce_only'] !== true;
}
