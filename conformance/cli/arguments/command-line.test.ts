import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readCommandLine } from './command-line.ts'

const misuse: readonly (readonly [what: string, argv: readonly string[], message: RegExp])[] = [
  ['an unknown flag', ['--kye=s3cret'], /^unknown flag --kye: did you mean --key\? --help lists all flags$/],
  ['an unknown short flag', ['-x'], /^unknown flag -x: --help lists all flags$/],
  ['a flag given twice', ['--plan', 'free', '--plan=pro'], /^--plan is given twice: give it once$/],
  ['a value missing at the end', ['--key'], /^--key requires a value: --key KEY$/],
  ['an empty value', ['--key='], /^--key requires a value/],
  [
    'a flag where a value should be',
    ['--key', '--list'],
    /^--key requires a value: write --key=KEY if it begins with a dash$/,
  ],
  ['a value for a flag without one', ['--list=s3cret'], /^--list accepts no value: write it alone$/],
]

describe('the command line', () => {
  it('a value follows its flag after an equals sign or a space', () => {
    const joined = readCommandLine(['http://x/v1', '--key=abc', '--dry-run'])
    assert.deepEqual(joined, readCommandLine(['--key', 'abc', '--dry-run', 'http://x/v1']))
    assert.deepEqual(joined.positionals, ['http://x/v1'])
    assert.deepEqual({ ...joined.values }, { key: 'abc', 'dry-run': '' })
  })

  it('a value after an equals sign may begin with a dash', () => {
    assert.equal(readCommandLine(['--category-id=-7']).values['category-id'], '-7')
  })

  it('no argument after -- is a flag', () => {
    assert.deepEqual(readCommandLine(['judge', '--', '--odd.json']).positionals, ['judge', '--odd.json'])
  })

  for (const [what, argv, message] of misuse) {
    it(`a command line with ${what} is rejected, and its message contains no value`, () => {
      assert.throws(
        () => readCommandLine(argv),
        (error: unknown) => {
          assert.ok(error instanceof Error && error.name === 'UsageError')
          assert.match(error.message, message)
          assert.doesNotMatch(error.message, /s3cret/)
          return true
        },
      )
    })
  }

  it('the property names of every object are unknown flags', () => {
    assert.throws(() => readCommandLine(['--constructor']), /unknown flag --constructor/)
    assert.throws(() => readCommandLine(['--__proto__=x']), /unknown flag --__proto__/)
  })
})
