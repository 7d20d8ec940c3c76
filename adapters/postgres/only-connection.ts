import { StoreUnavailableError } from '../../core/index.ts'
import { sleep } from '../backend/index.ts'

/** Open transactions on clients with a single connection. Each promise resolves when its transaction ends. */
const openTransactions = new WeakMap<object, Promise<void>>()

const maxWaitMs = 5_000

/**
 * Waits until no transaction is open on a client with one connection.
 *
 * @throws {StoreUnavailableError} If a transaction is still open after 5 s.
 */
export async function waitUntilFree(client: object): Promise<void> {
  if (!openTransactions.has(client)) return
  const late = sleep(maxWaitMs).then(() => true)
  for (let end = openTransactions.get(client); end; end = openTransactions.get(client))
    if (await Promise.race([end, late]))
      throw new StoreUnavailableError('the only connection is busy with a transaction')
}

/**
 * Reserves a client with one connection for a transaction, when the previous one has ended. Other store statements
 * wait, because they would join the transaction and be rolled back with it.
 *
 * @returns A function that releases the client after the transaction.
 */
export async function lockClient(client: object): Promise<() => void> {
  while (openTransactions.has(client)) await waitUntilFree(client)
  let release = () => {}
  const end = new Promise<void>((resolve) => {
    release = () => {
      openTransactions.delete(client)
      resolve()
    }
  })
  openTransactions.set(client, end)
  return release
}
