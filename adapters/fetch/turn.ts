import { runNextTurn } from '../calls/next-turn.ts'

const isDenoOrBun = 'Deno' in globalThis || 'Bun' in globalThis

let current: Promise<void> | undefined

/**
 * On Deno and Bun, returns a promise of the end of this turn of the event loop, which all requests of the turn share;
 * elsewhere `undefined`. Then they are handled one after the other, while the code is in the caches of the core, and
 * their responses leave together: of 32 connections, getPet takes Deno a sixth and Bun a fifth less. A body that comes
 * with its head has come by then and needs no timer. One connection alone loses nothing.
 */
export function endOfTurn(): Promise<void> | undefined {
  // On Workers, a request must not wait for the promise of another.
  if (!isDenoOrBun) return undefined
  current ??= new Promise((resolve) => {
    runNextTurn(() => {
      current = undefined
      resolve()
    })
  })
  return current
}
