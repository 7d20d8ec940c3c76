import type { EventEmitter } from 'node:events'
import { guessLogFormat, readCommandLine } from './cli/command-line.ts'
import type { ProcessContext } from './cli/process-context.ts'
import { exitCodes, explain, isExpected } from './errors.ts'
import { createLog, type Log } from './log/log.ts'
import { serve } from './serve.ts'
import { version } from './version.ts'

export { programName } from './cli/shell.ts'

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

/** Loads the modules of a command only to run it: `serve` starts in less time without those of the others. */
async function runCommand(context: ProcessContext, log: Log): Promise<number> {
  const { argv, env, stdout } = context
  const { command, settings, operand = '', about = [] } = readCommandLine(argv, env)
  switch (command) {
    case 'help':
      stdout.write((await import('./cli/help.ts')).helpOf(about))
      return 0
    case 'version':
      stdout.write(`${version()}\n`)
      return 0
    case 'keygen':
      ;(await import('./keys/commands.ts')).keygen(settings, context)
      return 0
    case 'keys issue':
    case 'keys list':
    case 'keys rotate':
    case 'keys revoke':
      return (await import('./keys/commands.ts')).runKeyCommand(command, settings, context)
    case 'keys import':
      return (await import('./keys/import-keys.ts')).importKeys(operand, settings, context)
    case 'animals set':
    case 'animals remove':
      return (await import('./animals/commands.ts')).runAnimalCommand(command, operand, settings, context)
    case 'export':
      return (await import('./animals/export.ts')).exportAnimals(operand, settings, context)
    case 'import':
      return (await import('./animals/import.ts')).importAnimals(operand, settings, context)
    case 'migrate':
      return (await import('./storage/storage.ts')).migrateStorage(settings, context)
    case 'serve':
      return serve(settings, context, log)
  }
}

/** Logs Node's warnings in place of Node, which would break the format of the log. Ignores that of its SQLite. */
function logWarnings(events: EventEmitter, log: Log): void {
  events.removeAllListeners('warning')
  events.on('warning', ({ name, message }: Error) => {
    if (name !== 'ExperimentalWarning' || !message.includes('SQLite')) log.warning('node', message)
  })
}

/** Logs why the program ends, with the stack of a defect. Returns the exit code. */
function logFailure(cause: unknown, log: Log): number {
  const { event, exitCode, message } = isExpected(cause)
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
