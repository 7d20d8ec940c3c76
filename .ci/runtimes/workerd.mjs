// Runs the suites inside workerd, and the conformance suite from outside against the service there.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Miniflare } from 'miniflare'
import { runSuite } from './runner.mjs'
import { conformanceSuite } from './suites/conformance.mjs'

const manifest = new URL('../node_modules/workerd/package.json', import.meta.url)
const runtime = `workerd ${JSON.parse(readFileSync(manifest, 'utf8')).version}`
const worker = new Miniflare({
  modules: true,
  scriptPath: fileURLToPath(new URL('worker.mjs', import.meta.url)),
  compatibilityDate: '2026-07-01',
  compatibilityFlags: ['nodejs_compat'], // for node:assert and Buffer of the suites; the package itself does not need it
  host: '127.0.0.1',
  port: 0,
})
try {
  const { origin } = await worker.ready
  const outcomes = await (await fetch(origin)).json()
  const conformance = await runSuite((runner) => conformanceSuite(`${origin}/v1`, runner))
  for (const outcome of [...outcomes, { suite: 'conformance', ...conformance }])
    console.log(JSON.stringify({ runtime, ...outcome }))
} finally {
  await worker.dispose()
}
