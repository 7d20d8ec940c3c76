import { type NewPet, type Pet, StoreUnavailable } from '../../core/index.ts'
import { rowValues } from '../../core/internal.ts'
import type { SqliteDatabase } from './database.ts'
import { processTime, retryMs, runNextTurn, type Time } from './time.ts'
import { rollBack, tryBegin } from './transaction.ts'

/** The part of a store that writes. */
export interface Writer {
  create(pet: NewPet): Promise<Pet>
  importPets(pets: Iterable<NewPet> | AsyncIterable<NewPet>): Promise<number>
  /** Whether an import is under way, which readers on this connection would see before it is committed. */
  readonly isImporting: boolean
  /** How many insertions have run, also those that were rolled back. */
  readonly inserts: number
}

interface Creation {
  readonly pet: NewPet
  /** When it is rejected if it could not begin. */
  readonly deadline: number
  resolve(pet: Pet): void
  reject(reason: unknown): void
}

/**
 * Creates a writer. Creations of one turn of the event loop share a transaction, as do those that wait for the same lock.
 *
 * @param waitMs - How long a creation, and the beginning of an import, wait at most: one deadline by the clock, whatever
 * they wait for.
 */
export function createWriter(database: SqliteDatabase, waitMs: number, time: Time = processTime): Writer {
  const insert = database.prepare(
    'INSERT INTO pets (name, category_id, status) VALUES (?, CAST(? AS INTEGER), ?) RETURNING CAST(id AS TEXT) AS id',
  )
  let waiting: Creation[] = []
  let isCreating = false
  let isImporting = false
  let inserts = 0
  let lastImport: Promise<unknown> = Promise.resolve()

  function insertPet(pet: NewPet): bigint {
    inserts++
    // The statement returns one row of this shape.
    const { id } = insert.get(...rowValues(pet)) as { id: string }
    return BigInt(id)
  }

  async function createWaiting(): Promise<void> {
    isCreating = true
    try {
      while (waiting.length > 0) {
        const obstacle = isImporting ? importUnderWay() : tryBegin(database)
        if (obstacle) await wait(obstacle)
        else commitWaiting()
      }
    } catch (error) {
      for (const { reject } of takeWaiting()) reject(error)
    } finally {
      isCreating = false
    }
  }

  function takeWaiting(): Creation[] {
    const taken = waiting
    waiting = []
    return taken
  }

  /** Waits before the next attempt, unless the time of all creations is over. */
  async function wait(obstacle: StoreUnavailable): Promise<void> {
    const now = time.now()
    const overdue = waiting.filter(({ deadline }) => deadline <= now)
    waiting = waiting.filter(({ deadline }) => deadline > now)
    for (const { reject } of overdue) reject(obstacle)
    if (waiting.length > 0) await time.sleep(retryMs)
  }

  /** Runs without a pause, so that no reader on this connection sees what is not committed yet. */
  function commitWaiting(): void {
    const batch = takeWaiting()
    try {
      const resolveAll = batch.map(({ pet, resolve }) => {
        const id = insertPet(pet)
        return () => resolve({ ...pet, id })
      })
      database.exec('COMMIT')
      for (const resolve of resolveAll) resolve()
    } catch (error) {
      const reason = rollBack(database, error)
      for (const { reject } of batch) reject(reason)
    }
  }

  async function importAll(pets: Iterable<NewPet> | AsyncIterable<NewPet>): Promise<number> {
    const deadline = time.now() + waitMs
    for (let obstacle = tryBegin(database); obstacle; obstacle = tryBegin(database)) {
      if (time.now() >= deadline) throw obstacle
      await time.sleep(retryMs)
    }
    isImporting = true
    try {
      let count = 0
      for await (const pet of pets) {
        insertPet(pet)
        count++
      }
      database.exec('COMMIT')
      return count
    } catch (error) {
      throw rollBack(database, error)
    } finally {
      isImporting = false
    }
  }

  return {
    create(pet) {
      return new Promise((resolve, reject) => {
        waiting.push({ pet, deadline: time.now() + waitMs, resolve, reject })
        if (waiting.length === 1 && !isCreating) runNextTurn(createWaiting)
      })
    },
    importPets(pets) {
      const done = lastImport.then(() => importAll(pets))
      lastImport = done.catch(() => {})
      return done
    },
    get isImporting() {
      return isImporting
    },
    get inserts() {
      return inserts
    },
  }
}

/** What to throw while an import holds the connection. */
export function importUnderWay(): StoreUnavailable {
  return new StoreUnavailable('an import is under way on this connection')
}
