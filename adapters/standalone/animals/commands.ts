import { isPetStatus, type Pet, type PetChanges, petToJson } from '../../../core/index.ts'
import type { StoreTask } from '../backends/open-store.ts'
import { type NoSettings, readMaxNameLength, type Settings } from '../cli/settings.ts'
import { parseInt64, parseName } from '../cli/values.ts'
import { CommandError, UsageError } from '../errors.ts'
import { escapeControls } from '../log/log-format.ts'

type ChangeSettings = Pick<Settings, 'name' | 'category' | 'status'>

/**
 * Runs `animals set`: changes an animal and prints it.
 *
 * @throws {UsageError} If the id or a change is invalid.
 */
export function setAnimal(settings: ChangeSettings & Pick<Settings, 'json'>, operand: string): StoreTask {
  const id = parseInt64({ value: operand, source: 'the animal id' })
  const changes = readChanges(settings)
  return async ({ store }) => {
    const pet = await store.update(id, changes)
    if (!pet) throw createUnknownAnimalError(id)
    return settings.json ? `${petToJson(pet)}\n` : formatAnimal(pet)
  }
}

/**
 * Runs `animals remove`.
 *
 * @throws {UsageError} If the id is invalid.
 */
export function removeAnimal(_settings: NoSettings, operand: string): StoreTask {
  const id = parseInt64({ value: operand, source: 'the animal id' })
  return async ({ store }) => {
    if (!(await store.remove(id))) throw createUnknownAnimalError(id)
    return `removed animal ${id}\n`
  }
}

function createUnknownAnimalError(id: bigint): CommandError {
  return new CommandError(`animal ${id} does not exist`)
}

/**
 * Validates the flags as the service validates a request body. `--status none` removes the status.
 *
 * @throws {UsageError} If no flag names a change, or the name is invalid.
 */
function readChanges(settings: ChangeSettings): PetChanges {
  const { name, category, status } = settings
  if (!name && !category && !status)
    throw new UsageError('animals set requires --name TEXT, --category N or --status STATUS')
  return {
    ...(name && { name: parseName(readMaxNameLength(settings))(name) }),
    ...(category && { categoryId: category.value }),
    ...(status && { status: isPetStatus(status.value) ? status.value : null }),
  }
}

function formatAnimal({ id, name, categoryId, status }: Pet): string {
  return `id        ${id}\nname      ${escapeControls(JSON.stringify(name))}\ncategory  ${categoryId}\nstatus    ${status ?? 'none'}\n`
}
