import assert from 'node:assert/strict'
import { Agent } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import type { KeyRecord } from '../../../core/index.ts'
import { createRandom } from '../../contracts/random.ts'
import { testWith } from '../../contracts/testing/part.ts'
import {
  type Animal,
  acknowledge,
  type Creation,
  readAll,
  sendCreation,
  unlimited,
} from '../testing/animals.ts'
import { run, runJson, runUntil, stop } from '../testing/command.ts'
import { launchServer } from '../testing/launch.ts'
import { startLoad } from '../testing/load.ts'
import { temporaryStorages } from '../testing/storages.ts'

/** Number of times that the server and the commands are killed in each kind of storage. */
const rounds = Number(process.env.PET_ADOPTION_CRASH_ROUNDS || 1)
/** The seed of the random moments. */
const seed = Number(process.env.PET_ADOPTION_CRASH_SEED || 1)
/** The last moments of a kill, in milliseconds: most commands have ended by then. */
const longestMs = { server: 600, command: 800 }

/** The requests and commands of a round, and whether they were acknowledged. */
interface Round {
  readonly creations: readonly Creation[]
  readonly changed: { readonly id: string; readonly isAcknowledged: boolean }
  readonly removed: { readonly id: string; readonly isAcknowledged: boolean }
}

for (const [name, storage] of Object.entries(await temporaryStorages())) {
  testWith(storage)(`${name} has every acknowledged change after kills`, async (_t, newStorage) => {
    const flag = await newStorage()
    const random = createRandom(seed)
    const past: Round[] = []
    const start = () => launchServer(`--port 0 --log silent ${flag}`, { env: unlimited })

    /** Runs commands while clients create animals, and kills the server and the commands. */
    async function playRound(base: string, kill: () => void): Promise<Round> {
      const creators = startLoad(base, { lists: 0, creates: 4, isKeyed: true })
      await creators.more(2)
      const [toChange = '', toRemove = ''] = creators.acknowledged.map(({ id }) => id)
      // The commands of the first round end by themselves, so that each of them is acknowledged at least once.
      const killMs = () => (past.length === 0 ? undefined : random.whole(100, longestMs.command))
      const commands = Promise.all([
        runUntil(`animals set ${toChange} --name Max --status sold --json ${flag}`, killMs()),
        runUntil(`animals remove ${toRemove} ${flag}`, killMs()),
      ])
      if (past.length === 0) await commands
      await setTimeout(random.whole(0, longestMs.server))
      kill()
      await creators.end()
      const [change, removal] = await commands
      const results = creators.exchanges.map(({ result }) => result)
      assert.ok(results.every((result) => result === 201 || typeof result === 'string'))
      return {
        creations: creators.sent,
        changed: { id: toChange, isAcknowledged: change !== undefined },
        removed: { id: toRemove, isAcknowledged: removal !== undefined },
      }
    }

    let server = await start()
    for (let round = 0; round < rounds; round++) {
      const played = await playRound(server.base, () => server.child.kill('SIGKILL'))
      assert.equal(await server.end, 'SIGKILL')
      past.push(played)
      server = await start()
      await sendAgain(server.base, played)
      assertWhole(await readAll(server.base), past)
    }
    await stop(server)
  })

  testWith(storage)(`${name} has every printed key after kills`, async (_t, newStorage) => {
    const flag = await newStorage()
    const random = createRandom(seed)
    const printed: string[] = []
    await run(`keys issue ${flag} --id rotated --plan pro`)
    for (let round = 0; round < rounds; round++) {
      const commands = [`issue ${flag} --id new-${round} --plan free`, `rotate ${flag} --id rotated`]
      const outputs = await Promise.all(
        commands.map((command) => runUntil(`keys ${command} --json`, random.whole(100, longestMs.command))),
      )
      printed.push(...outputs.flatMap((output) => (output ? JSON.parse(output).sha256 : [])))
      const listed = await runJson<readonly KeyRecord[]>(`keys list ${flag}`)
      const hashes = listed.map(({ sha256 }) => sha256)
      assert.equal(new Set(hashes).size, hashes.length)
      for (const sha256 of printed) assert.ok(hashes.includes(sha256), `${sha256} was lost`)
      const current = listed.filter(({ id, revokedAt }) => id === 'rotated' && revokedAt === undefined)
      assert.equal(current.length, 1, 'a rotation was made by half')
    }
  })
}

/** Sends each creation of a round again. The response is the first one, if that was acknowledged. */
async function sendAgain(base: string, { creations }: Round): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 8 })
  await Promise.all(
    creations.map(async (creation) => {
      const isReplayed = creation.acknowledged !== undefined
      const response = await sendCreation(base, creation, { agent })
      acknowledge(creation, response)
      if (isReplayed) assert.equal(response.headers['idempotency-replayed'], 'true')
    }),
  )
  agent.destroy()
}

/** Asserts that each creation has exactly one animal, changed or removed if a command has acknowledged that. */
function assertWhole(stored: readonly Animal[], past: readonly Round[]): void {
  const byCategory = new Map(stored.map((pet) => [pet.categoryId, pet]))
  assert.equal(byCategory.size, stored.length, 'a creation has two animals')
  const expected = past.flatMap(({ creations, changed, removed }) =>
    creations.filter(({ pet: sent, acknowledged }) => {
      const id = acknowledged?.id
      const pet = byCategory.get(sent.categoryId)
      if (id === removed.id && removed.isAcknowledged) assert.equal(pet, undefined, `${id} is back`)
      if (id !== removed.id) assert.equal(pet?.id, id, `${id} was lost`)
      const possible = id === changed.id ? ['Max sold'] : []
      if (id !== changed.id || !changed.isAcknowledged) possible.push(`${sent.name} ${sent.status}`)
      if (pet) assert.ok(possible.includes(`${pet.name} ${pet.status}`), `${id} is ${pet.name} ${pet.status}`)
      return pet
    }),
  )
  assert.equal(stored.length, expected.length, 'an animal is there that no creation has')
}
