import assert from 'node:assert/strict'
import type { KeyRecord } from '../../../core/index.ts'
import { createRandom } from '../../contracts/random.ts'
import { testWith } from '../../contracts/testing/part.ts'
import { run, runJson, runUntil } from '../testing/command.ts'
import { temporaryStorages } from '../testing/storages.ts'

/** How often commands are killed in each kind of storage. Each time lasts a second. */
const rounds = Number(process.env.PET_ADOPTION_CRASH_ROUNDS || 1)
/** What the moments are drawn from. */
const seed = Number(process.env.PET_ADOPTION_CRASH_SEED || 1)
/** The last moment of a kill, in milliseconds: most commands have ended by then. */
const longestMs = 600

for (const [name, storage] of Object.entries(await temporaryStorages())) {
  testWith(storage)(
    `${name} has every key that was printed, however often commands are killed`,
    async (_t, newStorage) => {
      const flag = await newStorage()
      const random = createRandom(seed)
      const printed: string[] = []
      await run(`keys issue ${flag} --id rotated --plan pro`)
      for (let round = 0; round < rounds; round++) {
        const commands = [`issue ${flag} --id new-${round} --plan free`, `rotate ${flag} --id rotated`]
        const outputs = await Promise.all(
          commands.map((command) => runUntil(`keys ${command} --json`, random.whole(100, longestMs))),
        )
        printed.push(...outputs.flatMap((output) => (output ? JSON.parse(output).sha256 : [])))
        const listed = await runJson<readonly KeyRecord[]>(`keys list ${flag}`)
        const hashes = listed.map(({ sha256 }) => sha256)
        assert.equal(new Set(hashes).size, hashes.length)
        for (const sha256 of printed) assert.ok(hashes.includes(sha256), `${sha256} was lost`)
        const current = listed.filter(({ id, revokedAt }) => id === 'rotated' && revokedAt === undefined)
        assert.equal(current.length, 1, 'a rotation was made by half')
      }
    },
  )
}
