import { setImmediate } from 'node:timers'
import type { NewPet, Pet } from '../../core/index.ts'
import { rowValues } from '../../core/internal.ts'
import type { SqliteDatabase } from './database.ts'
import { begin, rollBack } from './transaction.ts'

export interface Writer {
  create(pet: NewPet): Promise<Pet>
  importPets(pets: Iterable<NewPet> | AsyncIterable<NewPet>): Promise<number>
  /** Whether this connection holds an import that is not committed, and would show it to its readers. */
  readonly importing: boolean
}

interface Creation {
  readonly pet: NewPet
  resolve(pet: Pet): void
  reject(reason: unknown): void
}

/** Writes one transaction at a time. What is created in one turn of the event loop shares one. */
export function createWriter(database: SqliteDatabase, lockTimeoutMs: number): Writer {
  const insert = database.prepare(
    'INSERT INTO pets (name, category_id, status) VALUES (?, CAST(? AS INTEGER), ?) RETURNING CAST(id AS TEXT) AS id',
  )
  let waiting: Creation[] = []
  let importing = false
  let last: Promise<unknown> = Promise.resolve()

  /** Runs the work after all that was asked for before. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = last.then(work)
    last = done.catch(() => {})
    return done
  }

  async function createWaiting(): Promise<void> {
    const batch = waiting
    waiting = []
    try {
      await begin(database, lockTimeoutMs)
      for (const answer of commitAll(batch)) answer()
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }

  /** In one go, so that nobody reads on this connection what is not committed yet. */
  function commitAll(batch: readonly Creation[]): (() => void)[] {
    try {
      const answers = batch.map(({ pet, resolve }) => {
        // The statement answers one row of this shape.
        const { id } = insert.get(...rowValues(pet)) as { id: string }
        return () => resolve({ ...pet, id: BigInt(id) })
      })
      database.exec('COMMIT')
      return answers
    } catch (error) {
      throw rollBack(database, error)
    }
  }

  async function importAll(pets: Iterable<NewPet> | AsyncIterable<NewPet>): Promise<number> {
    await begin(database, lockTimeoutMs)
    importing = true
    try {
      let count = 0
      for await (const pet of pets) {
        insert.get(...rowValues(pet))
        count++
      }
      database.exec('COMMIT')
      return count
    } catch (error) {
      throw rollBack(database, error)
    } finally {
      importing = false
    }
  }

  return {
    create(pet) {
      return new Promise((resolve, reject) => {
        if (waiting.push({ pet, resolve, reject }) === 1) setImmediate(() => inTurn(createWaiting))
      })
    },
    importPets: (pets) => inTurn(() => importAll(pets)),
    get importing() {
      return importing
    },
  }
}
