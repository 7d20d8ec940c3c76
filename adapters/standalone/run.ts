import type { EventEmitter } from 'node:events'
import { guessLogFormat, readCommandLine } from './cli/command-line.ts'
import { createPrint } from './cli/print.ts'
import type { ProcessContext } from './cli/process-context.ts'
import { ExpectedError, exitCodes, explain, toPermissionError } from './errors.ts'
import { waitForTermination } from './lifecycle/stop.ts'
import { createLog, type Log } from './log/log.ts'
import { serve } from './serve.ts'

export { formatProgram } from './cli/process-context.ts'
export { writeWholeChunks } from './log/whole-writes.ts'

/** Runs the program. Resolves with the exit code and never rejects. */
export async function run(context: ProcessContext): Promise<number> {
  const { argv, env, pid, events, clock } = context
  const log = createLog(guessLogFormat(argv, env), context, clock)
  const defect = new Promise<unknown>((resolve) => {
    events.on('uncaughtException', resolve)
  })
  logWarnings(events, log)
  const code = await Promise.race([
    runCommand(context, log).catch((cause) => logFailure(cause, log)),
    defect.then((cause) => logFailure(cause, log)),
    ...(pid === 1 ? [waitForTermination(events)] : []),
  ])
  await log.flush()
  return code
}

/** Runs the command. Modules for other commands are loaded only when needed, so that `serve` starts faster. */
async function runCommand(context: ProcessContext, log: Log): Promise<number> {
  const line = readCommandLine(context.argv, context.env)
  if (line.command === 'serve') return serve(line.settings, context, log)
  const { executeCommand } = await import('./commands.ts')
  const print = createPrint(context.stdout)
  await print(await executeCommand(line.command, line, context, print))
  return 0
}

/**
 * Logs Node's warnings, which would break the log's format if Node printed them. The warning that SQLite is
 * experimental is dropped.
 */
function logWarnings(events: EventEmitter, log: Log): void {
  events.removeAllListeners('warning')
  events.on('warning', ({ name, message }: Error) => {
    if (name !== 'ExperimentalWarning' || !message.includes('SQLite')) log.warning('node', message)
  })
}

/** Logs why the program exits, with a stack if the cause is a bug. Returns the exit code. */
function logFailure(failure: unknown, log: Log): number {
  const cause = toPermissionError(failure) ?? failure
  const { event, exitCode, message } =
    cause instanceof ExpectedError
      ? cause
      : {
          event: 'defect',
          exitCode: exitCodes.defect,
          message: `internal error; please report it: ${explain(cause, true)}`,
        }
  log.notice('stderr', {
    level: 'error',
    event,
    text: `pet-adoption-service: ${message}`,
    fields: { message },
  })
  return exitCode
}
