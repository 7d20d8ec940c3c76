import { isObject, type Json } from './json.ts'

/** A Pet of section 2, as far as rules compare it. */
export interface Pet {
  readonly id: bigint
  readonly name: string
  readonly categoryId: bigint
  /** Absent where there is none; `null` and whatever else is no text is kept as it came. */
  readonly status?: Json
}

/** The values of PetStatus (section 2). */
export const petStatuses = ['available', 'pending', 'sold'] as const

/** What is wrong with the required fields of a Pet, as a phrase; `undefined` where nothing is. */
export function petProblem(value: Json | undefined): string | undefined {
  if (!isObject(value)) return 'is no object'
  return (
    int64Problem(value.get('id'), 'id') ??
    nameProblem(value.get('name')) ??
    int64Problem(value.get('categoryId'), 'categoryId')
  )
}

/** What is wrong with the status of a Pet; `undefined` where it has none or a PetStatus. */
export function statusProblem(value: Json): string | undefined {
  const status = isObject(value) ? value.get('status') : undefined
  return status === undefined || isPetStatus(status) ? undefined : `has the status ${show(status)}`
}

/** Whether a value is one of the three. */
export function isPetStatus(value: Json | undefined): boolean {
  return petStatuses.some((status) => status === value)
}

/** The Pet that a value is; `undefined` where its required fields are not. */
export function petOf(value: Json | undefined): Pet | undefined {
  if (petProblem(value) !== undefined || !isObject(value)) return undefined
  // petProblem has seen the types of the three
  const [id, name, categoryId] = ['id', 'name', 'categoryId'].map((member) => value.get(member)) as [
    bigint,
    string,
    bigint,
  ]
  const status = value.get('status')
  return { id, name, categoryId, ...(status !== undefined && { status }) }
}

/** Whether two sightings show an animal alike. */
export function isAlike(a: Pet, b: Pet): boolean {
  return a.name === b.name && a.categoryId === b.categoryId && a.status === b.status
}

/** A value in the words of a finding, cut short. */
export function show(value: Json | undefined): string {
  if (value === undefined) return 'nothing'
  if (isObject(value)) return 'an object'
  if (typeof value === 'object' && value !== null) return `an array of ${value.length}`
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value)
  return text.length > 60 ? `${text.slice(0, 59)}…` : text
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
    : `has the ${name} ${show(value)}, no int64`
}
