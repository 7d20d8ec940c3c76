// Checks of the documentation page, as a reader uses it. Each check gets a new browser context.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { fits, isAccessible, open as openPage } from './page.mjs'

const int64 = '9007199254740993'

const open = (context, { origin }) => openPage(context, `${origin}/docs`)

async function responseOf(page, operation) {
  const form = page.locator(`#${operation} form`)
  await form.getByRole('button', { name: 'Send' }).click()
  await form.locator('[data-part=response]').waitFor({ state: 'visible' })
  const part = (name) => form.locator(`[data-part=${name}]`).textContent()
  return {
    outcome: await part('status-line'),
    body: await part('body'),
    headers: await part('headers'),
    curl: await part('curl'),
  }
}

export const docsChecks = {
  async 'the page sends no request to another origin, and breaks no rule of its policy'(context, server) {
    const { page, errors, requests } = await open(context, server)
    await page.getByLabel('API key').fill(server.key)
    for (const operation of ['listPets', 'createPet']) await responseOf(page, operation)
    assert.deepEqual(errors, [])
    assert.deepEqual(
      requests.filter((request) => new URL(request.url()).origin !== server.origin),
      [],
    )
  },

  async 'a reader adds, lists and gets an animal by clicks, with every digit of its int64'(context, server) {
    const { page, requests } = await open(context, server)
    assert.match(
      (await responseOf(page, 'listPets')).outcome,
      /^401 Unauthorized, after \d+ ms, sent without a key$/,
    )
    await page.getByLabel('API key').fill(server.key)
    const typed = `{ "name": "Mia",\n  "categoryId": ${int64} }`
    await page.getByLabel('Body, in JSON, sent as typed').fill(typed)
    const added = await responseOf(page, 'createPet')
    assert.match(added.outcome, /^201 Created, after \d+ ms$/)
    assert.equal(requests.at(-1).postData(), typed)
    assert.match(added.body, new RegExp(`"categoryId":${int64}`))
    const { id } = JSON.parse(added.body)

    await page.locator('#getPet').getByLabel('petId').fill(String(id))
    assert.equal((await responseOf(page, 'getPet')).body, added.body)

    const list = page.locator('#listPets')
    await list.getByLabel('status').selectOption('available')
    await list.getByLabel('limit').fill('1')
    await list.getByLabel('after').fill(String(id - 1))
    const listed = await responseOf(page, 'listPets')
    assert.equal(listed.body, `[${added.body}]`)
    assert.equal(requests.at(-1).url(), `${server.url}/pets?limit=1&status=available&after=${id - 1}`)
    assert.match(listed.headers, /^x-ratelimit-remaining: \d+$/m)
  },

  async 'the page stores the key nowhere and shows it only in its field'(context, server) {
    const { page, requests } = await open(context, server)
    const field = page.getByLabel('API key')
    await field.fill(server.key)
    assert.equal(await field.getAttribute('type'), 'password')
    const { curl } = await responseOf(page, 'listPets')
    assert.equal(requests.at(-1).headers().authorization, `Bearer ${server.key}`)
    assert.doesNotMatch(curl, new RegExp(server.key))
    assert.doesNotMatch(await page.content(), new RegExp(server.key))
    assert.deepEqual(await context.storageState({ indexedDB: true }), { cookies: [], origins: [] })
    assert.ok(requests.every((request) => !request.url().includes(server.key)))
    await page.reload()
    assert.equal(await field.inputValue(), '')
  },

  async 'the curl command sends the same request'(context, server) {
    const { page } = await open(context, server)
    await page
      .getByLabel('Body, in JSON, sent as typed')
      .fill(`{"name":"O'Malley $HOME \`x\`","categoryId":1}`)
    await page.getByLabel('Idempotency-Key').fill("it's $HOME".replaceAll(' ', '-'))
    const { curl } = await responseOf(page, 'createPet')
    const env = { ...process.env, PET_ADOPTION_API_KEY: server.key }
    const { stdout } = spawnSync('sh', ['-c', curl.replace(/^curl/, 'curl -s')], {
      env,
      encoding: 'utf8',
      timeout: 10_000,
    })
    assert.equal(JSON.parse(stdout).name, "O'Malley $HOME `x`")
  },

  async 'the page shows a response as text, never as markup'(context, server) {
    const { page } = await open(context, server)
    await page.getByLabel('API key').fill(server.key)
    const name = '<img src=x onerror="document.title=1"><script>document.title=2</script>'
    await page.getByLabel('Body, in JSON, sent as typed').fill(JSON.stringify({ name, categoryId: 1 }))
    const { body } = await responseOf(page, 'createPet')
    assert.equal(JSON.parse(body).name, name)
    assert.equal(await page.locator('[data-part=body] *').count(), 0)
  },

  async "the policy stops scripts, calls and frames that are not the page's own"(context, server) {
    const { page } = await open(context, server)
    const [ran, called] = await page.evaluate(async (elsewhere) => {
      const script = document.createElement('script')
      script.textContent = 'window.ran = true'
      document.body.append(script)
      const called = await fetch(elsewhere).then(
        () => true,
        () => false,
      )
      return [window.ran === true, called]
    }, server.listed)
    assert.deepEqual([ran, called], [false, false])

    await page.goto(server.listed)
    await page.evaluate((docs) => {
      const frame = document.createElement('iframe')
      frame.src = docs
      document.body.append(frame)
      return new Promise((resolve) => frame.addEventListener('load', resolve))
    }, `${server.origin}/docs`)
    const [, frame] = page.frames()
    assert.equal(await frame.locator('h1').filter({ hasText: 'Pet adoption service' }).count(), 0)
  },

  async 'a reader can do everything by keyboard, and sees the focus'(context, server) {
    const { page } = await open(context, server)
    await page.keyboard.press('Tab')
    const focused = () =>
      page.evaluate(() => {
        const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement)
        const { top, width } = document.activeElement.getBoundingClientRect()
        const name = document.activeElement.id || document.activeElement.textContent
        return {
          name,
          seen: outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2 && top >= 0 && width > 0,
        }
      })
    assert.deepEqual(await focused(), { name: 'Skip to the operations', seen: true })
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    assert.deepEqual(await focused(), { name: 'key', seen: true })
    await page.keyboard.type(server.key)

    const names = []
    while (names.at(-1) !== 'getPet-petId') {
      await page.keyboard.press('Tab')
      const { name, seen } = await focused()
      assert.ok(seen, `${name} has the focus and does not show it`)
      names.push(name)
    }
    for (const id of [
      'show',
      'listPets-limit',
      'listPets-status',
      'listPets-after',
      'createPet-Idempotency-Key',
      'createPet-body',
      'Send',
    ]) {
      assert.ok(names.includes(id), id)
    }
    await page.keyboard.type('1')
    await page.keyboard.press('Enter')
    await page.locator('#getPet [data-part=response]').waitFor({ state: 'visible' })
  },

  async 'axe finds no problem of accessibility'(context, server) {
    await isAccessible(async () => {
      const { page } = await open(context, server)
      await responseOf(page, 'listPets')
      return page
    })
  },

  async 'the page fits a phone and a screen, in light and dark mode'(context, server) {
    for (const width of [320, 390, 1280]) {
      const opened = async () => {
        const { page } = await open(context, server)
        await page.setViewportSize({ width, height: 844 })
        return page
      }
      await fits(`docs-${width}`, server.screenshots, opened, async (page) => {
        await page.getByLabel('API key').fill(server.key)
        await responseOf(page, 'listPets')
        assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width)
      })
    }
  },
}
