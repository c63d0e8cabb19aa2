import { Option, type Command } from 'commander';
import { createBacktestCommand } from './backtest.ts';
import { createCheckCommand } from './check.ts';
import { createCompareCommand } from './compare.ts';
import { createConformanceCommand } from './conformance.ts';
import { createDataCommand } from './data.ts';
import { createDiffCommand } from './diff.ts';
import { createInitCommand } from './init.ts';
import { createJournalCommand } from './journal.ts';
import { createKillCommand, createRearmCommand } from './kill.ts';
import { createPaperCommand } from './paper.ts';
import { createReplayCommand } from './replay.ts';
import { createRunCommand } from './run.ts';
import { createSchemaCommand } from './schema.ts';
import { createSettleCommand } from './settle.ts';
import { createStatusCommand } from './status.ts';
import { createSweepCommand } from './sweep.ts';
import { createWatchdogCommand } from './watchdog.ts';
import { createWorkerCommand } from './worker.ts';

/** Adds every command; each takes `--debug`, before or after its own options. */
export function registerCommands(program: Command): void {
  const commands = [
    createRunCommand(),
    createBacktestCommand(),
    createSweepCommand(),
    createWorkerCommand(),
    createCheckCommand(),
    createCompareCommand(),
    createReplayCommand(),
    createDiffCommand(),
    createPaperCommand(),
    createInitCommand(),
    createSchemaCommand(),
    createConformanceCommand(),
    createDataCommand(),
    createJournalCommand(),
    createKillCommand(),
    createRearmCommand(),
    createSettleCommand(),
    createStatusCommand(),
    createWatchdogCommand(),
  ];
  for (const command of commands) program.addCommand(shared(command, program));
}

function shared(command: Command, program: Command): Command {
  command.copyInheritedSettings(program).exitOverride();
  for (const inner of command.commands) shared(inner, program);
  return command.addOption(new Option('--debug', 'show stack traces (or set TRIMTAB_DEBUG=1)'));
}
