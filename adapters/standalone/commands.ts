import { removeAnimal, setAnimal } from './animals/commands.ts'
import { exportAnimals } from './animals/export.ts'
import { importAnimals } from './animals/import.ts'
import type { CommandLine } from './cli/command-line.ts'
import { formatHelp } from './cli/help.ts'
import type { Print } from './cli/print.ts'
import type { ProcessContext } from './cli/process-context.ts'
import type { FlagOf } from './cli/settings.ts'
import type { ServeSettings } from './configuration.ts'
import { CommandError, ExpectedError, explain } from './errors.ts'
import { importKeys, issue, keygen, list, revoke, rotate } from './keys/commands.ts'
import { backupStorage, migrateStorage, requireLastingStorage } from './storage/storage.ts'
import { readStorage, type StorageSettings } from './storage/storage-settings.ts'
import { version } from './version.ts'

/**
 * The function of each command. It takes its settings and its operand, and returns its output, or the work that needs
 * the storage. It throws `UsageError`.
 */
const commands = {
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
  backup: backupStorage,
  migrate: migrateStorage,
}

type Command = keyof typeof commands

/** The flags that are read for every command: the first for its log, the others for its storage. */
type CommonFlag = 'log' | 'help' | 'version' | keyof StorageSettings

type IgnoredFlag =
  | {
      [Name in Command]: Exclude<FlagOf<Name>, keyof Parameters<(typeof commands)[Name]>[0] | CommonFlag>
    }[Command]
  | Exclude<FlagOf<'serve'>, keyof ServeSettings | CommonFlag>

// Does not compile if a command, or the server, accepts a flag that its function does not name.
void ({} satisfies Readonly<Record<IgnoredFlag, string>>)

/** The commands that create a storage which does not exist. */
const creating: readonly string[] = ['keys issue', 'keys import', 'import']

/**
 * Runs a command, also while servers use its storage. Resolves with the output to print at its end. Rejects with
 * `UsageError`, `StartError` or `CommandError`: then the storage is as it was.
 */
export async function executeCommand(
  command: Exclude<CommandLine['command'], 'serve'>,
  { about, operand, settings }: CommandLine,
  context: ProcessContext,
  print: Print,
): Promise<string> {
  if (command === 'help') return formatHelp(about)
  if (command === 'version') return `${version()}\n`
  const work = await commands[command](settings, operand, context)
  if (typeof work === 'string') return work
  const { openForCommand } = requireLastingStorage(readStorage(settings), command)
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
