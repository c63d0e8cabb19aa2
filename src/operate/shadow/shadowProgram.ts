import { extname } from 'node:path';

const ending = extname(new URL(import.meta.url).pathname);

/** Where the program of a shadow's thread is: beside this file, built or not. */
export const shadowProgram = new URL(`./shadowThread${ending}`, import.meta.url);
