import { shorten } from '../bounds.ts'
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

/** Returns what is wrong with the required fields of a Pet, as a phrase; `undefined` if they are valid. */
export function petProblem(value: Json | undefined): string | undefined {
  if (!isObject(value)) return 'is not an object'
  return (
    int64Problem(value.get('id'), 'id') ??
    nameProblem(value.get('name')) ??
    int64Problem(value.get('categoryId'), 'categoryId')
  )
}

/** Returns what is wrong with the status of a Pet, as a phrase; `undefined` if it is absent or a PetStatus. */
export function statusProblem(value: Json): string | undefined {
  const status = isObject(value) ? value.get('status') : undefined
  return status === undefined || isPetStatus(status) ? undefined : `has the status ${show(status)}`
}

/** Whether a value is a PetStatus. */
export function isPetStatus(value: Json | undefined): boolean {
  return petStatuses.some((status) => status === value)
}

/** Returns a value as a Pet; `undefined` if its required fields are not valid. */
export function petOf(value: Json | undefined): Pet | undefined {
  if (petProblem(value) !== undefined || !isObject(value)) return undefined
  // petProblem has checked the types of the three
  const [id, name, categoryId] = ['id', 'name', 'categoryId'].map((member) => value.get(member)) as [
    bigint,
    string,
    bigint,
  ]
  const status = value.get('status')
  return { id, name, categoryId, ...(status !== undefined && { status }) }
}

/** Whether two Pets with one id have the same other fields. */
export function isAlike(a: Pet, b: Pet): boolean {
  return a.name === b.name && a.categoryId === b.categoryId && a.status === b.status
}

/** Describes a value in at most 60 characters. */
export function show(value: Json | undefined): string {
  if (value === undefined) return 'nothing'
  if (isObject(value)) return 'an object'
  if (typeof value === 'object' && value !== null) return `an array of ${value.length}`
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value)
  return shorten(text, 60)
}

function nameProblem(name: Json | undefined): string | undefined {
  return typeof name === 'string'
    ? undefined
    : name === undefined
      ? 'has no name'
      : `has the name ${show(name)}`
}

function int64Problem(value: Json | undefined, name: string): string | undefined {
  if (value === undefined) return `has no ${name}`
  return typeof value === 'bigint' && BigInt.asIntN(64, value) === value
    ? undefined
    : `has the ${name} ${show(value)}, which is not an int64`
}
