import { removeAnimal, setAnimal } from './animals/commands.ts'
import { exportAnimals } from './animals/export.ts'
import { importAnimals } from './animals/import.ts'
import { backUpStore, migrateStore } from './backends/commands.ts'
import { openStoreForCommand, requirePersistentStore } from './backends/open-store.ts'
import { readStoreChoice, type StoreSettings } from './backends/store-settings.ts'
import type { CommandLine } from './cli/command-line.ts'
import { formatHelp } from './cli/help.ts'
import type { Print } from './cli/print.ts'
import type { ProcessContext } from './cli/process-context.ts'
import type { FlagOf } from './cli/settings.ts'
import type { ServeSettings } from './configuration.ts'
import { CommandError, ExpectedError, explain } from './errors.ts'
import { generateKey, importKeys, issueKey, listKeys, revokeKeys, rotateKey } from './keys/commands.ts'
import { readVersion } from './package-file.ts'

/** Functions that run commands. A function returns the output, or a task that needs the storage. */
const commands = {
  keygen: generateKey,
  'keys issue': issueKey,
  'keys list': listKeys,
  'keys rotate': rotateKey,
  'keys revoke': revokeKeys,
  'keys import': importKeys,
  'animals set': setAnimal,
  'animals remove': removeAnimal,
  export: exportAnimals,
  import: importAnimals,
  backup: backUpStore,
  migrate: migrateStore,
}

type Command = keyof typeof commands

/** Flags that are read for every command. */
type CommonFlag = 'log' | 'help' | 'version' | keyof StoreSettings

type IgnoredFlag =
  | {
      [Name in Command]: Exclude<FlagOf<Name>, keyof Parameters<(typeof commands)[Name]>[0] | CommonFlag>
    }[Command]
  | Exclude<FlagOf<'serve'>, keyof ServeSettings | CommonFlag>

// A flag that a command accepts but does not read is a type error here.
void ({} satisfies Readonly<Record<IgnoredFlag, string>>)

/** Commands that create the storage if it does not exist. */
const commandsThatCreateStorage: readonly string[] = ['keys issue', 'keys import', 'import']

/**
 * Runs a command and returns its output. Servers may use the storage at the same time. A command that fails leaves the
 * storage unchanged.
 *
 * @throws {UsageError | StartError | CommandError} If the command fails.
 */
export async function executeCommand(
  command: Exclude<CommandLine['command'], 'serve'>,
  { helpTopics, operand, settings }: CommandLine,
  context: ProcessContext,
  print: Print,
): Promise<string> {
  if (command === 'help') return formatHelp(helpTopics)
  if (command === 'version') return `${readVersion()}\n`
  const work = await commands[command](settings, operand, context)
  if (typeof work === 'string') return work
  const choice = requirePersistentStore(readStoreChoice(settings), command)
  const backend = await openStoreForCommand(
    choice,
    context.clock,
    commandsThatCreateStorage.includes(command),
  )
  try {
    return await work(backend, print)
  } catch (cause) {
    if (cause instanceof ExpectedError) throw cause
    throw new CommandError(`${command}: ${explain(cause, false)}`, { cause })
  } finally {
    await backend.close()
  }
}
