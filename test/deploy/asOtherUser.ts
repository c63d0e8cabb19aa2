import { execFileSync } from 'node:child_process';

/** The user that owns nothing. */
export const OTHER_USER = 65_534;

const rootPrefix = process.getuid?.() === 0 ? [] : ['sudo', '-n', '-E'];

/** A command as root. */
export const asRoot = (...command: string[]): string[] => [...rootPrefix, ...command];

/** Runs one. */
export function rootly(...command: string[]): void {
  const [file, ...args] = asRoot(...command);
  execFileSync(file!, args, { stdio: 'pipe' });
}

/** A command as another user, without rights, groups and ways to get any. */
export const asOtherUser = (...command: string[]): string[] => [
  'setpriv',
  `--reuid=${OTHER_USER}`,
  `--regid=${OTHER_USER}`,
  '--clear-groups',
  '--no-new-privs',
  '--bounding-set=-all',
  ...command,
];

/** Whether commands can be started as another user, with process ids of their own, as in a container. */
export function canContain(): boolean {
  try {
    rootly('unshare', '--pid', '--fork', '--mount-proc', ...asOtherUser('true'));
    return true;
  } catch {
    return false;
  }
}
