import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import type { Pet, PetStore } from 'pet-adoption-service'

/** Creates a store in memory that also writes each animal to a file. Only one process can use the file. */
export function createLineStore(file: string): PetStore {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []
  const pets: Pet[] = lines.filter((line) => line !== '').map(petOf)
  return {
    create(newPet) {
      const pet = { ...newPet, id: BigInt(pets.length + 1) }
      const line = { ...pet, id: String(pet.id), categoryId: String(pet.categoryId) } // JSON.parse rounds large integers
      appendFileSync(file, `${JSON.stringify(line)}\n`)
      pets.push(pet)
      return pet
    },
    get: (id) => pets[Number(id) - 1],
    list: ({ limit, status, after = 0n }) =>
      pets.filter((pet) => pet.id > after && (status === undefined || pet.status === status)).slice(0, limit),
  }
}

function petOf(line: string): Pet {
  const { id, categoryId, ...rest } = JSON.parse(line)
  return { ...rest, id: BigInt(id), categoryId: BigInt(categoryId) }
}
