/**
 * `node test/checks.ts build typecheck lint`: scripts of package.json side by side, which take half as long as one
 * after the other. What one prints is shown when it has ended, so that no two are mixed; each has to succeed.
 */
import { spawn } from 'node:child_process';
import { root } from './sourceFiles.ts';

/** @returns whether it succeeded */
function run(script: string): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(`npm run -s ${script}`, { cwd: root, shell: true });
    let text = '';
    const add = (chunk: string): void => void (text += chunk);
    child.stdout.setEncoding('utf8').on('data', add);
    child.stderr.setEncoding('utf8').on('data', add);
    child.once('close', (code) => {
      process.stdout.write(text);
      if (code !== 0) process.stdout.write(`npm run ${script}: failed\n`);
      resolve(code === 0);
    });
  });
}

const succeeded = await Promise.all(process.argv.slice(2).map(run));
process.exitCode = succeeded.every(Boolean) ? 0 : 1;
