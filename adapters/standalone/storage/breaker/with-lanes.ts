import type { PetStore } from '../../../../core/index.ts'
import type { Lane } from './lane.ts'

/** Returns a store whose calls run in two lanes. It has the optional methods that the given one has. */
export function withLanes(store: PetStore, reads: Lane, writes: Lane): PetStore {
  const { page, createOnce, findCreated, update, remove } = store
  return {
    create: (pet) => writes.call(() => store.create(pet)),
    get: (id) => reads.call(() => store.get(id)),
    list: (query) => reads.call(() => store.list(query)),
    ...(page && { page: (query) => reads.call(() => page.call(store, query)) }),
    ...(createOnce && { createOnce: (pet, key) => writes.call(() => createOnce.call(store, pet, key)) }),
    ...(findCreated && { findCreated: (key) => reads.call(() => findCreated.call(store, key)) }),
    ...(update && { update: (id, changes) => writes.call(() => update.call(store, id, changes)) }),
    ...(remove && { remove: (id) => writes.call(() => remove.call(store, id)) }),
  }
}
