import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { lacks } from '../../adapters/testing/machine.ts'
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

  it('judge writes several formats, too', async () => {
    const transcript = join(folder, 'd.json')
    await program([base, '--save-transcript', transcript])
    const path = join(folder, 'd.md')
    const { out, requests } = await program([
      'judge',
      transcript,
      '--format=json',
      `--format=markdown=${path}`,
    ])
    assert.equal(JSON.parse(out).target.baseUrl, base)
    assert.match(read(path), /^# Pet adoption service/)
    assert.equal(requests.length, 0)
  })

  const misuse: readonly (readonly [what: string, flags: readonly string[], message: RegExp])[] = [
    [
      'two formats for stdout',
      ['--format=json', '--format=tap'],
      /--format is given twice without a file: write --format tap=FILE/,
    ],
    ['a format with an empty file', ['--format=json='], /--format json= requires a file: --format json=FILE/],
    [
      '--out and a file for each format',
      ['--format=json=/none/a', '--out=/none/b'],
      /--out has nothing to write: each --format names its file/,
    ],
    [
      'one file for two formats',
      ['--format=json=/none/a', '--format=tap=/none/../none/a'],
      /the json report and the tap report would both be written to/,
    ],
    [
      'one file for report and transcript',
      ['--out=/none/a', '--save-transcript=/none/a'],
      /the pretty report and the transcript would both be written/,
    ],
    [
      'a second file that cannot be written',
      [`--format=json=${join(folder, 'new.json')}`, '--format=tap=/none/x'],
      /cannot write the tap report \/none\/x: ENOENT/,
    ],
    ['a folder in place of a file', [`--format=json=${folder}`], /cannot write the json report .*EISDIR/],
  ]
  for (const [what, flags, message] of misuse) {
    it(`${what} exits with 2 and one line, before anything is sent`, async () => {
      const { code, out, err, requests } = await program([base, ...flags])
      assert.match(err, /^pet-adoption-conformance: [^\n]+\n$/)
      assert.match(err, message)
      assert.deepEqual({ code, out, sent: requests.length }, { code: 2, out: '', sent: 0 })
      assert.ok(!existsSync(join(folder, 'new.json')))
    })
  }
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

  it('a run cannot be both quiet and verbose', async () => {
    const { code, err } = await program([base, '--quiet', '--verbose'])
    assert.match(err, /--quiet and --verbose contradict each other: give one of them/)
    assert.equal(code, 2)
  })
})

describe('cli --list', () => {
  it('the list of rules is JSON with --format json', async () => {
    const { code, out } = await program(['--list', '--format', 'json'], { env: {} })
    const [first] = JSON.parse(out)
    assert.deepEqual(Object.keys(first).sort(), ['id', 'level', 'profile', 'section', 'statement', 'title'])
    assert.equal(code, 0)
  })

  it('the list of rules has no other format', async () => {
    const { code, err } = await program(['--list', '--format', 'html'], { env: {} })
    assert.match(err, /--format must be one of pretty, json/)
    assert.equal(code, 2)
  })
})
