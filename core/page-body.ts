import { type Pet, petsToJson } from './pet.ts'

/** How long the JSON of a page may be to be kept: what a store keeps of 64 pages stays under 4 MiB a list. */
const maxKeptLength = 65_536

/** The JSON of pages that a store has promised never to change, for as long as the store keeps them. */
const kept = new WeakMap<readonly Pet[], { limit: number; bytes: Uint8Array<ArrayBuffer> }>()

const encoder = new TextEncoder()

/** The JSON of the first `limit` animals of a page. That of a frozen page is made once. */
export function pageBody(pets: readonly Pet[], limit: number): string | Uint8Array<ArrayBuffer> {
  if (!Object.isFrozen(pets)) return petsToJson(pets.slice(0, limit))
  const before = kept.get(pets)
  if (before?.limit === limit) return before.bytes
  const json = petsToJson(pets.slice(0, limit))
  if (json.length > maxKeptLength) return json
  const bytes = encoder.encode(json)
  kept.set(pets, { limit, bytes })
  return bytes
}
