import type { EventEmitter } from 'node:events'
import { createRequire } from 'node:module'
import { guessLogFormat, readCommandLine } from './cli/command-line.ts'
import { help } from './cli/help.ts'
import type { ProcessContext } from './cli/process-context.ts'
import { exitCodes, explain, StartError, UsageError } from './errors.ts'
import { importAnimals } from './import/import.ts'
import { keygen } from './keys/keygen.ts'
import { createLog, type Log } from './log/log.ts'
import { serve } from './serve.ts'

/** Runs the program to its end. Resolves with its exit code; never rejects. */
export async function run(program: ProcessContext): Promise<number> {
  const log = createLog(guessLogFormat(program.argv, program.env), program, program.clock)
  const defect = new Promise<unknown>((resolve) => {
    program.events.on('uncaughtException', resolve)
  })
  const code = await Promise.race([
    carryOut(program, log).catch((cause) => tellFailure(cause, log)),
    defect.then((cause) => tellFailure(cause, log)),
  ])
  await log.flush()
  return code
}

async function carryOut(program: ProcessContext, log: Log): Promise<number> {
  const { argv, env, stdout, events } = program
  const { command, settings, operand = '' } = readCommandLine(argv, env)
  switch (command) {
    case 'help':
      stdout.write(help)
      return 0
    case 'version':
      stdout.write(`${version()}\n`)
      return 0
    case 'keygen':
      keygen(settings, program)
      return 0
    case 'import':
      takeWarnings(events, log)
      return importAnimals(operand, settings, program)
    case 'serve':
      takeWarnings(events, log)
      return serve(settings, program, log)
  }
}

/** Tells Node's warnings in its place, which would break the form of the log; but not that its SQLite is experimental. */
function takeWarnings(events: EventEmitter, log: Log): void {
  events.removeAllListeners('warning')
  events.on('warning', ({ name, message }: Error) => {
    if (name !== 'ExperimentalWarning' || !message.includes('SQLite')) log.warning('node', message)
  })
}

/** Tells what went wrong, in one line where it is not our fault. Answers the exit code. */
function tellFailure(cause: unknown, log: Log): number {
  const { event, exitCode, message } =
    cause instanceof UsageError || cause instanceof StartError
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

function version(): string {
  const require = createRequire(import.meta.url)
  return require('pet-adoption-service/package.json').version
}
