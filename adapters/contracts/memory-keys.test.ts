import { test } from 'node:test'
import { createKeyStore, type KeyRecord, type KeyStore } from '../../core/index.ts'
import { keyStoreContract } from './index.ts'

/** A key store whose list of keys is replaced, as that of a file is. */
interface ReplacedStore extends KeyStore {
  replace(change: (keys: readonly KeyRecord[]) => readonly KeyRecord[]): void
}

keyStoreContract({
  test,
  createStore({ clock }): ReplacedStore {
    let keys: readonly KeyRecord[] = []
    let store = createKeyStore(keys, { clock })
    return {
      find: (token) => store.find(token),
      replace(change) {
        keys = change(keys)
        store = createKeyStore(keys, { clock })
      },
    }
  },
  addKey: (store, key) => store.replace((keys) => [...keys, key]),
  revokeKey(store, sha256) {
    const revokedAt = new Date(0).toISOString()
    store.replace((keys) => keys.map((key) => (key.sha256 === sha256 ? { ...key, revokedAt } : key)))
  },
})
