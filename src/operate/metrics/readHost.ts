import { stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { BotConfig } from '../../config/index.ts';
import { pulse, readWhole, type ControlFiles } from '../control/controlFiles.ts';
import type { Sample } from './createPrometheusMetrics.ts';

/** Sizes of the journal's file and of its disk; none if it is in memory or in a database. */
export async function readDisk({ path, url }: BotConfig['journal']): Promise<Sample[]> {
  if (url !== undefined || path === 'memory') return [];
  const [disk, ...files] = await Promise.all([
    statfs(dirname(path)).catch(() => undefined),
    ...[path, `${path}-wal`].map((file) => stat(file).catch(() => undefined)),
  ]);
  const bytes = files.reduce((sum, file) => sum + (file?.size ?? 0), 0);
  if (disk === undefined) return [];
  return [
    { name: 'journal_bytes', value: bytes },
    { name: 'disk_free_bytes', value: disk.bavail * disk.bsize },
    { name: 'disk_size_bytes', value: disk.blocks * disk.bsize },
  ];
}

/** Age of the pulse that the main loop writes; none before its first. */
export function readPulseAge(files: ControlFiles | null, wallNow: number): Sample[] {
  const last = files === null ? undefined : readWhole(files.pulse, pulse);
  if (last === undefined) return [];
  const value = Math.max(0, wallNow - last.time) / 1_000;
  return [{ name: 'watchdog_pulse_age_seconds', value }];
}
