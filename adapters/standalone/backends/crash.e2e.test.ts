import assert from 'node:assert/strict'
import { Agent } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import type { KeyRecord } from '../../../core/index.ts'
import { createRandom } from '../../contracts/random.ts'
import { testWith } from '../../contracts/testing/resource.ts'
import {
  type Animal,
  acknowledge,
  type Creation,
  readAllAnimals,
  sendCreation,
  unlimitedEnv,
} from '../testing/animals.ts'
import { run, runJson, runUntil, stop } from '../testing/command.ts'
import { launchServer } from '../testing/launch.ts'
import { startLoad } from '../testing/load.ts'
import { createTemporaryStorages } from '../testing/storages.ts'

/** How often the server and commands are killed, for each storage. */
const roundCount = 8
/** Seed for the random delays. */
const seed = 1
/** Maximum delay before a server or command is killed, in milliseconds. */
const maxKillDelayMs = { server: 600, command: 800 }

/** Changes made in one round. Only acknowledged changes must survive the kill. */
interface Round {
  readonly creations: readonly Creation[]
  readonly changed: { readonly id: string; readonly isAcknowledged: boolean }
  readonly removed: { readonly id: string; readonly isAcknowledged: boolean }
}

for (const [name, storage] of Object.entries(await createTemporaryStorages())) {
  testWith(storage)(
    `${name} keeps acknowledged changes when the server is killed`,
    async (_t, newStorage) => {
      const flag = await newStorage()
      const random = createRandom(seed)
      const pastRounds: Round[] = []
      const start = () => launchServer(`--port 0 --log silent ${flag}`, { env: unlimitedEnv })

      /** Changes animals through a server and through commands, and kills all of them at random times. */
      async function runRound(base: string, kill: () => void): Promise<Round> {
        const creators = startLoad(base, { listClients: 0, createClients: 4, hasIdempotencyKeys: true })
        await creators.waitForMore(2)
        const [toChange = '', toRemove = ''] = creators.acknowledged.map(({ id }) => id)
        // In the first round the commands finish, so that each is acknowledged at least once.
        const pickKillDelay = () =>
          pastRounds.length === 0 ? undefined : random.integer(100, maxKillDelayMs.command)
        const commands = Promise.all([
          runUntil(`animals set ${toChange} --name Max --status sold --json ${flag}`, pickKillDelay()),
          runUntil(`animals remove ${toRemove} ${flag}`, pickKillDelay()),
        ])
        if (pastRounds.length === 0) await commands
        await setTimeout(random.integer(0, maxKillDelayMs.server))
        kill()
        await creators.end()
        const [change, removal] = await commands
        const results = creators.requests.map(({ result }) => result)
        assert.ok(results.every((result) => result === 201 || typeof result === 'string'))
        return {
          creations: creators.sent,
          changed: { id: toChange, isAcknowledged: change !== undefined },
          removed: { id: toRemove, isAcknowledged: removal !== undefined },
        }
      }

      let server = await start()
      for (let round = 0; round < roundCount; round++) {
        const finishedRound = await runRound(server.base, () => server.child.kill('SIGKILL'))
        assert.equal(await server.end, 'SIGKILL')
        pastRounds.push(finishedRound)
        server = await start()
        await resendCreations(server.base, finishedRound)
        assertConsistent(await readAllAnimals(server.base), pastRounds)
      }
      await stop(server)
    },
  )

  testWith(storage)(`${name} keeps printed keys when commands are killed`, async (_t, newStorage) => {
    const flag = await newStorage()
    const random = createRandom(seed)
    const printed: string[] = []
    await run(`keys issue ${flag} --id rotated --plan pro`)
    for (let round = 0; round < roundCount; round++) {
      const commands = [`issue ${flag} --id new-${round} --plan free`, `rotate ${flag} --id rotated`]
      const outputs = await Promise.all(
        commands.map((command) =>
          runUntil(`keys ${command} --json`, random.integer(100, maxKillDelayMs.command)),
        ),
      )
      printed.push(...outputs.flatMap((output) => (output ? JSON.parse(output).sha256 : [])))
      const listed = await runJson<readonly KeyRecord[]>(`keys list ${flag}`)
      const hashes = listed.map(({ sha256 }) => sha256)
      assert.equal(new Set(hashes).size, hashes.length)
      for (const sha256 of printed) assert.ok(hashes.includes(sha256), `${sha256} was lost`)
      const current = listed.filter(({ id, revokedAt }) => id === 'rotated' && revokedAt === undefined)
      assert.equal(current.length, 1, 'a rotation is incomplete')
    }
  })
}

/** Repeats a round's creations. The server must replay every creation that it had acknowledged. */
async function resendCreations(base: string, { creations }: Round): Promise<void> {
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

/** Checks that every acknowledged change is stored, and that other changes are stored completely or not at all. */
function assertConsistent(stored: readonly Animal[], past: readonly Round[]): void {
  const byCategory = new Map(stored.map((pet) => [pet.categoryId, pet]))
  assert.equal(byCategory.size, stored.length, 'a creation was stored twice')
  const expected = past.flatMap(({ creations, changed, removed }) =>
    creations.filter(({ pet: sent, acknowledged }) => {
      const id = acknowledged?.id
      const pet = byCategory.get(sent.categoryId)
      if (id === removed.id && removed.isAcknowledged)
        assert.equal(pet, undefined, `${id} was removed and is stored again`)
      if (id !== removed.id) assert.equal(pet?.id, id, `${id} was lost`)
      const possible = id === changed.id ? ['Max sold'] : []
      if (id !== changed.id || !changed.isAcknowledged) possible.push(`${sent.name} ${sent.status}`)
      if (pet) assert.ok(possible.includes(`${pet.name} ${pet.status}`), `${id} is ${pet.name} ${pet.status}`)
      return pet
    }),
  )
  assert.equal(stored.length, expected.length, 'the storage has an unknown animal')
}
