import type { Pulse } from '../../src/operate/control/controlFiles.ts';

/** What a process of the bot's has written last; this process is the command's own, which is never the bot. */
export const pulseOf = (more: Partial<Pulse> = {}): Pulse => ({
  pid: process.ppid,
  time: Date.now(),
  level: 'L0',
  obeyed: 0,
  reasons: [],
  ...more,
});
