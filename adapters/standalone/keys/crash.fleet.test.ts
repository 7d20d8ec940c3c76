import assert from 'node:assert/strict'
import { createRandom } from '../../contracts/random.ts'
import { testWith } from '../../contracts/testing/part.ts'
import { runUntil } from '../testing/command.ts'
import { temporaryStorages } from '../testing/storages.ts'

/** How often commands are killed in each kind of storage. Each time lasts a second. */
const rounds = Number(process.env.PET_ADOPTION_CRASH_ROUNDS || 1)
/** What the moments are drawn from. */
const seed = Number(process.env.PET_ADOPTION_CRASH_SEED || 1)
/** The last moment of a kill, in milliseconds: most commands have ended by then. */
const longestMs = 600

interface Listed {
  readonly id: string
  readonly sha256: string
  readonly expiresAt?: string
  readonly revokedAt?: string
}

/** Runs a command with `--json`, and kills it after `killMs`. */
async function runJson<T>(commandLine: string, killMs?: number): Promise<T | undefined> {
  const output = await runUntil(`${commandLine} --json`, killMs)
  return output === undefined ? undefined : JSON.parse(output)
}

for (const [name, storage] of Object.entries(await temporaryStorages())) {
  testWith(storage)(
    `${name} has every key that was printed, however often commands are killed`,
    async (_t, newStorage) => {
      const flag = await newStorage()
      const random = createRandom(seed)
      const printed: string[] = []
      await runJson(`keys issue ${flag} --id rotated --plan pro`)
      for (let round = 0; round < rounds; round++) {
        const commands = [`issue ${flag} --id new-${round} --plan free`, `rotate ${flag} --id rotated`]
        const results = await Promise.all(
          commands.map((command) => runJson<Listed>(`keys ${command}`, random.whole(100, longestMs))),
        )
        printed.push(...results.flatMap((key) => key?.sha256 ?? []))
        const listed = (await runJson<readonly Listed[]>(`keys list ${flag}`)) ?? []
        const hashes = listed.map(({ sha256 }) => sha256)
        assert.equal(new Set(hashes).size, hashes.length)
        for (const sha256 of printed) assert.ok(hashes.includes(sha256), `${sha256} was lost`)
        const current = listed.filter(({ id, revokedAt }) => id === 'rotated' && revokedAt === undefined)
        assert.equal(current.length, 1, 'a rotation was made by half')
      }
    },
  )
}
