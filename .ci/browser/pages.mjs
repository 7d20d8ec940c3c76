// What readers do on the documentation page and in an HTML report.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { inFolder, root, run } from '../command.mjs'
import { startServer } from '../server.mjs'
import { serve } from './chromium.mjs'

/** Opens a page and collects its errors and requests. */
async function open(context, address) {
  const page = await context.newPage()
  const [errors, requests] = [[], []]
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
  page.on('pageerror', (error) => errors.push(error.message))
  page.on('request', (request) => requests.push(request))
  await page.goto(address)
  return { page, errors, requests }
}

/** Checks with axe-core in both color schemes, and that no width needs horizontal scrolling. */
async function assertReadable(page) {
  const { default: axe } = await import('axe-core')
  await page.evaluate(axe.source) // page.evaluate may run what the page's content security policy forbids
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme })
    const { violations } = await page.evaluate('axe.run()')
    const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
    assert.deepEqual(found, [])
    for (const width of [320, 1280]) {
      await page.setViewportSize({ width, height: 844 })
      assert.ok((await page.evaluate('document.documentElement.scrollWidth')) <= width, `${width} px`)
    }
  }
}

async function sendForm(page, operation) {
  const form = page.locator(`#${operation} form`)
  await form.getByRole('button', { name: 'Send' }).click()
  await form.locator('[data-part=response]').waitFor({ state: 'visible' })
  const part = (name) => form.locator(`[data-part=${name}]`).textContent()
  return { outcome: await part('status-line'), body: await part('body'), curl: await part('curl') }
}

/** Text that harms a page or a shell that does not escape it. */
const hostile = `O'Malley $HOME \`x\` <img src=x onerror="document.title=1">`
const int64 = '9007199254740993'

export const pageChecks = {
  async 'readers send every request from the page and repeat it with curl'(context, server) {
    const { page, errors, requests } = await open(context, `${server.origin}/docs`)
    assert.match((await sendForm(page, 'listPets')).outcome, /^401 Unauthorized in \d+ ms, without a key$/)
    await page.getByLabel('API key').fill(server.key)
    const typed = `{ "name": ${JSON.stringify(hostile)},\n  "categoryId": ${int64} }`
    await page.getByLabel('JSON body, sent as typed').fill(typed)
    const added = await sendForm(page, 'createPet')
    assert.match(added.outcome, /^201 Created in \d+ ms$/)
    assert.equal(requests.at(-1).postData(), typed)
    assert.match(added.body, new RegExp(`"categoryId": ?${int64}`))
    assert.equal(await page.locator('[data-part=body] *').count(), 0, 'the response must be shown as text')
    const { id, name } = JSON.parse(added.body)
    assert.equal(name, hostile)
    await page.locator('#getPet').getByLabel('petId').fill(String(id))
    assert.equal((await sendForm(page, 'getPet')).body, added.body)
    await page.locator('#listPets').getByLabel('status').selectOption('available')
    await page
      .locator('#listPets')
      .getByLabel('after')
      .fill(String(id - 1))
    assert.equal((await sendForm(page, 'listPets')).body, `[\n${added.body.replaceAll(/^/gm, '  ')}\n]`)

    assert.doesNotMatch(added.curl, new RegExp(server.key))
    const env = { ...process.env, PET_ADOPTION_API_KEY: server.key }
    const curl = added.curl.replace(/^curl/, 'curl -s')
    const { stdout } = spawnSync('sh', ['-c', curl], { env, encoding: 'utf8', timeout: 10_000 })
    assert.equal(JSON.parse(stdout).name, hostile)

    const own = (request) => new URL(request.url()).origin === server.origin
    assert.ok(requests.every(own), 'the page must send no requests to other origins')
    assert.deepEqual(
      errors.filter((error) => !/status of 401/.test(error)),
      [],
      'the page must not violate its content security policy',
    )
    assert.doesNotMatch(await page.content(), new RegExp(server.key))
    assert.deepEqual(await context.storageState({ indexedDB: true }), { cookies: [], origins: [] })
  },

  async 'readers reach everything by keyboard with a visible focus'(context, server) {
    const { page } = await open(context, `${server.origin}/docs`)
    const focused = () =>
      page.evaluate(() => {
        const { outlineStyle } = getComputedStyle(document.activeElement)
        return { name: document.activeElement.id || document.activeElement.textContent, outlineStyle }
      })
    for (let name = ''; name !== 'getPet-petId'; ) {
      await page.keyboard.press('Tab')
      const focus = await focused()
      name = focus.name
      assert.notEqual(focus.outlineStyle, 'none', `${name} does not show that it has the focus`)
      if (name === 'key') await page.keyboard.type(server.key)
    }
    await page.keyboard.type('1')
    await page.keyboard.press('Enter')
    await page.locator('#getPet [data-part=response]').waitFor({ state: 'visible' })
  },

  async 'the documentation page is accessible and fits every screen'(context, server) {
    const { page } = await open(context, `${server.origin}/docs`)
    await sendForm(page, 'listPets')
    await assertReadable(page)
  },

  async 'a report with many failures escapes text, filters and unfolds rules'(context) {
    const body = await inFolder(createReport)
    await context.route('http://localhost/', (route) => route.fulfill({ contentType: 'text/html', body }))
    const { page, errors, requests } = await open(context, 'http://localhost/')
    assert.deepEqual(errors, [])
    assert.ok(requests.every((request) => /localhost\/(?:favicon.ico)?$/.test(request.url())))
    assert.ok((await page.locator('main').textContent()).includes('<img src=x onerror'))
    const rows = page.locator('.rules details.card:visible')
    const all = await rows.count()
    await page.getByLabel('Filter').fill('rate-1')
    assert.ok((await rows.count()) > 0 && (await rows.count()) < all)
    await page.getByLabel('Filter').fill('')
    await page.getByLabel('Verdict').selectOption('pass')
    for (const row of await rows.allTextContents()) assert.match(row, /✓ pass/)
    await page.getByLabel('Verdict').selectOption('')
    await rows.first().locator('summary').first().click() // unfolds a rule's card
    const link = page.locator('a[href^="#exchanges-"]:visible').first()
    const exchange = page.locator(await link.getAttribute('href'))
    assert.equal(await exchange.isVisible(), false)
    await link.click()
    await exchange.waitFor({ state: 'visible' })
    await assertReadable(page)
  },
}

/** Returns the HTML report about a server behind a proxy that changes each error response. */
async function createReport(folder) {
  const server = await startServer()
  const proxy = await serve(async (req, res) => {
    const { authorization = '' } = req.headers
    const body = req.method === 'POST' ? await text(req) : undefined
    const response = await fetch(server.origin + req.url, {
      method: req.method,
      headers: { authorization },
      body,
    })
    const { status } = response
    const changed = status >= 400 ? JSON.stringify({ error: hostile }) : await response.text()
    res.writeHead(status === 400 ? 422 : status, { 'Content-Type': 'text/plain' }).end(changed)
  })
  try {
    const file = join(folder, 'report.html')
    const suite = join(root, 'dist/conformance/main.js')
    const args = [suite, `${proxy.origin}/v1`, '--profile', 'create', '--format', `html=${file}`]
    // The suite exits with 1, because the server breaks rules.
    await run(process.execPath, args, { env: { PET_ADOPTION_API_KEY: server.key } }).catch(() => {})
    return readFileSync(file, 'utf8')
  } finally {
    proxy.close()
    await server.stop()
  }
}
