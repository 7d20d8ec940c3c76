import { isPetStatus, type Pet, type PetChanges, petToJson } from '../../../core/index.ts'
import { defaultMaxNameLength, int64OfDecimal, problemOfName } from '../../../core/internal.ts'
import type { CommandName } from '../cli/commands.ts'
import { printable } from '../cli/printable.ts'
import type { ProcessContext } from '../cli/process-context.ts'
import type { Setting, Settings } from '../cli/settings.ts'
import { CommandError, UsageError, withOpen } from '../errors.ts'
import type { CommandStorage } from '../storage/open-storage.ts'
import { lastingStorage } from '../storage/storage.ts'
import { readStorage } from '../storage/storage-settings.ts'

export type AnimalCommand = Extract<CommandName, `animals ${string}`>

/**
 * Runs a command on one animal of a storage, also while servers use it. Resolves with the exit code 0. Rejects with
 * `UsageError`, or with `StartError` or `CommandError` where the animal cannot be read or changed: then it is as it was.
 */
export async function runAnimalCommand(
  command: AnimalCommand,
  operand: string,
  settings: Settings,
  context: ProcessContext,
): Promise<number> {
  const id = readAnimalId(operand)
  const changes = command === 'animals set' ? readChanges(settings) : undefined
  const storage = lastingStorage(readStorage(settings), command)
  const work = async ({ store }: CommandStorage): Promise<string | undefined> => {
    if (changes) return shown(await store.update(id, changes), settings)
    return (await store.remove(id)) ? `removed the animal ${id}\n` : undefined
  }
  const open = () => storage.openForCommand({ ...context, creates: false })
  const output = await withOpen(open, work, `${command}: `)
  if (output === undefined) throw new CommandError(`there is no animal with the id ${id}`)
  context.stdout.write(output)
  return 0
}

/** Reads the id of an animal. Throws `UsageError`. */
function readAnimalId(operand: string): bigint {
  const id = int64OfDecimal(operand)
  if (id === undefined) throw new UsageError('the id of an animal must be a whole number, such as 7')
  return id
}

/** Reads `--name`, `--category` and `--status`, validated as createPet validates a body. Throws `UsageError`. */
function readChanges({ name, category, status }: Settings): PetChanges {
  if (!name && !category && !status)
    throw new UsageError('animals set requires what to change: --name TEXT, --category N or --status STATUS')
  return {
    ...(name && { name: readName(name) }),
    ...(category && { categoryId: readCategory(category) }),
    ...(status && { status: isPetStatus(status.value) ? status.value : null }),
  }
}

function readName({ value, source }: Setting): string {
  const problem = problemOfName(value, defaultMaxNameLength)
  if (problem) throw new UsageError(`${source} ${problem}`)
  return value
}

function readCategory({ value, source }: Setting): bigint {
  const category = int64OfDecimal(value)
  if (category === undefined) throw new UsageError(`${source} must be an int64, such as 7`)
  return category
}

/** Returns an animal as `--json` shows it, or for people. */
function shown(pet: Pet | undefined, { json }: Settings): string | undefined {
  if (!pet || json) return pet && `${petToJson(pet)}\n`
  const { id, name, categoryId, status = 'none' } = pet
  return `id        ${id}\nname      ${printable(name)}\ncategory  ${categoryId}\nstatus    ${status}\n`
}
