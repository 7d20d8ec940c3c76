import { setTimeout as sleep } from 'node:timers/promises'
import { type Attack, createAttack } from './attack.ts'
import { bounds, type Measured } from './bounds.ts'
import { get } from './exchange.ts'
import { type FloodName, floods } from './floods.ts'
import { createKeys } from './keys.ts'
import { startProbes } from './probes.ts'
import { type Runtime, type Server, startServer } from './server.ts'
import type { Target } from './target.ts'
import { warmUp } from './warm-up.ts'

/** How often the server is checked, in milliseconds. */
const pollMs = 100

/** How many readings of its memory in a row show that it has been given back. */
const settledReadings = 10

/** How long the server rests before its memory is read for the first time, in milliseconds. */
const restMs = 300

/** Runs one flood against a new server, and waits until the server gives memory back. */
export async function measure(name: FloodName, runtime: Runtime, seconds: number): Promise<Measured> {
  const attack = createAttack(name)
  try {
    const { file, ...keys } = createKeys()
    const server = await startServer(runtime, file, floods[name].descriptors)
    try {
      return await flood(name, attack, server, { ...keys, port: server.port, seconds })
    } finally {
      await server.stop()
    }
  } finally {
    attack.end()
  }
}

async function flood(name: FloodName, attack: Attack, server: Server, target: Target): Promise<Measured> {
  const { takesAllConnections = false, isLogged = false } = floods[name]
  await Promise.all([attack.prepare(target), warmUp(target)])
  await sleep(restMs)
  const probes = await startProbes(target, server.pid, takesAllConnections)
  try {
    const start = server.memory()
    await attack.start()
    await until(() => !server.isAlive, target.seconds * 1_000)
    const seen = probes.seen()
    const { traffic, violations } = await attack.stop()
    const isServing = await isServed(target.port)
    await released(server, (start?.now ?? 0) + bounds.memoryLeft)
    const { isAlive, errors } = server
    const end = server.memory()
    return {
      flood: name,
      isAlive,
      ...(start && end && { memory: { start: start.now, peak: end.peak, left: end.now } }),
      seen,
      traffic,
      violations: [
        ...violations,
        ...(isAlive && !isServing ? ['no new connection is served afterwards'] : []),
        ...(isAlive && isLogged && errors === '' ? ['nothing is logged'] : []),
      ],
    }
  } finally {
    await probes.stop()
  }
}

async function isServed(port: number): Promise<boolean> {
  try {
    return (await get(port, '/healthz')).status === 200
  } catch {
    return false
  }
}

/** Waits until memory stays below `highest` MiB: for a while it still grows, as connections close. */
async function released(server: Server, highest: number): Promise<void> {
  let readings = 0
  await until(() => {
    readings = (server.memory()?.now ?? 0) <= highest ? readings + 1 : 0
    return !server.isAlive || readings === settledReadings
  }, bounds.releaseMs)
}

/** Waits for a condition, for `ms` milliseconds at the most. */
async function until(holds: () => boolean, ms: number): Promise<void> {
  for (const end = performance.now() + ms; performance.now() < end && !holds(); ) await sleep(pollMs)
}
