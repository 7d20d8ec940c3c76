import { shorten } from './bounds.ts'
import { isObject, type Json } from './json.ts'

/** The fields of a Pet (section 2) that rules compare. */
export interface Pet {
  readonly id: bigint
  readonly name: string
  readonly categoryId: bigint
  /** Any JSON value, as it was received; absent if the Pet has no status. */
  readonly status?: Json
}

/** The values of PetStatus (section 2). */
export const petStatuses = ['available', 'pending', 'sold'] as const

/** The problem of a Pet, as a phrase, and the member that has it. */
export interface PetFault {
  readonly text: string
  /** Absent if the value is not an object. */
  readonly member?: string
}

/** Returns the problem of the required fields of a Pet; `undefined` if they are valid. */
export function findPetFault(value: Json | undefined): PetFault | undefined {
  if (!isObject(value)) return { text: 'is not an object' }
  for (const member of ['id', 'name', 'categoryId']) {
    const text = memberProblem(value.get(member), member)
    if (text !== undefined) return { text, member }
  }
  return undefined
}

/** Returns the problem of the status of a Pet, as a phrase; `undefined` if it is absent or a PetStatus. */
export function findStatusProblem(value: Json): string | undefined {
  const status = isObject(value) ? value.get('status') : undefined
  return status === undefined || isPetStatus(status) ? undefined : `has the status ${show(status)}`
}

/** Returns whether a value is a PetStatus. */
export function isPetStatus(value: Json | undefined): boolean {
  return petStatuses.some((status) => status === value)
}

/** Returns a value as a Pet; `undefined` if its required fields are not valid. */
export function parsePet(value: Json | undefined): Pet | undefined {
  if (!isObject(value)) return undefined
  const id = value.get('id')
  const name = value.get('name')
  const categoryId = value.get('categoryId')
  if (!isInt64(id) || typeof name !== 'string' || !isInt64(categoryId)) return undefined
  const status = value.get('status')
  return status === undefined ? { id, name, categoryId } : { id, name, categoryId, status }
}

/** Returns whether two Pets with one id have the same other fields. */
export function isAlike(a: Pet, b: Pet): boolean {
  return isSameName(a.name, b.name) && a.categoryId === b.categoryId && a.status === b.status
}

/** Returns whether a name is the same as another value: in any normal form, as NFC and NFD are one text. */
export function isSameName(value: Json | undefined, name: string): boolean {
  return value === name || (typeof value === 'string' && value.normalize('NFC') === name.normalize('NFC'))
}

/** Describes a value in at most 60 characters. */
export function show(value: Json | undefined): string {
  if (value === undefined) return 'nothing'
  if (isObject(value)) return 'an object'
  if (typeof value === 'object' && value !== null) return `an array of ${value.length}`
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value)
  return shorten(text, 60)
}

function isInt64(value: Json | undefined): value is bigint {
  return typeof value === 'bigint' && BigInt.asIntN(64, value) === value
}

function memberProblem(value: Json | undefined, member: string): string | undefined {
  if (value === undefined) return `has no ${member}`
  if (member === 'name') return typeof value === 'string' ? undefined : `has the name ${show(value)}`
  return isInt64(value) ? undefined : `has the ${member} ${show(value)}, which is not an int64`
}
