import { isObject, type Json, JsonObject, writeJson } from '../transcript/json.ts'
import { jsonOf, type RecordedResponse } from '../transcript/responses.ts'
import type { FaultKind } from './cause.ts'
import { repairable } from './repair.ts'

/** The members of a Pet, with the names that they have in the styles of other frameworks and databases. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  id: ['_id', 'Id', 'ID', 'petId', 'pet_id'],
  name: ['Name', 'petName', 'pet_name'],
  categoryId: ['category_id', 'CategoryId', 'categoryID', 'category-id', 'categoryid'],
}

const everyOtherName: ReadonlySet<string> = new Set(Object.values(otherNames).flat())

/** The members of a Pet that are integers. */
const integers = ['id', 'categoryId']

/** Members of animals that have another name, or a string of digits in place of an integer (section 2). */
export const membersFault: FaultKind = {
  id: 'members',
  find(transcript) {
    const differences = new Set<string>()
    return repairable(
      transcript,
      (recorded) => {
        const body = repairedBody(recorded, differences)
        return body === undefined ? undefined : { body }
      },
      () => ({
        title: `Animals have ${[...differences].join(', and ')}`,
        advice:
          'use the names of the interface, letter for letter, and JSON numbers; many drivers return a 64-bit integer as a string',
      }),
    )
  },
}

/** Returns the body with the members of the interface; `undefined` if it has them. Adds what differs to a set. */
function repairedBody({ response }: RecordedResponse, differences: Set<string>): string | undefined {
  const body = response.status < 300 ? jsonOf(response) : undefined
  if (body === undefined) return undefined
  let isChanged = false
  const repair = (item: Json): Json => {
    if (!isObject(item) || !item.some(mayDiffer)) return item
    const repaired = numbered(renamed(item, differences), differences)
    isChanged ||= repaired !== item
    return repaired
  }
  const repaired = Array.isArray(body) ? body.map(repair) : repair(body)
  return isChanged ? writeJson(repaired) : undefined
}

/** Whether a member may have another name, or be a string in place of an integer. */
function mayDiffer(name: string, value: Json): boolean {
  return everyOtherName.has(name) || (typeof value === 'string' && integers.includes(name))
}

function renamed(pet: JsonObject, differences: Set<string>): JsonObject {
  let repaired = pet
  for (const [member, names] of Object.entries(otherNames)) {
    const name = pet.has(member) ? undefined : names.find((other) => pet.has(other))
    if (name === undefined) continue
    differences.add(`${name} in place of ${member}`)
    repaired = edited(repaired, (key, value) => [key === name ? member : key, value])
  }
  return repaired
}

function numbered(pet: JsonObject, differences: Set<string>): JsonObject {
  let repaired = pet
  for (const member of integers) {
    const value = pet.get(member)
    if (typeof value !== 'string' || !/^-?(?:0|[1-9]\d{0,18})$/.test(value)) continue
    differences.add(`a string in place of the integer ${member}`)
    repaired = edited(repaired, (key, other) => [key, key === member ? BigInt(value) : other])
  }
  return repaired
}

/** Returns a copy of an object in which each member is replaced by another. */
function edited(
  object: JsonObject,
  edit: (name: string, value: Json) => readonly [string, Json],
): JsonObject {
  return new JsonObject([...object].flatMap(([name, value]) => edit(name, value)))
}
