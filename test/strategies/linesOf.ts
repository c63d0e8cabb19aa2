import { read } from '../sourceFiles.ts';

/** Lines of code of a file: without comments and blanks. */
export const linesOf = (file: string): number =>
  read(file)
    .replaceAll(/\/\*\*[\s\S]*?\*\//g, '')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.trim().startsWith('//')).length;
