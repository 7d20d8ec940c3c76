// Checks of the HTML report of the conformance suite, as a reader uses it: of a run with one failure and of one with many.
import assert from 'node:assert/strict'
import { judge, record } from '../../dist/conformance/index.js'
import { html } from '../../dist/conformance/report/html.js'
import { startServer } from '../server.mjs'
import { fits, isAccessible, open as openPage } from './page.mjs'

/** A page at this address is a secure context, which may write to the clipboard. */
const address = 'http://localhost/report'

/** A hostile body, which a page must show and not run. */
const hostile = '<img src=x onerror="document.title=1"><script>document.title=2</script>"\'&'

/** Changes every response of a transcript. */
function edited(transcript, edit) {
  const exchanges = transcript.exchanges.map((exchange) => {
    if (exchange.outcome.kind === 'error') return exchange
    return {
      ...exchange,
      outcome: { ...exchange.outcome, response: edit(exchange.outcome.response, exchange) },
    }
  })
  return { ...transcript, exchanges }
}

const withoutLimits = (headers) => headers.filter(([name]) => !name.startsWith('x-ratelimit-'))

/** Runs the suite against a server of its own, whose limits are unused. */
async function recorded() {
  const server = await startServer()
  try {
    return await record({ baseUrl: server.url, key: server.key, profile: 'create' })
  } finally {
    await server.stop()
  }
}

/** Returns pages of the same run with one failure and with many. */
async function makePages() {
  const transcript = await recorded()
  const one = judge(
    edited(transcript, (response, { id }) =>
      id === 'no-key-list' ? { ...response, status: 200 } : response,
    ),
  )
  const many = judge(
    edited(transcript, (response, { credential }) => ({
      ...response,
      status: response.status === 400 ? 422 : credential === 'key' ? response.status : 200,
      headers: withoutLimits(response.headers).map(([name, value]) => [
        name,
        name === 'content-type' ? 'text/plain' : value,
      ]),
      body: response.status >= 400 ? JSON.stringify({ error: hostile }) : response.body,
    })),
  )
  assert.equal(one.summary.fail, 1)
  assert.ok(many.summary.fail >= 30, `${many.summary.fail} failures`)
  return { one: html(one), many: html(many) }
}

let made
const reports = () => (made ??= makePages())

async function open(context, name, viewport) {
  const pages = await reports()
  await context.route(address, (route) => route.fulfill({ contentType: 'text/html', body: pages[name] }))
  return openPage(context, address, viewport)
}

export const reportChecks = {
  async 'a report runs nothing of a response, requests nothing, and breaks no rule of its policy'(context) {
    const { page, errors, requests } = await open(context, 'many')
    assert.deepEqual(errors, [])
    assert.deepEqual(
      requests.map((request) => request.url()).filter((url) => !url.endsWith('/favicon.ico')),
      [address],
    )
    assert.match(await page.title(), /^Conformance of http/)
    assert.equal(await page.locator('img').count(), 0)
    assert.ok((await page.locator('main').textContent()).includes('<img src=x onerror'))
  },

  async 'a reader filters the rules of a report by words and by verdict'(context) {
    const { page } = await open(context, 'many')
    const rows = page.locator('table.rules tbody tr:visible')
    const all = await rows.count()
    await page.getByLabel('Filter').fill('rate-1')
    const found = await rows.allTextContents()
    assert.ok(found.length > 0 && found.length < all)
    for (const row of found) assert.match(row, /RATE-1/)
    assert.equal(await page.locator('#filter-count').textContent(), `${found.length} of ${all} rules`)
    await page.getByLabel('Filter').fill('')
    await page.getByLabel('Verdict').selectOption('pass')
    for (const row of await rows.allTextContents()) assert.match(row, /✓ pass/)
    assert.equal(await page.locator('.card:visible[data-verdict]').count(), 0)
    await page.getByLabel('Verdict').selectOption('')
    assert.equal(await rows.count(), all)
  },

  async 'a reader copies a command of a report'(context) {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: new URL(address).origin })
    const { page } = await open(context, 'one')
    const button = page.getByRole('button', { name: 'Copy the command' }).first()
    await button.click()
    await page.getByText('Copied').waitFor()
    const copied = await page.evaluate('navigator.clipboard.readText()')
    assert.match(copied, /^curl -i 'http:\/\/.*\/v1\/pets'/)
    assert.equal(copied, await page.locator('.curl pre').first().textContent())
  },

  async 'a link of a report to an exchange unfolds it, and one to a cause leads to it'(context) {
    const { page } = await open(context, 'many')
    const link = page.locator('a[href^="#exchange-"]:visible').first()
    const exchange = page.locator(await link.getAttribute('href'))
    assert.equal(await exchange.isVisible(), false)
    await link.click()
    await exchange.waitFor({ state: 'visible' })
    await page.locator('.causes a').last().click()
    assert.match(page.url(), /#cause-\d+$/)
  },

  async 'without scripts a report has no filter, and everything else'(context) {
    const pages = await reports()
    const plain = await context.browser().newContext({ javaScriptEnabled: false })
    try {
      const page = await plain.newPage()
      await page.setContent(pages.many)
      assert.equal(await page.locator('.filter').isVisible(), false)
      assert.equal(await page.getByRole('button').count(), 0)
      assert.ok(await page.getByRole('heading', { name: /causes? behind \d+/ }).isVisible())
      assert.ok((await page.locator('.card:visible').count()) > 5)
    } finally {
      await plain.close()
    }
  },

  async 'axe finds no problem of accessibility in a report'(context) {
    for (const name of ['one', 'many']) await isAccessible(async () => (await open(context, name)).page)
  },

  async 'the summary of a report fits one screen, and the page a phone and a screen, in light and dark mode'(
    context,
    server,
  ) {
    const height = 900
    for (const name of ['one', 'many']) {
      for (const width of [320, 400, 1400]) {
        const what = `report-${name}-${width}`
        const opened = async () => (await open(context, name, { width, height })).page
        await fits(what, server.screenshots, opened, async (page) => {
          const [summary, scrolled] = await page.evaluate(`[
            document.querySelector('header').getBoundingClientRect().bottom,
            document.documentElement.scrollWidth,
          ]`)
          assert.ok(summary <= height, `${what}: the summary ends at ${summary}`)
          assert.ok(scrolled <= width, `${what} scrolls to ${scrolled}`)
        })
      }
    }
  },
}
