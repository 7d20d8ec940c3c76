import assert from 'node:assert/strict'
import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { lacks } from '../../adapters/testing/machine.ts'
import { appendText, writeText } from './files.ts'
import { usesColor } from './process-context.ts'
import { base, file, folder, keys, program } from './testing/program.ts'

const failing = (): Response => Response.json([], { headers: { 'content-type': 'text/html' } })
const read = (path: string): string => readFileSync(path, 'utf8')

describe('cli --format', () => {
  it('one run writes a report in each format to its file, readable by its owner only', {
    skip: lacks.modes,
  }, async () => {
    const [junit, html, json] = ['a.xml', 'a.html', 'a.json'].map((name) => join(folder, name))
    const formats = [`junit=${junit}`, `html=${html}`, `json=${json}`].flatMap((text) => ['--format', text])
    const { code, out, requests } = await program([base, '--only=LIST', ...formats])
    assert.match(read(junit ?? ''), /^<\?xml/)
    assert.match(read(html ?? ''), /^<!doctype html>/)
    assert.equal(JSON.parse(read(json ?? '')).target.baseUrl, base)
    assert.equal(statSync(junit ?? '').mode & 0o777, 0o600)
    assert.match(out, /^\d+ passed[\s\S]*Every requirement that was judged holds\nexit code 0\n$/)
    assert.ok(requests.length < 41)
    assert.equal(code, 0)
  })

  it('the format without a file goes to stdout, or to the file of --out', async () => {
    const path = join(folder, 'b.xml')
    const tap = await program([base, '--format=tap', `--format=junit=${path}`])
    assert.match(tap.out, /^TAP version 14\n/)
    const out = join(folder, 'b.tap')
    await program([base, '--format=tap', `--format=junit=${path}`, '--out', out])
    assert.match(read(out), /^TAP version 14\n/)
    assert.match(read(path), /^<\?xml/)
  })

  it('a file is replaced as a whole, and no other file is left', async () => {
    const path = file('c.json', 'an old report')
    const before = readdirSync(folder).length
    await program([base, '--format', `json=${path}`])
    assert.ok(JSON.parse(read(path)).rules.length > 0)
    assert.equal(readdirSync(folder).length, before)
  })
})

describe('cli --quiet and --verbose', () => {
  it('a quiet run that holds prints its outcome alone', async () => {
    assert.deepEqual(
      await program([base, '--quiet'], { isTTY: true, env: { ...keys, NO_COLOR: '1' } }).then(
        ({ out, err }) => [out, err],
      ),
      ['Every requirement that was judged holds\nexit code 0\n', ''],
    )
  })

  it('a quiet run that fails prints each failure and its outcome', async () => {
    const { out, err } = await program([base, '--quiet', '--profile=create'], { handler: failing })
    assert.match(out, /✗ LIST-2 /)
    assert.doesNotMatch(out, /^ +[!✓?] /m)
    assert.match(out, /causes? behind \d+ failures: [^\n]+\nexit code 1: [^\n]+\n$/)
    assert.equal(err, '')
  })

  it('a quiet run without a report on stdout prints its outcome there', async () => {
    const { out } = await program([base, '--quiet', '--format', `json=${join(folder, 'q.json')}`])
    assert.equal(out, 'Every requirement that was judged holds\nexit code 0\n')
  })

  it('a verbose run writes a line for each exchange, without keys', async () => {
    const { err, out, requests } = await program([base, '--verbose', '--profile=all'])
    const lines = err.split('\n').filter((line) => /^ +\d+\.\d\d {2}(GET|POST) /.test(line))
    assert.equal(lines.length, requests.length)
    assert.match(
      lines[1] ?? '',
      /^ +0\.\d\d {2}GET {2}\/pets\?limit=100 +200, \d+ characters, [\d.]+ ms {2}\[list-100, the key\]$/,
    )
    assert.ok(!err.includes(keys.PET_ADOPTION_API_KEY) && !err.includes(keys.PET_ADOPTION_THROTTLE_KEY))
    assert.match(out, /^http/)
  })
})

describe('cli --list', () => {
  it('the list of rules is JSON with --format json', async () => {
    const { code, out } = await program(['--list', '--format', 'json'], { env: {} })
    const [first] = JSON.parse(out)
    assert.deepEqual(Object.keys(first).sort(), ['id', 'level', 'profile', 'section', 'statement', 'title'])
    assert.equal(code, 0)
  })
})

const modeOf = (path: string): number => statSync(path).mode & 0o777

for (const [name, write] of Object.entries({ writeText, appendText })) {
  it(`a file that ${name} creates can be read by its owner only`, { skip: lacks.modes }, () => {
    const path = join(folder, name)
    write('report', path, 'text')
    assert.equal(modeOf(path), 0o600)
  })

  it(`a file that exists before ${name} retains its mode`, { skip: lacks.modes }, () => {
    const path = join(folder, `${name}-there`)
    writeFileSync(path, '')
    chmodSync(path, 0o644)
    write('report', path, 'text')
    assert.equal(modeOf(path), 0o644)
  })
}

const cases: readonly (readonly [
  when: string,
  env: Record<string, string>,
  isTTY: boolean | undefined,
  expected: boolean,
])[] = [
  ['on a terminal', {}, true, true],
  ['to a pipe', {}, undefined, false],
  ['on a dumb terminal', { TERM: 'dumb' }, true, false],
  ['on a terminal with NO_COLOR', { NO_COLOR: '1' }, true, false],
  ['on a terminal with an empty NO_COLOR', { NO_COLOR: '' }, true, true],
  ['to a pipe with FORCE_COLOR', { FORCE_COLOR: '1' }, false, true],
  ['on a terminal with FORCE_COLOR=0', { FORCE_COLOR: '0' }, true, false],
  ['to a pipe with FORCE_COLOR and NO_COLOR', { FORCE_COLOR: '1', NO_COLOR: '1' }, false, true],
]

describe('usesColor', () => {
  for (const [when, env, isTTY, expected] of cases) {
    it(`output ${expected ? 'has' : 'has no'} colour ${when}`, () =>
      assert.equal(usesColor(env, { isTTY }), expected))
  }
})
