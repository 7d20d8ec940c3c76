import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { readKnownFailures } from './known-failures.ts'
import { file, folder } from './testing/program.ts'

const path = join(folder, 'known.json')

function read(text: string): ReturnType<typeof readKnownFailures> {
  return readKnownFailures(file('known.json', text), ['LIST-1', 'LIST-2'])
}

const good = { rule: 'LIST-1', reason: 'ticket 7' }

const malformed: readonly (readonly [what: string, content: unknown, place: string])[] = [
  ['an object', { rule: 'LIST-1' }, 'must be an array of { "rule", "reason", "until"? }'],
  ['an entry that is not an object', [good, 'LIST-2'], '[1] must be an object'],
  ['an entry without a rule', [{ reason: 'x' }], '[0].rule must be the id of a rule'],
  ['a rule that does not exist', [{ rule: 'LIST-99', reason: 'x' }], '[0].rule must be the id of a rule'],
  ['an entry without a reason', [{ rule: 'LIST-1' }], '[0].reason must be a text'],
  ['an empty reason', [{ rule: 'LIST-1', reason: ' ' }], '[0].reason must be a text'],
  ['an until that is not a date', [{ ...good, until: 'May' }], '[0].until must be an ISO date'],
  ['an until that is not a string', [{ ...good, until: 7 }], '[0].until must be an ISO date'],
  ['a misspelt member', [{ ...good, untill: '2027-01-31' }], '[0] has an unknown member "untill"'],
  ['a rule listed twice', [good, good], '[1].rule repeats [0].rule'],
]

describe('readKnownFailures', () => {
  it('known failures are read from a JSON array, which may be empty or begin with a byte order mark', () => {
    const entries = [good, { rule: 'LIST-2', reason: 'y', until: '2027-01-31' }]
    assert.deepEqual(read(JSON.stringify(entries)), entries)
    assert.deepEqual(read('\ufeff[]'), [])
  })

  for (const [what, content, place] of malformed) {
    it(`known failures with ${what} are rejected with the place`, () => {
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

  it('known failures that are not JSON are rejected with the position and without their text', () => {
    assert.throws(() => read('s3cret'), /are invalid: not JSON$/)
    assert.throws(() => read('[{"rule" 7}]'), /are invalid: not JSON at position \d+$/)
  })

  it('a file of known failures that cannot be read is rejected', () => {
    assert.throws(
      () => readKnownFailures(join(folder, 'none'), []),
      /^UsageError: cannot read the known failures .*ENOENT/,
    )
  })
})
