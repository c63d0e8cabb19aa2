import { main } from '../../../src/cli/main.ts';

// As the program does, from source: nothing awaits the command but the process.
void main(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
});
