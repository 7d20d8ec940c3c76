// Tests the client of the built package in React, Next.js, Workers, Jest, Vitest with jsdom, and webpack 4. Exits with 1 and
// the reasons if anything fails.
import assert from 'node:assert/strict'
import { cpSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'
import { createPetClient } from '../../dist/adapters/client/index.js'
import { launchChromium, servePage } from '../browser/chromium.mjs'
import { check, root, run } from '../command.mjs'
import { install } from '../install.mjs'
import { pack } from '../pack.mjs'
import { startServer } from '../server.mjs'
import { startServing } from '../serving.mjs'

const here = new URL('.', import.meta.url)
const folder = fileURLToPath(here)
const require = createRequire(import.meta.url)
const node = (...args) => run(process.execPath, args, { cwd: folder, timeout: 120_000 })

const bundle = (entry) =>
  buildSync({
    absWorkingDir: folder,
    entryPoints: [entry],
    bundle: true,
    format: 'esm',
    jsx: 'automatic',
    write: false,
  }).outputFiles[0].text

const checks = {
  async 'Jest 29, fake timers'() {
    await testWithJest(29)
  },
  async 'Jest 30, fake timers'() {
    await testWithJest(30)
  },
  async 'Vitest with jsdom'() {
    await node('node_modules/vitest/vitest.mjs', 'run', '--environment', 'jsdom', 'jsdom')
  },
  async 'webpack 4'() {
    // The example is copied into the folder of an app, so that it finds the package
    cpSync(`${root}/adapters/examples/client/webpack-4.config.cjs`, `${folder}dist/webpack.config.cjs`)
    const configuration = require('./dist/webpack.config.cjs')
    const compiler = require('webpack-4')({
      mode: 'production',
      context: folder,
      entry: './webpack-entry.js',
      ...configuration,
      output: { ...configuration.output, path: `${folder}dist`, filename: 'webpack.cjs' },
    })
    await new Promise((resolve, reject) => {
      compiler.run((error, stats) => {
        const problem = error ?? (stats.hasErrors() && new Error(stats.toString('errors-only')))
        if (problem) reject(problem)
        else resolve()
      })
    })
    globalThis.respond = async () => new Response('{"id":1,"name":"Rex","categoryId":7}', { status: 201 })
    const created = new Promise((resolve) => {
      globalThis.done = resolve
    })
    require('./dist/webpack.cjs')
    assert.equal(await created, '{"id":1,"name":"Rex","categoryId":7}')
  },
  async 'Workers, one client for 60 requests at the same time, of which three get a 429'() {
    const runtimes = new URL('../runtimes/', import.meta.url)
    await install(runtimes)
    const serveWorker = fileURLToPath(new URL('serve-worker.mjs', runtimes))
    const command = [process.execPath, serveWorker, `${folder}worker.mjs`, '{port}']
    const { origin, end } = await startServing(command)
    try {
      const request = () => fetch(origin).then((response) => response.text())
      const texts = await Promise.all(Array.from({ length: 60 }, request))
      assert.deepEqual([...new Set(texts)], ['[{"id":9007199254740993,"name":"Rex","categoryId":7}]'])
    } finally {
      await end()
    }
  },
  async 'React in Chromium'({ url, key, page }) {
    const browser = await launchChromium()
    try {
      const tab = await browser.newPage()
      await tab.goto(page)
      await tab.addScriptTag({ content: bundle('react.jsx'), type: 'module' })
      await tab.evaluate((options) => globalThis.show(options), { baseUrl: url, apiKey: key })
      await tab.getByText('"name":"Rex"').waitFor({ timeout: 20_000 })
    } finally {
      await browser.close()
    }
  },
  async 'Next.js, a server component'({ url, key }) {
    const next = `${folder}node_modules/next/dist/bin/next`
    const env = { PET_ADOPTION_URL: url, PET_ADOPTION_API_KEY: key, NEXT_TELEMETRY_DISABLED: '1' }
    const cwd = `${folder}next`
    await run(process.execPath, [next, 'build'], { cwd, env, timeout: 300_000 })
    const flags = ['--hostname', '127.0.0.1', '--port', '{port}']
    const { origin, end } = await startServing([process.execPath, next, 'start', ...flags], { cwd, env })
    try {
      const pages = await Promise.all(Array.from({ length: 20 }, () => fetch(origin)))
      for (const page of pages) assert.match(await page.text(), /&quot;name&quot;:&quot;Rex&quot;/)
    } finally {
      await end()
      rmSync(`${cwd}/.next`, { recursive: true, force: true })
    }
  },
}

async function testWithJest(version) {
  const flags = ['--rootDir', '.', '--config', '{"transform":{}}', '--testMatch', '**/*.jest.mjs']
  await node('--experimental-vm-modules', `node_modules/jest-${version}/bin/jest.js`, ...flags)
}

await check('the check of the client', async (empty) => {
  await install(here)
  const installed = `${folder}node_modules/pet-adoption-service`
  rmSync(installed, { recursive: true, force: true })
  const { unpacked } = await pack(empty)
  cpSync(unpacked, installed, { recursive: true })
  const { origin: page, close } = await servePage()
  const { url, key, stop } = await startServer('--cors', page)
  try {
    await createPetClient({ baseUrl: url, apiKey: key }).create({ name: 'Rex', categoryId: 7 })
    for (const [title, task] of Object.entries(checks)) {
      await task({ url, key, page })
      console.log(`ok      ${title}`)
    }
  } finally {
    close()
    await stop()
  }
})
