import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OTHER_USER, rootly } from './asOtherUser.ts';

/** Files that only the other user can read, as a service manager hands over credentials. */
export function givePrivate(folder: string, files: Record<string, string>): void {
  const own = mkdtempSync(join(tmpdir(), 'trimtab-private-'));
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(own, name), text);
    const owner = [`--owner=${OTHER_USER}`, `--group=${OTHER_USER}`, '--mode=0400'];
    rootly('install', '-D', ...owner, join(own, name), join(folder, name));
  }
  rmSync(own, { recursive: true });
}
