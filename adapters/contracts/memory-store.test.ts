import { test } from 'node:test'
import { createMemoryStore } from '../../core/index.ts'
import { petStoreContract } from './index.ts'

petStoreContract({
  test,
  createStore: createMemoryStore,
  capabilities: { page: true, createOnce: true, update: true, remove: true },
})
