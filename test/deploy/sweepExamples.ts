import { parse } from 'yaml';
import { read } from '../sourceFiles.ts';

/** How one shard is computed by a scheduler: a shell command and its environment, from a file of `deploy/sweep/`. */
export interface ShardCommand {
  command: string;
  env: Record<string, string>;
}

/** A scheduler that starts a sweep's shards. */
export interface SweepExample {
  file: string;
  /** Number of shards that the file asks for. */
  shards: number;
  /** What the scheduler runs for a shard, from 1. */
  shard(number: number): ShardCommand;
}

interface KubernetesJob {
  spec: {
    completionMode: string;
    completions: number;
    parallelism: number;
    template: { spec: { containers: KubernetesContainer[] } };
  };
}

interface KubernetesContainer {
  command: string[];
  args: string[];
  env: { name: string; value: string }[];
}

interface Workflow {
  jobs: {
    shard: { strategy: { matrix: { shard: number[] } }; steps: Step[] };
    merge: { needs: string; steps: Step[] };
  };
}

interface Step {
  name?: string;
  run?: string;
  uses?: string;
  with?: Record<string, unknown>;
}

export const job = parse(read('deploy/sweep/indexedJob.yaml')) as KubernetesJob;
export const workflow = parse(read('deploy/sweep/workflow.yaml')) as Workflow;
export const batch = read('deploy/sweep/array.sbatch');
export const script = read('deploy/sweep/parallel.sh');

const [container] = job.spec.template.spec.containers;
const stepOf = (steps: readonly Step[], name: string): string =>
  steps.find((step) => step.name === name)!.run!;

/** The command that merges them, of the workflow. */
export const mergeCommand = stepOf(workflow.jobs.merge.steps, 'merge');

export const EXAMPLES: readonly SweepExample[] = [
  {
    file: 'indexedJob.yaml',
    shards: job.spec.completions,
    shard: (number) => ({
      // Paths of the image and its volumes are those of the folder here.
      command: container!.args[0]!.replace('node /app/bin/trimtab.js', 'npx trimtab').replaceAll(
        /\/(app\/bots|sweeps)\//g,
        '',
      ),
      env: {
        ...Object.fromEntries(container!.env.map(({ name, value }) => [name, value])),
        JOB_COMPLETION_INDEX: String(number - 1),
      },
    }),
  },
  {
    file: 'array.sbatch',
    shards: Number(/^#SBATCH --array=1-(\d+)$/m.exec(batch)![1]),
    shard: (number) => ({
      command: batch,
      env: {
        SLURM_ARRAY_TASK_ID: String(number),
        SLURM_CPUS_PER_TASK: /^#SBATCH --cpus-per-task=(\d+)$/m.exec(batch)![1]!,
      },
    }),
  },
  {
    file: 'workflow.yaml',
    shards: workflow.jobs.shard.strategy.matrix.shard.length,
    shard: (number) => ({
      command: stepOf(workflow.jobs.shard.steps, 'compute').replaceAll(
        '${{ matrix.shard }}',
        String(number),
      ),
      env: {},
    }),
  },
];
