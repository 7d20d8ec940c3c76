import { launch, program } from '../server.mjs'
import { median } from './tables.ts'
import { key } from './world.ts'

const bare = `const server = require('node:http').createServer((_req, res) => res.end('[]'))
server.listen(0, '127.0.0.1', () => console.log('listening on http://127.0.0.1:' + server.address().port))`

/** Measures both in turn, and prints the medians of the rounds. */
export async function reportStart(rounds: number): Promise<void> {
  const times: { readonly bare: number[]; readonly ours: number[] } = { bare: [], ours: [] }
  for (let round = 0; round < rounds; round++) {
    times.bare.push(await measureStart(['-e', bare]))
    times.ours.push(await measureStart([program, '--memory', '--port', '0']))
  }
  const [least, ours] = [median(times.bare), median(times.ours)]
  const figures = `bare node:http ${least.toFixed()} ms, the program ${ours.toFixed()} ms`
  process.stdout.write(`Node ${process.versions.node}: ${figures}: ${(ours / least).toFixed(2)} times\n`)
}

/** Returns the milliseconds until a server says that it listens, and ends it. */
async function measureStart(args: readonly string[]): Promise<number> {
  const begin = performance.now()
  const { stop } = await launch([process.execPath, ...args], { env: { PET_ADOPTION_API_KEY: key } })
  const time = performance.now() - begin
  await stop('SIGKILL')
  return time
}
