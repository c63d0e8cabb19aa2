import { Option, type Command } from 'commander';

/** Every command, in the order of the help; its file and dependencies are loaded on demand. */
const COMMANDS = {
  run: async () => (await import('./run.ts')).createRunCommand(),
  backtest: async () => (await import('./backtest.ts')).createBacktestCommand(),
  dev: async () => (await import('./dev.ts')).createDevCommand(),
  sweep: async () => (await import('./sweep.ts')).createSweepCommand(),
  worker: async () => (await import('./worker.ts')).createWorkerCommand(),
  check: async () => (await import('./check.ts')).createCheckCommand(),
  compare: async () => (await import('./compare.ts')).createCompareCommand(),
  'compare-live': async () => (await import('./compareLive.ts')).createCompareLiveCommand(),
  report: async () => (await import('./report.ts')).createReportCommand(),
  replay: async () => (await import('./replay.ts')).createReplayCommand(),
  diff: async () => (await import('./diff.ts')).createDiffCommand(),
  view: async () => (await import('./view.ts')).createViewCommand(),
  paper: async () => (await import('./paper.ts')).createPaperCommand(),
  init: async () => (await import('./init.ts')).createInitCommand(),
  schema: async () => (await import('./schema.ts')).createSchemaCommand(),
  conformance: async () => (await import('./conformance.ts')).createConformanceCommand(),
  data: async () => (await import('./data.ts')).createDataCommand(),
  journal: async () => (await import('./journal.ts')).createJournalCommand(),
  kill: async () => (await import('./kill.ts')).createKillCommand(),
  rearm: async () => (await import('./kill.ts')).createRearmCommand(),
  pause: async () => (await import('./pause.ts')).createPauseCommand(),
  resume: async () => (await import('./pause.ts')).createResumeCommand(),
  promote: async () => (await import('./promote.ts')).createPromoteCommand(),
  rotate: async () => (await import('./rotate.ts')).createRotateCommand(),
  settle: async () => (await import('./settle.ts')).createSettleCommand(),
  logs: async () => (await import('./logs.ts')).createLogsCommand(),
  status: async () => (await import('./status.ts')).createStatusCommand(),
  doctor: async () => (await import('./doctor.ts')).createDoctorCommand(),
  notify: async () => (await import('./notify.ts')).createNotifyCommand(),
  watchdog: async () => (await import('./watchdog.ts')).createWatchdogCommand(),
} as const satisfies Readonly<Record<string, () => Promise<Command>>>;

const VERSION = ['-V', '--version'];

/**
 * Adds the command that `argv` asks for, so that `kill` does not wait for a simulated venue to be loaded; none
 * for the version, all of them where it asks for none, for help or for one that does not exist. Each takes
 * `--debug`, before or after its own options.
 */
export async function registerCommands(
  program: Command,
  argv: readonly string[] = [],
): Promise<void> {
  const name = argv.find((part) => !part.startsWith('-')) ?? '';
  if (argv.length === 1 && VERSION.includes(argv[0]!)) return;
  const load = Object.hasOwn(COMMANDS, name)
    ? [COMMANDS[name as keyof typeof COMMANDS]]
    : Object.values(COMMANDS);
  for (const command of await Promise.all(load.map((one) => one()))) {
    program.addCommand(shared(command, program));
  }
}

function shared(command: Command, program: Command): Command {
  command.copyInheritedSettings(program).exitOverride();
  for (const inner of command.commands) shared(inner, program);
  // Usage shows all flags as optional.
  for (const option of command.options.filter(({ mandatory }) => mandatory))
    option.description = `${option.description} (required)`;
  return command.addOption(new Option('--debug', 'show stack traces (or set TRIMTAB_DEBUG=1)'));
}
