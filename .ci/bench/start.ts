import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Figure } from './figures.ts'
import { rounds } from './ratio.ts'
import { spread } from './results.ts'

const program = fileURLToPath(new URL('../../dist/adapters/standalone/main.js', import.meta.url))

/** Measures the time from the start of the process to the line `listening on …`. */
export async function* start(): AsyncGenerator<Figure> {
  const times: number[] = []
  for (let round = 0; round <= rounds; round++) {
    const time = await timeToListen()
    if (round > 0) times.push(time)
  }
  const { median, min, max } = spread(times)
  yield {
    title: 'pet-adoption-service --memory listens',
    value: Math.round(median),
    unit: 'ms',
    target: { atMost: 150 },
    note: `${Math.round(min)}..${Math.round(max)}`,
  }
}

async function timeToListen(): Promise<number> {
  const begin = performance.now()
  const child = spawn(process.execPath, [program, '--memory', '--port', '0'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const ended = once(child, 'exit')
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      if (line.startsWith('listening on ')) return performance.now() - begin
    }
    throw new Error('pet-adoption-service exited before it listened')
  } finally {
    child.kill('SIGKILL')
    await ended
  }
}
