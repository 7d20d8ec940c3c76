import { removeAnimal, setAnimal } from './animals/commands.ts'
import { exportAnimals } from './animals/export.ts'
import { importAnimals } from './animals/import.ts'
import type { CommandLine } from './cli/command-line.ts'
import { helpOf } from './cli/help.ts'
import type { Print } from './cli/print.ts'
import type { ProcessContext } from './cli/process-context.ts'
import { CommandError, ExpectedError, explain } from './errors.ts'
import { importKeys, issue, keygen, list, revoke, rotate } from './keys/commands.ts'
import type { Work } from './storage/open-storage.ts'
import { backupStorage, lastingStorage, migrateStorage } from './storage/storage.ts'
import { readStorage } from './storage/storage-settings.ts'
import { version } from './version.ts'

/** Reads a command line, and returns the output, or the work for which the storage is opened. Throws `UsageError`. */
type Command = (line: CommandLine, context: ProcessContext) => string | Work | Promise<string | Work>

const commands: Readonly<Record<Exclude<CommandLine['command'], 'serve'>, Command>> = {
  help: ({ about }) => helpOf(about),
  version: () => `${version()}\n`,
  keygen,
  'keys issue': issue,
  'keys list': list,
  'keys rotate': rotate,
  'keys revoke': revoke,
  'keys import': importKeys,
  'animals set': setAnimal,
  'animals remove': removeAnimal,
  export: exportAnimals,
  import: importAnimals,
  backup: ({ operand, settings }) => backupStorage(settings, operand),
  migrate: ({ settings }) => migrateStorage(settings),
}

/** The commands that create a storage which does not exist. */
const creating: readonly string[] = ['keys issue', 'keys import', 'import']

/**
 * Runs a command, also while servers use its storage. Resolves with the output to print at its end. Rejects with
 * `UsageError`, `StartError` or `CommandError`: then the storage is as it was.
 */
export async function outputOf(
  command: keyof typeof commands,
  line: CommandLine,
  context: ProcessContext,
  print: Print,
): Promise<string> {
  const work = await commands[command](line, context)
  if (typeof work === 'string') return work
  const { openForCommand } = lastingStorage(readStorage(line.settings), command)
  const storage = await openForCommand(context.clock, creating.includes(command))
  try {
    return await work(storage, print)
  } catch (cause) {
    if (cause instanceof ExpectedError) throw cause
    throw new CommandError(`${command}: ${explain(cause, false)}`, { cause })
  } finally {
    await storage.close()
  }
}
