import { extname } from 'node:path';

const ending = extname(new URL(import.meta.url).pathname);

/** Where the thread's program is: beside this file, built or not. */
export const threadProgram = new URL(`./strategyThread${ending}`, import.meta.url);
