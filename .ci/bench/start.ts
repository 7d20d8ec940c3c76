import { launch, program } from '../server.mjs'
import { computeMedian } from './tables.ts'
import { key } from './world.ts'

const bare = `const server = require('node:http').createServer((_req, res) => res.end('[]'))
server.listen(0, '127.0.0.1', () => console.log('listening on http://127.0.0.1:' + server.address().port))`

/** Prints the standalone server's median startup time next to a minimal node:http server's. */
export async function reportStart(rounds: number): Promise<void> {
  const times: { readonly bare: number[]; readonly ours: number[] } = { bare: [], ours: [] }
  for (let round = 0; round < rounds; round++) {
    times.bare.push(await measureStart(['-e', bare]))
    times.ours.push(await measureStart([program, '--memory', '--port', '0']))
  }
  const [least, ours] = [computeMedian(times.bare), computeMedian(times.ours)]
  const figures = `bare node:http ${least.toFixed()} ms, the program ${ours.toFixed()} ms`
  process.stdout.write(`Node ${process.versions.node}: ${figures}: ${(ours / least).toFixed(2)} times\n`)
}

/** Measures the milliseconds from spawning a server until it listens. */
async function measureStart(args: readonly string[]): Promise<number> {
  const begin = performance.now()
  const { stop } = await launch([process.execPath, ...args], { env: { PET_ADOPTION_API_KEY: key } })
  const time = performance.now() - begin
  await stop('SIGKILL')
  return time
}
