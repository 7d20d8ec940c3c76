import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { createDeployment, type Handler } from '../sabotage/deployment.ts'
import { createClock, mainKey } from '../sabotage/world.ts'
import { base, folder, keys, program } from './testing/program.ts'

/** The reference deployment, with `text/html` as the type of what one host returns. */
function worseAt(host: string): Handler {
  const reference = createDeployment(createClock('2026-11-20T12:00:05Z'))
  return async (request) => {
    const response = await reference(request)
    if (new URL(request.url).host !== host) return response
    const headers = new Headers(response.headers)
    headers.set('content-type', 'text/html')
    return new Response(response.body, { status: response.status, headers })
  }
}

const host = new URL(base).host
const other = 'http://production.test/v1'

describe('cli compare', () => {
  it('two transcripts, two reports, or one of each are compared, and a regression exits with 1', async () => {
    const names = ['a.json', 'b.json', 'a-report.json', 'b-report.json'].map((name) => join(folder, name))
    const [a = '', b = '', aReport = '', bReport = ''] = names
    await program([base, '--save-transcript', a, `--format=json=${aReport}`])
    await program([base, '--save-transcript', b, `--format=json=${bReport}`], { handler: worseAt(host) })
    for (const [baseline, current] of [
      [a, b],
      [aReport, bReport],
      [a, bReport],
      [aReport, b],
    ] as const) {
      const { code, out, requests } = await program(['compare', baseline, current], { env: {} })
      assert.match(out, /Got worse\n(?:.*\n)* {2}✗ LIST-2 /)
      assert.match(
        out,
        /\d+ rules got worse: [A-Z0-9, -]*LIST-2[A-Z0-9, -]*\nexit code 1: fix what got worse\n$/,
      )
      assert.deepEqual([code, requests.length], [1, 0])
      assert.equal((await program(['compare', current, baseline])).code, 0)
      assert.equal((await program(['compare', baseline, baseline])).code, 0)
    }
  })

  it('a comparison is written in several formats', async () => {
    const path = join(folder, 'a.json')
    await program([base, '--save-transcript', path])
    const out = join(folder, 'comparison.md')
    const { out: json } = await program(['compare', path, path, '--format=json', `--format=markdown=${out}`])
    assert.deepEqual(JSON.parse(json).regressions, [])
    assert.match(readFileSync(out, 'utf8'), /^# Pet adoption service: comparison/)
    const quiet = await program(['compare', path, path, '--format', `markdown=${out}`])
    assert.match(quiet.out, /^None of \d+ rules got worse\nexit code 0\n$/)
  })
})

describe('cli --against', () => {
  const env = { ...keys, PET_ADOPTION_AGAINST_KEY: mainKey }

  it('a deployment that is no worse than the baseline exits with 0, although it is broken', async () => {
    const handler: Handler = async () => new Response('{}', { headers: { 'content-type': 'text/html' } })
    assert.equal((await program([base], { handler })).code, 1)
    const { code, out } = await program([base, '--against', other], { handler, env })
    assert.match(
      out,
      /\nbaseline {2}http:\/\/production\.test\/v1, [\s\S]*\nNone of \d+ rules got worse\nexit code 0\n$/,
    )
    assert.equal(code, 0)
  })

  it('a deployment that is worse than the baseline exits with 1, and the HTML report has the difference', async () => {
    const path = join(folder, 'against.html')
    const argv = [base, '--against', other, '--format', 'json', '--format', `html=${path}`]
    const { code, out, err } = await program(argv, { handler: worseAt(host), env })
    assert.equal(JSON.parse(out).target.baseUrl, base)
    assert.match(err, /Got worse\n[\s\S]*LIST-2/)
    assert.match(readFileSync(path, 'utf8'), /Changes since the run before/)
    assert.equal(code, 1)
    assert.equal(
      (await program([base, '--against', other], { handler: worseAt('production.test'), env })).code,
      0,
    )
  })

  it('the baseline has a key of its own, or else the same, and neither is printed', async () => {
    const scenes = [
      [{ ...keys, PET_ADOPTION_AGAINST_KEY: 'the-key-of-production' }, 'the-key-of-production'],
      [keys, mainKey],
    ] as const
    for (const [env, key] of scenes) {
      const { requests, out, err } = await program([base, '--against', other, '--verbose'], { env })
      const first = requests.find(({ url }) => url.startsWith(other))
      assert.equal(first?.headers.get('authorization'), `Bearer ${key}`)
      assert.ok(!(out + err).includes(mainKey) && !(out + err).includes('the-key-of-production'))
    }
  })

  it('a run that creates announces what it does to both deployments', async () => {
    const { err } = await program([base, '--against', other, '--profile=create'], { env })
    assert.match(
      err,
      /Profile create against http:\/\/reference\.test\/v1:[\s\S]*Profile create against http:\/\/production\.test\/v1:/,
    )
  })

  it('an interrupt of the first run leaves out the second one', async () => {
    const { code, requests } = await program([base, '--against', other], { env, interruptAt: 4 })
    assert.equal(code, 130)
    assert.ok(requests.every(({ url }) => url.startsWith(base)))
  })
})
