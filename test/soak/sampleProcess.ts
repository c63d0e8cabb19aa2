import { readdirSync, readFileSync } from 'node:fs';

export interface ProcessSample {
  rssBytes: number;
  /** Open file descriptors, sockets included. */
  descriptors: number;
  threads: number;
  /** Of all its threads since it began, user and system. */
  processorSeconds: number;
}

/** Clock ticks a second in /proc; Linux has had 100 on every machine that Node runs on. */
const TICKS = 100;

/** What Linux says of a process of this machine. */
export function sampleProcess(pid: number): ProcessSample {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const field = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1]);
  // The second field is the program's name in brackets, and may hold spaces.
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return {
    rssBytes: field('VmRSS') * 1_024,
    descriptors: readdirSync(`/proc/${pid}/fd`).length,
    threads: field('Threads'),
    processorSeconds: (Number(stat[11]) + Number(stat[12])) / TICKS,
  };
}
