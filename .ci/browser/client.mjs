// Checks of the client, bundled for a browser, on a page of another origin than the server's.
import assert from 'node:assert/strict'
import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'

const entry = fileURLToPath(new URL('../../dist/adapters/client.js', import.meta.url))

/** Runs the text of an async function of a page of the listed origin. It receives the client's module and the server. */
async function onPage(context, { listed, url, key }, body) {
  const options = { bundle: true, minify: true, write: false, format: 'iife', globalName: 'client' }
  const { outputFiles } = buildSync({ ...options, entryPoints: [entry], platform: 'browser' })
  const page = await context.newPage()
  await page.goto(listed)
  await page.addScriptTag({ content: outputFiles[0].text })
  const server = JSON.stringify({ baseUrl: url, apiKey: key })
  return page.evaluate(`(async ({ createPetClient, PetApiError }, server) => {${body}})(client, ${server})`)
}

export const clientChecks = {
  async 'the client of a page adds animals at once and lists all of them, page by page, with exact int64'(
    context,
    server,
  ) {
    const [ids, exact] = await onPage(
      context,
      server,
      `const pets = createPetClient({ ...server, pace: true })
      const categoryId = 2n ** 63n - 1n
      const made = await Promise.all(Array.from({ length: 30 }, (_, i) => pets.create({ name: 'Rex ' + i, categoryId })))
      const ids = new Set(made.map(({ id }) => String(id)))
      let exact = true
      for await (const pet of pets.list({ limit: 7 }))
        if (ids.delete(String(pet.id))) exact &&= pet.categoryId === categoryId
      return [ids.size, exact]`,
    )
    assert.deepEqual([ids, exact], [0, true])
  },

  async 'the client of a page reads the deprecation, and the code and id of an error'(context, server) {
    const { events, code, requestId } = await onPage(
      context,
      server,
      `const events = []
      const pets = createPetClient({ ...server, onDeprecation: ({ operation, removal, link }) => events.push([operation, removal.toISOString(), link]) })
      const { code, requestId } = await pets.get(0).catch((error) => error)
      return { events, code, requestId }`,
    )
    assert.deepEqual(events, [['getPet', '2030-12-05T00:00:00.000Z', `${server.url}/pets`]])
    assert.equal(code, 'pet_not_found')
    assert.ok(requestId)
  },

  async 'the client of a page reads the Retry-After of a 429, and sends nothing more'(context, server) {
    const ends = await onPage(
      context,
      server,
      `const pets = createPetClient({ ...server, apiKey: 'a-guess', maxWaitMs: 0 })
      const ends = []
      for (let i = 0; i < 70; i++) {
        const { status, retryAfterMs } = await pets.list().page().catch((error) => error)
        if (status === 429) ends.push(retryAfterMs)
      }
      return [ends.length, ends[0], performance.getEntriesByName(server.baseUrl + '/pets').length]`,
    )
    const [rejections, retryAfterMs, requests] = ends
    assert.ok(rejections >= 9 && retryAfterMs >= 1_000, `${rejections} rejections, ${retryAfterMs} ms`)
    assert.ok(requests <= 62, `${requests} requests`)
  },
}
