import { isPetStatus, type Pet, type PetChanges, petToJson } from '../../../core/index.ts'
import { defaultMaxNameLength, int64OfDecimal, problemOfName } from '../../../core/internal.ts'
import type { CommandLine } from '../cli/command-line.ts'
import type { Setting, Settings } from '../cli/settings.ts'
import { CommandError, UsageError } from '../errors.ts'
import { printable } from '../log/log-format.ts'
import type { Work } from '../storage/open-storage.ts'

/** Changes an animal, and shows it. Throws `UsageError`. */
export function setAnimal({ operand, settings }: CommandLine): Work {
  const id = readInt64(operand, 'the id of an animal')
  const changes = readChanges(settings)
  return async ({ store }) => {
    const pet = await store.update(id, changes)
    if (!pet) throw unknownAnimal(id)
    return settings.json ? `${petToJson(pet)}\n` : shown(pet)
  }
}

/** Removes an animal. Throws `UsageError`. */
export function removeAnimal({ operand }: CommandLine): Work {
  const id = readInt64(operand, 'the id of an animal')
  return async ({ store }) => {
    if (!(await store.remove(id))) throw unknownAnimal(id)
    return `removed the animal ${id}\n`
  }
}

function unknownAnimal(id: bigint): CommandError {
  return new CommandError(`there is no animal with the id ${id}`)
}

function readInt64(value: string, source: string): bigint {
  const integer = int64OfDecimal(value)
  if (integer === undefined) throw new UsageError(`${source} must be an int64, such as 7`)
  return integer
}

/** Reads `--name`, `--category` and `--status`, validated as createPet validates a body. */
function readChanges({ name, category, status }: Settings): PetChanges {
  if (!name && !category && !status)
    throw new UsageError('animals set requires what to change: --name TEXT, --category N or --status STATUS')
  return {
    ...(name && { name: readName(name) }),
    ...(category && { categoryId: readInt64(category.value, category.source) }),
    ...(status && { status: isPetStatus(status.value) ? status.value : null }),
  }
}

function readName({ value, source }: Setting): string {
  const problem = problemOfName(value, defaultMaxNameLength)
  if (problem) throw new UsageError(`${source} ${problem}`)
  return value
}

function shown({ id, name, categoryId, status }: Pet): string {
  return `id        ${id}\nname      ${printable(JSON.stringify(name))}\ncategory  ${categoryId}\nstatus    ${status ?? 'none'}\n`
}
