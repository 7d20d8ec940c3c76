import type { Socket } from 'node:net'
import type { Flood } from '../flood.ts'
import { head, type Target } from '../target.ts'

const animals = 100
const lists = 999

/** The names with the most bytes of JSON, four and six for a character. A server that bounds names rejects the long ones. */
const names = ['\u{1f415}', '\u0001'].flatMap((character) =>
  [10_000, 1_000].map((length) => character.repeat(length)),
)

/** Clients with a key that list 100 animals with the longest names, and read only after half of the time. */
export const bigPages: Flood = {
  title: '999 lists of 100 long names, on 1 and on 50 connections, read late',
  async prepare(target) {
    for (let i = 0; i < animals; i++) await create(target, i % 2 === 0 ? names.slice(0, 2) : names.slice(2))
  },
  start({ keys, seconds }, crowd) {
    const open = new Set<Socket>()
    let isReading = false
    for (const [count, key] of [
      [1, keys.pages],
      [50, keys.morePages],
    ] as const) {
      const pipeline = Buffer.from(head('GET /v1/pets?limit=100', key).repeat(lists))
      crowd.join({
        count,
        reads: 'nothing',
        use(socket) {
          open.add(socket)
          socket.on('close', () => open.delete(socket))
          socket.write(pipeline)
          if (isReading) socket.resume()
        },
      })
    }
    setTimeout(() => {
      isReading = true
      for (const socket of open) socket.resume()
    }, seconds * 500)
    return () => []
  },
}

/** Creates an animal with the first name that the server stores. */
async function create({ port, keys }: Target, candidates: readonly string[]): Promise<void> {
  for (const name of candidates) {
    const response = await fetch(`http://127.0.0.1:${port}/v1/pets`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${keys.morePages}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ name, categoryId: 1 }),
    })
    await response.arrayBuffer()
    if (response.status === 201) return
  }
  throw new Error('the server stores none of the names')
}
