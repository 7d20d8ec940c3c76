import { createMemoryStore, type PetStore } from '../../core/index.ts'
import { StartError } from './failures.ts'
import type { Log } from './log.ts'
import type { Setting } from './settings.ts'

/** The flags that say where the animals are kept; they exclude each other. */
export const storageKinds = ['memory', 'data', 'postgres'] as const

/** One of them, as it was given. */
export interface StorageChoice extends Setting {
  readonly kind: (typeof storageKinds)[number]
}

export interface OpenStorage {
  readonly store: PetStore
  /** Called when the last request has its answer. */
  close(): void | Promise<void>
}

/** Opens what was asked for, or throws `StartError`: never something else instead. */
export function openStorage(choice: StorageChoice | undefined, log: Log): OpenStorage {
  if (choice && choice.kind !== 'memory') {
    throw new StartError(
      `${choice.source} is not available in this version: without it, animals are kept in memory`,
    )
  }
  if (!choice) {
    log.warning('memory', 'the animals are kept in memory only: ALL ARE LOST when the server stops')
  }
  return { store: createMemoryStore(), close: () => {} }
}
