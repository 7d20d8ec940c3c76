// Checks of requests from pages of other origins. Each check gets a new browser context.
import assert from 'node:assert/strict'

/** Returns the response that a page of `origin` gets: its status, the headers that the page can read, and its body. Returns undefined if the browser blocks it. */
async function fetchFrom(context, origin, url, init = {}) {
  const page = await context.newPage()
  await page.goto(origin)
  return page.evaluate(
    ([url, init]) =>
      fetch(url, init).then(
        async (response) => ({
          status: response.status,
          headers: Object.fromEntries(response.headers),
          body: await response.text(),
        }),
        () => undefined,
      ),
    [url, init],
  )
}

const keyed = ({ key }) => ({ Authorization: `Bearer ${key}` })

export const corsChecks = {
  async 'a page of a listed origin adds an animal, after a preflight'(context, server) {
    const headers = { ...keyed(server), 'Content-Type': 'application/json' }
    const init = { method: 'POST', headers, body: '{"name":"Mia","categoryId":3}' }
    const response = await fetchFrom(context, server.listed, `${server.url}/pets`, init)
    assert.equal(response.status, 201)
    assert.equal(JSON.parse(response.body).name, 'Mia')
  },

  async 'a page of a listed origin reads the limits, the next page and the deprecation'(context, server) {
    await fetchFrom(context, server.listed, `${server.url}/pets`, {
      method: 'POST',
      headers: keyed(server),
      body: '{"name":"Ada","categoryId":3}',
    })
    const list = await fetchFrom(context, server.listed, `${server.url}/pets?limit=1`, {
      headers: keyed(server),
    })
    for (const name of [
      'x-ratelimit-limit',
      'x-ratelimit-remaining',
      'x-ratelimit-reset',
      'link',
      'x-request-id',
    ]) {
      assert.ok(list.headers[name], name)
    }
    const animal = await fetchFrom(context, server.listed, `${server.url}/pets/1`, { headers: keyed(server) })
    for (const name of ['deprecation', 'sunset', 'link']) assert.ok(animal.headers[name], name)
  },

  async 'a page of a listed origin reads errors'(context, server) {
    const unknown = await fetchFrom(context, server.listed, `${server.url}/pets`, {
      headers: { Authorization: 'Bearer x' },
    })
    assert.equal(unknown.status, 401)
    assert.equal(JSON.parse(unknown.body).code, 'invalid_api_key')
    assert.match(unknown.headers['www-authenticate'], /^Bearer/)
  },

  async 'a page of a listed origin reads a 429 and its Retry-After'(context, server) {
    const page = await context.newPage()
    await page.goto(server.listed)
    const retryAfter = await page.evaluate(async (url) => {
      for (let i = 0; i < 70; i++) {
        const response = await fetch(url, { headers: { Authorization: 'Bearer a-guess' } })
        if (response.status === 429) return response.headers.get('Retry-After')
      }
    }, `${server.url}/pets`)
    assert.match(retryAfter, /^\d+$/)
  },

  async 'a page of another origin reads no response'(context, server) {
    for (const init of [{ headers: keyed(server) }, {}, { method: 'POST', body: '{}' }]) {
      assert.equal(await fetchFrom(context, server.unlisted, `${server.url}/pets`, init), undefined)
    }
  },

  async 'a page of a listed origin cannot send credentials that a browser attaches by itself'(
    context,
    server,
  ) {
    const init = { headers: keyed(server), credentials: 'include' }
    assert.equal(await fetchFrom(context, server.listed, `${server.url}/pets`, init), undefined)
  },
}
