import assert from 'node:assert/strict'
import { Agent } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { createRandom } from '../../contracts/random.ts'
import { testWith } from '../../contracts/testing/part.ts'
import {
  type Animal,
  acknowledge,
  type Creation,
  readAll,
  sendCreation,
  startCreating,
} from '../testing/animals.ts'
import { runUntil, stopped } from '../testing/command.ts'
import { launchServer } from '../testing/launch.ts'
import { send } from '../testing/request.ts'
import { temporaryStorages } from '../testing/storages.ts'

/** How often the server and the commands are killed in each kind of storage. Each time lasts seconds. */
const rounds = Number(process.env.PET_ADOPTION_CRASH_ROUNDS || 1)
/** What the moments are drawn from. */
const seed = Number(process.env.PET_ADOPTION_CRASH_SEED || 1)
/** The last moments of a kill, in milliseconds: most commands have ended by then. */
const longestMs = { server: 600, command: 800 }

/** What the commands of a round were to do, and which of it they have acknowledged. */
interface Round {
  readonly creations: readonly Creation[]
  readonly changed: { readonly id: string; readonly isAcknowledged: boolean }
  readonly removed: { readonly id: string; readonly isAcknowledged: boolean }
}

/** A key that a command has printed, and how far its revocation is. */
interface IssuedKey {
  readonly id: string
  readonly key: string
  revocation: 'none' | 'attempted' | 'acknowledged'
}

for (const [name, storage] of Object.entries(await temporaryStorages())) {
  testWith(storage)(
    `${name} has every change that was acknowledged, and one animal for each Idempotency-Key, however often the server and the commands are killed`,
    async (_t, newStorage) => {
      const flag = await newStorage()
      const random = createRandom(seed)
      const issued: IssuedKey[] = []
      const past: Round[] = []

      async function issue(id: string, plan: string, killMs?: number): Promise<string> {
        const output = await runUntil(`keys issue ${flag} --id ${id} --plan ${plan} --json`, killMs)
        const key: string = output === undefined ? '' : JSON.parse(output).key
        if (key) issued.push({ id, key, revocation: 'none' })
        return key
      }

      async function revoke(target: IssuedKey, killMs?: number): Promise<void> {
        target.revocation = 'attempted'
        const output = await runUntil(`keys revoke ${flag} --id ${target.id} --json`, killMs)
        if (output !== undefined) target.revocation = 'acknowledged'
      }

      /** Runs commands while clients create animals, and kills all of it. */
      async function playRound(base: string, kill: () => void): Promise<Round> {
        const creators = startCreating(base, 4, past.length, { key: load, isKeyed: true })
        await creators.more(2)
        const [toChange = '', toRemove = ''] = creators.acknowledged.map(({ id }) => id)
        // The commands of the first round end by themselves, so that each of them is acknowledged at least once.
        const killMs = () => (past.length === 0 ? undefined : random.whole(100, longestMs.command))
        const revocable = issued.slice(1).findLast(({ revocation }) => revocation === 'none')
        const commands = Promise.all([
          runUntil(`animals set ${toChange} --name Max --status sold --json ${flag}`, killMs()),
          runUntil(`animals remove ${toRemove} ${flag}`, killMs()),
          issue(`new-${past.length}`, 'free', killMs()),
          revocable && revoke(revocable, killMs()),
        ])
        if (past.length === 0) await commands
        await setTimeout(random.whole(0, longestMs.server))
        kill()
        const [change, removal] = await commands
        await creators.end()
        assert.deepEqual(creators.otherResponses, [])
        return {
          creations: creators.sent,
          changed: { id: toChange, isAcknowledged: change !== undefined },
          removed: { id: toRemove, isAcknowledged: removal !== undefined },
        }
      }

      const load = await issue('load', 'enterprise --minute 10000000 --day 100000000')
      await issue('first', 'free')
      for (let round = 0; round <= rounds; round++) {
        const { base, child, end } = await launchServer(`--port 0 --log silent ${flag}`)
        const last = past.at(-1)
        if (last) await assertRepeated(base, load, last)
        assertWhole(await readAll(base, load), past)
        await assertKeys(base, issued)
        if (round < rounds) past.push(await playRound(base, () => child.kill('SIGKILL')))
        else child.kill('SIGTERM')
        assert.equal(await end, round < rounds ? 'SIGKILL' : stopped)
      }
    },
  )
}

/** Sends each creation of a round again. The response is the first one, if that was acknowledged. */
async function assertRepeated(base: string, key: string, { creations }: Round): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 8 })
  await Promise.all(
    creations.map(async (creation) => {
      const isReplayed = creation.acknowledged !== undefined
      const response = await sendCreation(base, creation, { agent, key })
      acknowledge(creation, response)
      if (isReplayed) assert.equal(response.headers['idempotency-replayed'], 'true')
    }),
  )
  agent.destroy()
}

/** Asserts that each creation has exactly one animal, changed or removed where a command has acknowledged that. */
function assertWhole(stored: readonly Animal[], past: readonly Round[]): void {
  const byCategory = new Map(stored.map((pet) => [pet.categoryId, pet]))
  assert.equal(byCategory.size, stored.length, 'a creation has two animals')
  let expected = 0
  for (const { creations, changed, removed } of past) {
    for (const { pet: sent, acknowledged } of creations) {
      const id = acknowledged?.id
      const pet = byCategory.get(sent.categoryId)
      if (pet) expected++
      if (id === removed.id && removed.isAcknowledged) assert.equal(pet, undefined, `${id} is back`)
      if (id !== removed.id) assert.equal(pet?.id, id, `${id} was lost`)
      if (!pet) continue
      const state = `${pet.name} ${pet.status}`
      const possible = id === changed.id ? ['Max sold'] : []
      if (id !== changed.id || !changed.isAcknowledged) possible.push(`${sent.name} ${sent.status}`)
      assert.ok(possible.includes(state), `${id} is ${state}, not ${possible.join(' or ')}`)
    }
  }
  assert.equal(stored.length, expected, 'an animal is there that no creation has')
}

/** Asserts that each key that was printed is valid, unless a command has revoked it. */
async function assertKeys(base: string, issued: readonly IssuedKey[]): Promise<void> {
  for (const { id, key, revocation } of issued) {
    const { status } = await send(`${base}/pets?limit=1`, { key })
    if (revocation === 'none') assert.equal(status, 200, `the key of ${id} was lost`)
    if (revocation === 'acknowledged') assert.equal(status, 401, `the key of ${id} is valid again`)
  }
}
