import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { announced, program } from '../server.mjs'
import { median } from './tables.ts'
import { key } from './world.ts'

/** How many times as long as the bare server the program may take at the most. */
const longest = 2

const bare = `import { createServer } from 'node:http'
const server = createServer((_req, res) => res.end('[]'))
server.listen(0, '127.0.0.1', () => console.log('listening on http://127.0.0.1:' + server.address().port))
`

/**
 * Prints the milliseconds from the start of the program, in memory, to its line `listening on`, beside a server of
 * node:http of one file: the medians of the rounds. Resolves with the exit code, 1 where the program takes too long.
 */
export async function reportStart(rounds: number): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'pet-adoption-bench-'))
  const file = join(folder, 'bare.mjs')
  writeFileSync(file, bare)
  const times: readonly [bare: number[], program: number[]] = [[], []]
  for (let round = 0; round < rounds; round++) {
    times[0].push(await startOf([file], folder))
    times[1].push(await startOf([program, '--memory', '--port', '0'], folder))
  }
  rmSync(folder, { recursive: true })
  const [least = 0, ours = 0] = times.map(median)
  process.stdout.write(
    `${process.version}: bare node:http ${least.toFixed()} ms, the program ${ours.toFixed()} ms: ${(ours / least).toFixed(2)} times\n`,
  )
  return ours > longest * least ? 1 : 0
}

/** Returns the milliseconds until a server says that it listens, and ends it. */
async function startOf(args: readonly string[], cwd: string): Promise<number> {
  const start = performance.now()
  const env = { PATH: process.env.PATH, PET_ADOPTION_API_KEY: key }
  const child = spawn(process.execPath, args, { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] })
  await announced(child)
  const time = performance.now() - start
  child.kill('SIGKILL')
  return time
}
