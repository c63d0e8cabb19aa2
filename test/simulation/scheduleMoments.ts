import type { Layer } from '../../src/contract/index.ts';
import type { Bot } from '../../src/runtime/createBot.ts';
import type { KillLevel } from '../../src/runtime/control/killLevels.ts';
import type { StopPolicy } from '../../src/runtime/control/stopPolicy.ts';
import type { Person } from './createPerson.ts';
import type { SimDatabase } from './createSimDatabase.ts';
import type { SimDisk } from './createSimDisk.ts';
import type { SimNetwork } from './createSimNetwork.ts';
import type { SimService } from './createSimService.ts';
import type { AlertAction, Fault } from './Scenario.ts';
import type { SimProcess } from './SimProcess.ts';
import type { Simulation } from './Simulation.ts';

export interface MomentParts {
  sim: Simulation;
  service: SimService;
  disk: Pick<SimDisk, 'setFull'>;
  /** Of the instances of two hosts, whose lease it is. */
  database?: SimDatabase | undefined;
  current(): { process: SimProcess; network: SimNetwork; bot: Bot; host?: number } | null;
  /** Delay before a killed process restarts. */
  restartAfter(delayMs: number): void;
  setSkew(skewMs: number): void;
  foreignSpent(): void;
  /** A suspended process runs again. */
  resumed(clock: 'jumps' | 'stops'): void;
  /** An operator stops the bot. */
  stops(one: { process: SimProcess; bot: Bot }, policy: StopPolicy): void;
  person: Pick<Person, 'throws'>;
  /** The journal of the bot that runs retires what ended this long ago. */
  compact?(keepMs: number): void;
}

/** An armed crash whose point is not reached happens after this long anyway. */
const ARMED_MS = 120_000;
/** The service ends a connection whose client says nothing for this long. */
const PEER_MS = 40_000;

/** Schedules the faults of an instant. */
export function scheduleMoments(parts: MomentParts): void {
  const { sim } = parts;
  for (const fault of sim.scenario.faults) {
    if (fault.until !== fault.from) continue;
    sim.after(fault.from - sim.elapsed(), () => strike(fault, parts));
  }
}

function strike(fault: Fault, parts: MomentParts): void {
  const { sim, service, disk } = parts;
  sim.note('fault', fault.kind, fault.size, fault.detail);
  switch (fault.kind) {
    case 'crash': {
      const victim = parts.current()?.process;
      if (victim === undefined || !victim.alive) return;
      parts.restartAfter(fault.size);
      if (fault.detail === 'now') return victim.kill('crash');
      victim.arm(fault.detail);
      return sim.after(ARMED_MS, () => victim.kill('crash'));
    }
    case 'suspend': {
      const victim = parts.current();
      const clock = fault.detail as 'jumps' | 'stops';
      return victim === null ? undefined : suspend(victim, { forMs: fault.size, clock, parts });
    }
    case 'hang': {
      const victim = parts.current();
      if (victim === null) return;
      const [clock, point] = fault.detail.split(' ') as ['jumps' | 'stops', string];
      const hang = (): void => suspend(victim, { forMs: fault.size, clock, parts });
      if (point === 'now') return hang();
      victim.process.arm(point, hang);
      return sim.after(ARMED_MS, () => {
        if (!victim.process.wasSuspended) hang();
      });
    }
    case 'host_dies': {
      const victim = parts.current()?.process;
      if (victim === undefined || !victim.alive) return;
      parts.restartAfter(fault.size);
      parts.database?.silent(victim);
      return victim.kill('host');
    }
    case 'database_cut':
      return parts.database?.cut(
        parts.current()?.host ?? 0,
        fault.detail as 'reset' | 'silence',
        fault.size,
      );
    case 'database_outage':
      return parts.database?.outage(fault.size);
    case 'compaction':
      return parts.compact?.(fault.size);
    case 'orderly_stop': {
      const one = parts.current();
      return one?.process.takes(() => {
        parts.restartAfter(fault.size);
        parts.stops(one, fault.detail as StopPolicy);
      });
    }
    case 'clock_step':
      return parts.setSkew(fault.size);
    case 'service_restart':
      return service.restart(fault.size);
    case 'service_outage':
      return service.outage(fault.size);
    case 'socket_cut':
      return parts.current()?.network.cut('connection_failed_ECONNRESET');
    case 'socket_stall':
      return parts.current()?.network.stall(fault.size);
    case 'disk_full':
      disk.setFull(true);
      return sim.after(fault.size, () => disk.setFull(false));
    case 'degrade_layer':
      return service.degrade(fault.detail as Layer, fault.size);
    case 'foreign_weight':
      parts.foreignSpent();
      return service.spendForeign(fault.size);
    case 'alert':
      return service.alert(fault.detail as AlertAction, fault.size);
    case 'transfer': {
      const { wallets } = service;
      return service.transfer(fault.detail === 'first' ? wallets[0]! : wallets.at(-1)!, fault.size);
    }
    case 'kill_level':
      return parts.person.throws(fault.detail as KillLevel, fault.size);
    default:
  }
}

function suspend(
  { process, network }: { process: SimProcess; network: SimNetwork },
  { forMs, clock, parts }: { forMs: number; clock: 'jumps' | 'stops'; parts: MomentParts },
): void {
  process.suspend(forMs, clock, () => parts.resumed(clock));
  parts.database?.silent(process);
  parts.sim.after(PEER_MS, () => {
    if (process.isSuspended) network.cut('connection_failed_ECONNRESET');
  });
}
