import type { EventEmitter } from 'node:events'
import { guessLogFormat, readCommandLine } from './cli/command-line.ts'
import { createPrint } from './cli/print.ts'
import type { ProcessContext } from './cli/process-context.ts'
import { ExpectedError, exitCodes, explain } from './errors.ts'
import { createLog, type Log } from './log/log.ts'
import { serve } from './serve.ts'

export { formatProgram } from './cli/process-context.ts'

/** Runs the program until it ends. Resolves with its exit code; never rejects. */
export async function run(context: ProcessContext): Promise<number> {
  const { argv, env, events, clock } = context
  const log = createLog(guessLogFormat(argv, env), context, clock)
  const defect = new Promise<unknown>((resolve) => {
    events.on('uncaughtException', resolve)
  })
  logWarnings(events, log)
  const code = await Promise.race([
    runCommand(context, log).catch((cause) => logFailure(cause, log)),
    defect.then((cause) => logFailure(cause, log)),
  ])
  await log.flush()
  return code
}

/** Loads the modules of the other commands only to run one: `serve` starts in less time without them. */
async function runCommand(context: ProcessContext, log: Log): Promise<number> {
  const line = readCommandLine(context.argv, context.env)
  if (line.command === 'serve') return serve(line.settings, context, log)
  const { executeCommand } = await import('./commands.ts')
  const print = createPrint(context.stdout)
  await print(await executeCommand(line.command, line, context, print))
  return 0
}

/** Logs Node's warnings instead of Node, which would break the format of the log. Ignores the warning of its SQLite. */
function logWarnings(events: EventEmitter, log: Log): void {
  events.removeAllListeners('warning')
  events.on('warning', ({ name, message }: Error) => {
    if (name !== 'ExperimentalWarning' || !message.includes('SQLite')) log.warning('node', message)
  })
}

/** Logs why the program ends, with the stack of a defect. Returns the exit code. */
function logFailure(cause: unknown, log: Log): number {
  const { event, exitCode, message } =
    cause instanceof ExpectedError
      ? cause
      : {
          event: 'defect',
          exitCode: exitCodes.defect,
          message: `a defect of this program, please report it: ${explain(cause, true)}`,
        }
  log.notice('stderr', {
    level: 'error',
    event,
    text: `pet-adoption-service: ${message}`,
    fields: { message },
  })
  return exitCode
}
