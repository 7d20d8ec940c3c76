import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { type Pet, type PetStore, petOfRow } from 'pet-adoption-service'

/** Keeps animals in a file that people can read, one a line. For one process, and as many as its memory holds. */
export function createLineStore(file: string): PetStore {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []
  const pets: Pet[] = lines.filter((line) => line !== '').map((line) => petOfRow(JSON.parse(line)))
  return {
    create(pet) {
      const created = { ...pet, id: BigInt(pets.length + 1) }
      const { id, name, categoryId, status = null } = created
      // JSON.stringify knows no bigint, and JSON.parse rounds what a double cannot hold: int64 as text.
      const line = JSON.stringify({ id: String(id), name, categoryId: String(categoryId), status })
      appendFileSync(file, `${line}\n`)
      pets.push(created)
      return created
    },
    get: (id) => pets[Number(id) - 1],
    list({ limit, status, after = 0n }) {
      const found: Pet[] = []
      for (let i = after > 0n ? Number(after) : 0; i < pets.length && found.length < limit; i++) {
        const pet = pets[i]
        if (pet && (status === undefined || pet.status === status)) found.push(pet)
      }
      return found
    },
  }
}
