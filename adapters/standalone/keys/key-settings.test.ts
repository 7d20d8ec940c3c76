import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readCommandLine } from '../cli/command-line.ts'
import { readNewKey, readOverlap, readPlan, readSelection } from './key-settings.ts'

const now = Date.parse('2027-01-01T00:00:00Z')
const settingsOf = (line: string) => readCommandLine(line.split(' '), {}).settings

/** What each command reads of its flags. */
const read = {
  issue(flags: string) {
    const settings = settingsOf(`keys issue ${flags}`)
    return { ...readNewKey(settings, now), ...readPlan(settings) }
  },
  rotate: (flags: string) => readNewKey(settingsOf(`keys rotate ${flags}`), now),
  overlap: (value: string) => readOverlap(settingsOf(`keys rotate --overlap=${value}`)),
  revoke: (flags: string) => readSelection(settingsOf(`keys revoke ${flags}`)),
} as const

for (const [command, flags, expected] of [
  ['issue', '--id shelter --plan pro', { id: 'shelter', plan: 'pro' }],
  [
    'issue',
    '--id a --plan enterprise --minute 5 --day 50 --expires 2028-01-31 --label Berlin',
    {
      id: 'a',
      plan: 'enterprise',
      limits: { minute: 5, day: 50 },
      expiresAt: '2028-01-31T00:00:00.000Z',
      label: 'Berlin',
    },
  ],
  [
    'rotate',
    '--id a --expires 2028-01-31T12:00:00+01:00',
    { id: 'a', expiresAt: '2028-01-31T11:00:00.000Z' },
  ],
  ['overlap', '45s', 45_000],
  ['overlap', '30m', 1_800_000],
  ['overlap', '12h', 43_200_000],
  ['overlap', '3650d', 315_360_000_000],
  ['revoke', '--id shelter', { id: 'shelter' }],
  ['revoke', '--hash AB12cd34', { sha256: 'ab12cd34' }],
] as const)
  test(`${command} reads ${flags}`, () => {
    assert.deepEqual(read[command](flags), expected)
  })

const length = 'must be at most 200 characters long, without control characters'
const overlap = '--overlap must be a number of up to six digits and s, m, h or d, such as 7d'
for (const [command, flags, message] of [
  ['issue', '--plan pro', '--id is missing: give --id NAME, which names the caller of the key'],
  ['issue', '--id a', '--plan is missing: give free, pro, business or enterprise'],
  ['issue', '--id a --plan pro --day 5', '--day is for the plan enterprise only: leave it out'],
  ['issue', '--id a\u001b[2J --plan pro', `--id ${length}`],
  ['issue', `--id a --plan pro --label ${'x'.repeat(201)}`, `--label ${length}`],
  ['issue', '--id a --plan pro --expires 2027-01-01', '--expires must be in the future'],
  [
    'issue',
    '--id a --plan pro --expires tomorrow',
    /^--expires must be a date, or a time with its zone, such as /,
  ],
  ...['7', 'd', '7w', '1.5h', '-1d', '1000000s', '1e3s', '7D'].map(
    (value) => ['overlap', value, overlap] as const,
  ),
  ['revoke', '--json', 'keys revoke requires --id NAME or --hash PREFIX'],
  ['revoke', '--id a --hash b', '--id and --hash exclude each other: give one of them'],
  ...['xyz', '%', 'abcdef0', 'a'.repeat(65)].map(
    (hash) => ['revoke', `--hash ${hash}`, /^--hash must be at least eight hexadecimal digits/] as const,
  ),
] as const)
  test(`${command} rejects ${flags.slice(0, 50)} with what to give`, () => {
    assert.throws(() => read[command](flags), { name: 'UsageError', message })
  })
