import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { judge } from '../judge/judge.ts'
import { allPages, each, found, headers, recorded } from '../testing/recorded.ts'

const pets = (count: number, id: (n: number) => string): string =>
  `[${Array.from({ length: count }, (_, n) => `{"id":${id(n)},"name":"a","categoryId":1}`).join()}]`

describe('a large transcript', () => {
  it('is judged with pages of 20,000 animals with different problems', () => {
    const script = each(allPages, { body: pets(20_000, (n) => `"${n}"`) })
    assert.equal(found('LIST-4', 'read', script).outcome, 'broken')
    assert.match(found('LIST-6', 'read', script).reason, /has 20000 animals/)
  })

  it('shows a repeated id and missing animals among 20,000', () => {
    const twice = { list: { body: pets(20_000, (n) => String(n === 19_999 ? 7 : n)) } }
    assert.match(found('LIST-18', 'read', twice).reason, /the id 7 more than once/)
    const { rules } = judge(recorded('read', each(allPages, { body: pets(20_000, String) })))
    assert.ok(rules.every(({ exchanges }) => exchanges.length <= allPages.length + 40))
  })

  it('is read with a Link that begins a thousand relations and ends none', () => {
    const link = `</x>; rel="${'next '.repeat(3000)}`
    assert.equal(found('LIST-7', 'read', { list: { headers: headers({ link }) } }).outcome, 'holds')
  })

  it('is quoted only with the beginning of a long value', () => {
    const type = `text/${'x'.repeat(60_000)}`
    const { reason, got } = found('LIST-2', 'read', { list: { headers: headers({ 'content-type': type }) } })
    assert.ok(reason.length <= 400 && (got?.length ?? 0) <= 400)
  })
})
