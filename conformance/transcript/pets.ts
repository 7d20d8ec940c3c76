import { shorten } from './bounds.ts'
import { isObject, type Json } from './json.ts'

/** The pet fields (section 2) that rules compare. */
export interface Pet {
  readonly id: bigint
  readonly name: string
  readonly categoryId: bigint
  /** The status, which can be any JSON value. A pet with an invalid status is parsed, too. */
  readonly status?: Json
}

/** The statuses that section 2 defines. */
export const petStatuses = ['available', 'pending', 'sold'] as const

/** Why a value is not a pet. */
export interface PetProblem {
  readonly text: string
  /** The wrong member's name, or `undefined` if the value is not an object. */
  readonly member?: string
}

/** Finds the first reason why a value is not a pet. */
export function findPetProblem(value: Json | undefined): PetProblem | undefined {
  if (!isObject(value)) return { text: 'is not an object' }
  for (const member of ['id', 'name', 'categoryId']) {
    const problemText = findMemberProblem(value.get(member), member)
    if (problemText !== undefined) return { text: problemText, member }
  }
  return undefined
}

/** Describes a status that the interface does not define. Returns `undefined` if the status is valid or missing. */
export function findStatusProblem(value: Json): string | undefined {
  const status = isObject(value) ? value.get('status') : undefined
  return status === undefined || isPetStatus(status) ? undefined : `has the status ${formatValue(status)}`
}

export function isPetStatus(value: Json | undefined): boolean {
  return petStatuses.some((status) => status === value)
}

/** Parses a pet. Returns `undefined` if a required member is missing or has the wrong type. */
export function parsePet(value: Json | undefined): Pet | undefined {
  if (!isObject(value)) return undefined
  const id = value.get('id')
  const name = value.get('name')
  const categoryId = value.get('categoryId')
  if (!isInt64(id) || typeof name !== 'string' || !isInt64(categoryId)) return undefined
  const status = value.get('status')
  return status === undefined ? { id, name, categoryId } : { id, name, categoryId, status }
}

export function hasSameFields(a: Pet, b: Pet): boolean {
  return isSameName(a.name, b.name) && a.categoryId === b.categoryId && a.status === b.status
}

/** Compares names in Unicode normalization form C. */
export function isSameName(value: Json | undefined, name: string): boolean {
  return value === name || (typeof value === 'string' && value.normalize('NFC') === name.normalize('NFC'))
}

/** Describes a JSON value in at most 60 characters. */
export function formatValue(value: Json | undefined): string {
  if (value === undefined) return 'nothing'
  if (isObject(value)) return 'an object'
  if (typeof value === 'object' && value !== null) return `an array of ${value.length}`
  const valueText = typeof value === 'string' ? JSON.stringify(value) : String(value)
  return shorten(valueText, 60)
}

function isInt64(value: Json | undefined): value is bigint {
  return typeof value === 'bigint' && BigInt.asIntN(64, value) === value
}

function findMemberProblem(value: Json | undefined, member: string): string | undefined {
  if (value === undefined) return `has no ${member}`
  if (member === 'name') return typeof value === 'string' ? undefined : `has the name ${formatValue(value)}`
  return isInt64(value) ? undefined : `has the ${member} ${formatValue(value)}, which is not an int64`
}
