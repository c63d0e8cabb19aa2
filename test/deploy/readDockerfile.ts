import { read } from '../sourceFiles.ts';

/** An instruction of a Dockerfile, its continued lines joined. */
export interface Instruction {
  name: string;
  args: string;
}

export interface Stage {
  base: string;
  /** What follows FROM. */
  instructions: Instruction[];
}

/** The two stages of `deploy/Dockerfile`. */
export function readDockerfile(): [build: Stage, image: Stage] {
  const text = read('deploy/Dockerfile')
    .replace(/^#.*\n/gm, '')
    .replace(/\\\n\s*/g, '');
  const all = text.split('\n').flatMap((line) => {
    const [, name, args] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? [];
    return name === undefined ? [] : [{ name, args: args! }];
  });
  const stages: Stage[] = [];
  for (const instruction of all) {
    if (instruction.name === 'FROM') stages.push({ base: instruction.args, instructions: [] });
    else stages.at(-1)!.instructions.push(instruction);
  }
  if (stages.length !== 2) throw new Error('The Dockerfile has not two stages any more');
  return stages as [Stage, Stage];
}

/** Arguments of the instruction of this name; the last one counts, as in an image. */
export function argsOf(instructions: readonly Instruction[], name: string): string | undefined {
  return instructions.findLast((instruction) => instruction.name === name)?.args;
}
