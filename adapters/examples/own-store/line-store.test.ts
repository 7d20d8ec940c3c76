import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { PetStore } from 'pet-adoption-service'
import { petStoreContract } from 'pet-adoption-service/contracts'
import { createLineStore } from './line-store.ts'

const folder = mkdtempSync(join(tmpdir(), 'pets-'))
after(() => rmSync(folder, { recursive: true }))
const files = new WeakMap<PetStore, string>()
let count = 0

function open(file: string): PetStore {
  const store = createLineStore(file)
  files.set(store, file)
  return store
}

petStoreContract({
  test,
  create: () => open(join(folder, `${++count}.ndjson`)),
  reopen: (store) => open(files.get(store) ?? ''),
})
