import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readCommandLine } from '../cli/command-line.ts'
import type { Settings } from '../cli/settings.ts'
import { readIssue, readNewKey, readOverlap, readSelection } from './key-settings.ts'

const now = Date.parse('2027-01-01T00:00:00Z')

const settingsOf = (line: string): Settings => readCommandLine(line.split(' '), {}).settings

test('a new key has an id, a plan, and whatever else is given', () => {
  const read = (flags: string) => readIssue(settingsOf(`keys issue ${flags}`), now)
  assert.deepEqual(read('--id shelter --plan pro'), { id: 'shelter', plan: 'pro' })
  const flags = '--id a --plan enterprise --minute 5 --day 50 --expires 2028-01-31 --label Berlin'
  assert.deepEqual(read(flags), {
    id: 'a',
    plan: 'enterprise',
    limits: { minute: 5, day: 50 },
    expiresAt: '2028-01-31T00:00:00.000Z',
    label: 'Berlin',
  })
})

for (const [flags, message] of [
  ['--plan pro', '--id is missing: give --id NAME, which names the caller of the key'],
  ['--id a', '--plan is missing: give free, pro, business or enterprise'],
  ['--id a --plan pro --day 5', '--day is for the plan enterprise only: leave it out'],
  ['--id a\u001b[2J --plan pro', '--id must be at most 200 characters long, without control characters'],
  [
    `--id a --plan pro --label ${'x'.repeat(201)}`,
    '--label must be at most 200 characters long, without control characters',
  ],
  ['--id a --plan pro --expires 2027-01-01', '--expires must be in the future'],
  [
    '--id a --plan pro --expires tomorrow',
    '--expires must be a date, or a time with its zone, such as 2028-01-31 or 2028-01-31T12:00:00Z',
  ],
] as const) {
  test(`a new key is rejected with what to give: ${flags.slice(0, 40)}`, () => {
    const settings = settingsOf(`keys issue ${flags}`)
    assert.throws(() => readIssue(settings, now), { name: 'UsageError', message })
  })
}

test('a rotation has an id and an expiry of its own', () => {
  const settings = settingsOf('keys rotate --id a --expires 2028-01-31T12:00:00+01:00')
  assert.deepEqual(readNewKey(settings, now), { id: 'a', expiresAt: '2028-01-31T11:00:00.000Z' })
})

test('an overlap is a number of seconds, minutes, hours or days', () => {
  const read = (value: string) => readOverlap(settingsOf(`keys rotate --id a --overlap ${value}`))
  assert.deepEqual(
    ['45s', '30m', '12h', '7d', '0s', '3650d'].map(read),
    [45_000, 1_800_000, 43_200_000, 604_800_000, 0, 315_360_000_000],
  )
  assert.equal(readOverlap(settingsOf('keys rotate --id a')), undefined)
  for (const value of ['7', 'd', '7 d', '7w', '1.5h', '-1d', '3651d', '1e3s', '7D'])
    assert.throws(() => readOverlap({ overlap: { value, source: '--overlap' } }), {
      name: 'UsageError',
      message: '--overlap must be a number and s, m, h or d, such as 7d, and at most 3650d',
    })
})

test('a revocation has an id or the beginning of a hash', () => {
  const read = (flags: string) => readSelection(settingsOf(`keys revoke ${flags}`))
  assert.deepEqual(read('--id shelter'), { id: 'shelter' })
  assert.deepEqual(read('--hash AB12cd34'), { sha256: 'ab12cd34' })
  assert.throws(() => read('--json'), /keys revoke requires --id NAME or --hash PREFIX/)
  assert.throws(() => read('--id a --hash b'), /--id and --hash exclude each other/)
  for (const hash of ['xyz', '%', 'abcdef0', `${'a'.repeat(65)}`])
    assert.throws(() => read(`--hash ${hash}`), /--hash must be at least eight hexadecimal digits/)
})
