import process from 'node:process'
import { createInterface } from 'node:readline'
import { works } from './work.ts'

/** Does the work of the row that the first argument names: so many units for each line of stdin that is a number. */
const work = await works[process.argv[2] ?? '']?.()
if (!work) throw new Error(`there is no row ${process.argv[2]}`)
process.stdout.write('ready\n')
for await (const line of createInterface({ input: process.stdin })) {
  const before = process.cpuUsage()
  await work(Number(line))
  const { user, system } = process.cpuUsage(before)
  process.stdout.write(`${JSON.stringify({ cpuMicros: user + system, rss: process.memoryUsage.rss() })}\n`)
}
process.exit()
