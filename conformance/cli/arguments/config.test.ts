import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { base, file, folder, program } from '../testing/program.ts'

describe('cli --config', () => {
  it('a file has the base address and the flags by their names', async () => {
    const out = join(folder, 'of-config.json')
    const config = file('ci.json', {
      'base-url': base,
      only: ['LIST', 'GET-1'],
      skip: 'LIST-2',
      timeout: 5000,
      'max-requests': '40',
      format: ['tap', `json=${out}`],
      header: ['X-Team: $TEAM'],
      insecure: false,
      'allow-inconclusive': true,
    })
    const env = { PET_ADOPTION_API_KEY: 'a-key', TEAM: 'rex' }
    const { out: tap, requests } = await program(['--config', config], { env })
    assert.match(tap, /^TAP version 14/)
    const judged = JSON.parse(readFileSync(out, 'utf8')).rules.filter(
      (rule: { deselected?: string }) => rule.deselected === undefined,
    )
    assert.ok(judged.every(({ id }: { id: string }) => /^(LIST-(?!2$)|GET-1$)/.test(id)))
    assert.equal(requests[0]?.headers.get('x-team'), 'rex')
  })

  it('the command line overrides a file', async () => {
    const config = file('over.json', {
      'base-url': 'http://other.test/v1',
      profile: 'create',
      format: ['tap'],
      quiet: true,
    })
    const { out, requests, err } = await program([
      base,
      '--config',
      config,
      '--profile=read',
      '--format=json',
      '--verbose',
    ])
    assert.equal(JSON.parse(out).profile, 'read')
    assert.ok(requests.every(({ url, method }) => url.startsWith(base) && method === 'GET'))
    assert.match(err, /GET {2}\/pets /)
  })

  it('judge uses the flags of a file that it has, and checks the others', async () => {
    const transcript = join(folder, 'saved.json')
    await program([base, '--save-transcript', transcript])
    const config = file('both.json', { 'base-url': base, profile: 'read', format: 'tap', only: 'LIST' })
    assert.match((await program(['judge', transcript, '--config', config])).out, /^TAP version 14/)
    const wrong = file('wrong.json', { profil: 'read' })
    assert.equal((await program(['judge', transcript, '--config', wrong])).code, 2)
  })

  const misuse: readonly (readonly [what: string, content: unknown, message: RegExp])[] = [
    [
      'an unknown member',
      { profil: 'read' },
      /are invalid: \$\["profil"\] is no flag: did you mean profile\? --help lists all flags/,
    ],
    ['a key', { key: 's3cret' }, /\$\.key must not be there: .*set PET_ADOPTION_API_KEY/],
    [
      'a throttle key',
      { 'throttle-key': 's3cret' },
      /\$\.throttle-key must not be there: .*set PET_ADOPTION_THROTTLE_KEY/,
    ],
    ['another file of settings', { config: 'b.json' }, /\$\.config must not be there/],
    ['a command', { list: true }, /\$\.list must not be there/],
    ['a text for a flag without a value', { insecure: 's3cret' }, /\$\.insecure must be true or false/],
    [
      'an object in place of a value',
      { timeout: { s3cret: 1 } },
      /\$\.timeout must be a text that is not empty, or a number/,
    ],
    ['an array for a flag that is given once', { profile: ['read'] }, /\$\.profile must be a text/],
    [
      'an empty text in a list',
      { format: ['json', ''] },
      /\$\.format must be a text that is not empty, or an array of such texts/,
    ],
    ['a base address that is no text', { 'base-url': 7 }, /\$\.base-url must be a text/],
    ['an array', [1], /\$ must be an object of flags/],
    ['a text that is not JSON', '{"key": s3cret}', /are invalid: not JSON(?: at position \d+)?\n/],
    [
      'more than a megabyte',
      ' '.repeat(1024 * 1024 + 1),
      /cannot read the settings .* larger than 1048576 bytes/,
    ],
    ['a value that its flag rejects', { profile: 'write' }, /--profile must be one of read, create/],
  ]
  for (const [what, content, message] of misuse) {
    it(`a file with ${what} exits with 2 and one line, before anything is sent`, async () => {
      const { code, err, requests } = await program([base, '--config', file('misuse.json', content)])
      assert.match(err, /^pet-adoption-conformance: [^\n]+\n$/)
      assert.match(err, message)
      assert.doesNotMatch(err, /s3cret/)
      assert.deepEqual([code, requests.length], [2, 0])
    })
  }

  it('a file that is not there exits with 2', async () => {
    const { code, err } = await program([base, '--config=/none/ci.json'])
    assert.match(err, /cannot read the settings \/none\/ci\.json: ENOENT/)
    assert.equal(code, 2)
  })
})
