import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { startFlood } from './measure.ts'
import { sendRequest, startServer } from './target.ts'

const rounds = 9
const connections = 8
/** Lists and creations in each round, on each connection. */
const requests = 50

/** A body that is large enough to arrive in several segments. */
const body = JSON.stringify({ name: 'Rex', categoryId: 1, note: 'x'.repeat(30_000) })

/**
 * Compares the CPU time of requests on two servers, one of which was flooded. The flood's connections stay open while
 * both servers are measured in turn, but the flood sends nothing, because its own requests take CPU time too.
 *
 * @returns multiple of the CPU time without a flood: the median of all rounds
 */
export async function compareCost(folder: string, name: string, seconds: number): Promise<number> {
  const [calm, flooded] = [await openSide(folder), await openSide(folder)]
  try {
    for (let i = 0; i < 3; i++) for (const side of [calm, flooded]) await side.measure() // V8 compiles the code
    const flood = await startFlood(name, seconds, flooded.target)
    try {
      await sleep(seconds * 1_000)
      flood.pause()
      const ratios: number[] = []
      for (let i = 0; i < rounds; i++) {
        const without = await calm.measure()
        ratios.push((await flooded.measure()) / without)
      }
      return ratios.sort((a, b) => a - b)[rounds >> 1] ?? Number.NaN
    } finally {
      await flood.stop()
    }
  } finally {
    for (const side of [calm, flooded]) await side.close()
  }
}

async function openSide(folder: string) {
  const { target, readCpuMs, stop } = await startServer(folder)
  const key = target.keys.flood
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  async function useConnection(): Promise<void> {
    for (let i = 0; i < requests; i++) {
      await sendRequest(target, '/v1/pets?limit=100', { key, agent })
      await sendRequest(target, '/v1/pets', { key, agent, method: 'POST', body })
    }
  }
  return {
    target,
    /** Returns the CPU time that the server takes for the requests of a round, in milliseconds. */
    async measure() {
      const before = readCpuMs()
      await Promise.all(Array.from({ length: connections }, useConnection))
      return readCpuMs() - before
    },
    async close() {
      agent.destroy()
      await stop()
    },
  }
}
