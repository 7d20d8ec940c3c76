import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { readKnownFailures } from './known-failures.ts'

const folder = mkdtempSync(join(tmpdir(), 'known-failures-'))
const path = join(folder, 'known.json')

function read(text: string): ReturnType<typeof readKnownFailures> {
  writeFileSync(path, text)
  return readKnownFailures(path, ['LIST-1', 'LIST-2'])
}

const good = { rule: 'LIST-1', reason: 'ticket 7' }

const malformed: readonly (readonly [what: string, content: unknown, place: string])[] = [
  ['an object', { rule: 'LIST-1' }, 'must be an array of { "rule", "reason", "until"? }'],
  ['an entry that is no object', [good, 'LIST-2'], '[1] must be an object'],
  ['an entry without a rule', [{ reason: 'x' }], '[0].rule must be the id of a rule'],
  ['a rule that does not exist', [{ rule: 'LIST-99', reason: 'x' }], '[0].rule must be the id of a rule'],
  ['an entry without a reason', [{ rule: 'LIST-1' }], '[0].reason must be a text'],
  ['an empty reason', [{ rule: 'LIST-1', reason: ' ' }], '[0].reason must be a text'],
  ['a date that is none', [{ ...good, until: 'May' }], '[0].until must be an ISO date'],
  ['a date that is no string', [{ ...good, until: 7 }], '[0].until must be an ISO date'],
  ['a misspelt member', [{ ...good, untill: '2027-01-31' }], '[0] has an unknown member "untill"'],
  ['a rule listed twice', [good, good], '[1].rule repeats [0].rule'],
]

describe('the known failures', () => {
  after(() => rmSync(folder, { recursive: true }))

  it('are read from a JSON array, also an empty one or one with a byte order mark', () => {
    const entries = [good, { rule: 'LIST-2', reason: 'y', until: '2027-01-31' }]
    assert.deepEqual(read(JSON.stringify(entries)), entries)
    assert.deepEqual(read('\ufeff[]'), [])
  })

  for (const [what, content, place] of malformed) {
    it(`are rejected with ${what}, which the message places`, () => {
      assert.throws(
        () => read(JSON.stringify(content)),
        (error: unknown) => {
          assert.ok(error instanceof Error && error.name === 'UsageError')
          assert.ok(
            error.message.startsWith(`the known failures in ${path} are invalid: ${place}`),
            error.message,
          )
          return true
        },
      )
    })
  }

  it('are rejected if they are not JSON, with the position and without their text', () => {
    assert.throws(() => read('s3cret'), /are invalid: not JSON$/)
    assert.throws(() => read('[{"rule" 7}]'), /are invalid: not JSON at position \d+$/)
  })

  it('must be readable', () => {
    assert.throws(
      () => readKnownFailures(join(folder, 'none'), []),
      /^UsageError: cannot read the known failures .*ENOENT/,
    )
  })
})
