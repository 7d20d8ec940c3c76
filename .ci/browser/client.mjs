// What the package's client does on pages of other origins.
import assert from 'node:assert/strict'
import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'

const entry = fileURLToPath(new URL('../../dist/adapters/client/index.js', import.meta.url))

/** Runs the function body on a page of the origin. `client`'s createPetClient and the server's options are in scope. */
async function runOnPage(context, origin, { url, key }, body) {
  const options = { bundle: true, minify: true, write: false, format: 'iife', globalName: 'client' }
  const { outputFiles } = buildSync({ ...options, entryPoints: [entry], platform: 'browser' })
  const page = await context.newPage()
  await page.goto(origin)
  await page.addScriptTag({ content: outputFiles[0].text })
  const server = JSON.stringify({ baseUrl: url, apiKey: key })
  return page.evaluate(`(async ({ createPetClient }, server) => {${body}})(client, ${server})`)
}

export const clientChecks = {
  async 'a page from a listed origin creates and lists animals with exact int64'(context, server) {
    const left = await runOnPage(
      context,
      server.listed,
      server,
      `const pets = createPetClient({ ...server, waitForReset: true })
      const categoryId = 2n ** 63n - 1n
      const made = await Promise.all(Array.from({ length: 30 }, (_, i) => pets.create({ name: 'Rex ' + i, categoryId })))
      const ids = new Set(made.map(({ id }) => String(id)))
      for await (const pet of pets.list({ limit: 7 })) if (pet.categoryId === categoryId) ids.delete(String(pet.id))
      return ids.size`,
    )
    assert.equal(left, 0)
  },

  async 'a page from a listed origin reads deprecations, errors and Retry-After'(context, server) {
    const { events, code, requestId, waits } = await runOnPage(
      context,
      server.listed,
      server,
      `const events = []
      const pets = createPetClient({ ...server, onDeprecation: ({ operation, removal, link }) => events.push([operation, removal.toISOString(), link]) })
      const { code, requestId } = await pets.get(0).catch((error) => error)
      const guess = createPetClient({ ...server, apiKey: 'a-guess', maxWaitMs: 0 })
      const waits = []
      for (let i = 0; i < 70; i++) waits.push((await guess.list().page().catch((error) => error)).retryAfterMs)
      return { events, code, requestId, waits: waits.filter((ms) => ms !== undefined) }`,
    )
    assert.deepEqual(events, [['getPet', '2030-12-05T00:00:00.000Z', `${server.url}/pets`]])
    assert.equal(code, 'pet_not_found')
    assert.ok(requestId)
    assert.ok(waits.length >= 9 && waits[0] >= 1_000, `${waits.length} rejections, ${waits[0]} ms`)
  },

  async 'other origins are blocked, and listed origins cannot send credentials'(context, server) {
    const read = (origin, init) =>
      runOnPage(
        context,
        origin,
        server,
        `const init = { headers: { Authorization: 'Bearer ' + server.apiKey }, ...${JSON.stringify(init)} }
        return fetch(server.baseUrl + '/pets', init).then(({ status }) => status, () => 'blocked')`,
      )
    for (const init of [{}, { headers: {} }, { method: 'POST', body: '{}' }])
      assert.equal(await read(server.unlisted, init), 'blocked')
    assert.equal(await read(server.listed, {}), 200)
    assert.equal(await read(server.listed, { credentials: 'include' }), 'blocked')
  },
}
