import { isPetStatus, type PetChanges } from '../../../core/index.ts'
import { defaultMaxNameLength, int64OfDecimal, problemOfName } from '../../../core/internal.ts'
import { UsageError } from '../errors.ts'
import type { Setting, Settings } from './settings.ts'

/** Reads the id of an animal. Throws `UsageError`. */
export function readAnimalId(operand: string): bigint {
  const id = int64OfDecimal(operand)
  if (id === undefined) throw new UsageError('the id of an animal must be a whole number, such as 7')
  return id
}

/** Reads `--name`, `--category` and `--status`, validated as createPet validates a body. Throws `UsageError`. */
export function readChanges({ name, category, status }: Settings): PetChanges {
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
