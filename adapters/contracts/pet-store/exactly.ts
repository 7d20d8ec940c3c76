import assert from 'node:assert/strict'
import { type NewPet, petStatuses } from '../../../core/index.ts'
import { fields, int64Max, int64Min, type StoreCase } from './cases.ts'

/** Names that some stores change, cut off or reject. All are well-formed Unicode without U+0000. */
export const names: Readonly<Record<string, string>> = {
  'of no characters': '',
  'of one space': ' ',
  'with spaces around it': '  Rex  ',
  'that looks like a number': '007',
  'that is the word null': 'null',
  'with quotes and backslashes': `"Rex" 'O\\'Neill' \\\\ \\u0041 \\x41`,
  'that looks like SQL': "Robert'); DROP TABLE pets;--",
  'with marks of formats and patterns': '%s $1 {} %_ ? :name @name',
  'with tabs and line breaks': 'a\tb\nc\r\nd\u0085e\u2028f\u2029g',
  'of control characters': '\u0001\u0002\u0007\b\u001b\u001f\u007f',
  'of every character to U+00FF': Array.from({ length: 0xff }, (_, i) => String.fromCharCode(i + 1)).join(''),
  'with a byte order mark': '\ufeffRex\ufeff',
  'of noncharacters': '\ufffe\uffff\u{10ffff}',
  'with a replacement character': 'R\ufffdx',
  'of astral characters': '🐕‍🦺𝕽𝖊𝖝𠮷',
  'with a flag and skin tones': '🏴󠁧󠁢󠁳󠁣󠁴󠁿👍🏽',
  'from right to left': 'رِكْس \u202ekcab\u202c שלום',
  'with invisible characters': 'R\u200be\u200dx\u00ad',
  'in composed form': 'Zoë Å',
  'in decomposed form': 'Zoe\u0308 A\u030a',
  'of stacked combining marks': `Z${'\u0301\u0316'.repeat(50)}`,
  'in upper case only': 'REX',
  'in lower case only': 'rex',
  'of 60,000 characters': 'Rex '.repeat(15_000),
  'of 60,000 bytes beyond ASCII': '🐕'.repeat(15_000),
}

const categories = [0n, -1n, 2n ** 31n, 2n ** 53n - 1n, 2n ** 53n + 1n, -(2n ** 53n) - 1n, int64Max, int64Min]
const rex = { name: 'Rex', categoryId: 1n }

/** What each animal has, and the animal. */
const exactly: readonly (readonly [string, NewPet])[] = [
  ['no status', rex],
  ...petStatuses.map((status) => [`the status ${status}`, { ...rex, status }] as const),
  ...categories.map((categoryId) => [`category ${categoryId}`, { ...rex, categoryId }] as const),
  ...Object.entries(names).map(([kind, name]) => [`a name ${kind}`, { ...rex, name }] as const),
]

/** Each animal must be stored as it was created. */
export const exactlyCase: StoreCase = {
  name: 'stores every name, category and status exactly',
  async run(store) {
    for (const [what, pet] of exactly) {
      const created = await store.create(pet)
      const expected = fields({ ...pet, id: created.id })
      assert.deepEqual(fields(created), expected, what)
      assert.deepEqual(fields(await store.get(created.id)), expected, what)
      assert.deepEqual((await store.list({ limit: 1, after: created.id - 1n })).map(fields), [expected], what)
    }
  },
}
