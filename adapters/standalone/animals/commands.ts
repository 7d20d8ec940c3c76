import { isPetStatus, type Pet, type PetChanges, petToJson } from '../../../core/index.ts'
import { type NoSettings, readMaxNameLength, type Settings } from '../cli/settings.ts'
import { parseInt64, parseName } from '../cli/values.ts'
import { CommandError, UsageError } from '../errors.ts'
import { printable } from '../log/log-format.ts'
import type { Work } from '../storage/open-storage.ts'

type ChangeSettings = Pick<Settings, 'name' | 'category' | 'status'>

/** Changes an animal, and shows it. Throws `UsageError`. */
export function setAnimal(settings: ChangeSettings & Pick<Settings, 'json'>, operand: string): Work {
  const id = parseInt64({ value: operand, source: 'the id of an animal' })
  const changes = readChanges(settings)
  return async ({ store }) => {
    const pet = await store.update(id, changes)
    if (!pet) throw unknownAnimal(id)
    return settings.json ? `${petToJson(pet)}\n` : shown(pet)
  }
}

/** Removes an animal. Throws `UsageError`. */
export function removeAnimal(_settings: NoSettings, operand: string): Work {
  const id = parseInt64({ value: operand, source: 'the id of an animal' })
  return async ({ store }) => {
    if (!(await store.remove(id))) throw unknownAnimal(id)
    return `removed the animal ${id}\n`
  }
}

function unknownAnimal(id: bigint): CommandError {
  return new CommandError(`no animal has the id ${id}`)
}

/** Reads `--name`, `--category` and `--status`, validated as createPet validates a body. */
function readChanges(settings: ChangeSettings): PetChanges {
  const { name, category, status } = settings
  if (!name && !category && !status)
    throw new UsageError('animals set requires what to change: --name TEXT, --category N or --status STATUS')
  return {
    ...(name && { name: parseName(readMaxNameLength(settings))(name) }),
    ...(category && { categoryId: category.value }),
    ...(status && { status: isPetStatus(status.value) ? status.value : null }),
  }
}

function shown({ id, name, categoryId, status }: Pet): string {
  return `id        ${id}\nname      ${printable(JSON.stringify(name))}\ncategory  ${categoryId}\nstatus    ${status ?? 'none'}\n`
}
