import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sections } from './sections.ts'
import { sample, sampleRule, sampleWith } from './testing/sample.ts'

describe('sections', () => {
  it("the sections of a report have the spec's order, and the rules the order of the report", () => {
    const names = sections(sample).map(({ name, rules }) => [name, ...rules.map(({ id }) => id)])
    assert.deepEqual(names, [
      ['4.1 List animals: GET /pets', 'LIST-10', 'LIST-4', 'LIST-1', 'LIST-12'],
      ['4.2 Add an animal: POST /pets', 'CREATE-1', 'CREATE-2'],
      ['4.3 Get an animal: GET /pets/{petId}', 'GET-7'],
      ['5 Authentication', 'AUTH-10'],
      ['9 Versioning', 'VER-1'],
    ])
  })

  it('a section that the spec does not have is named by its number only', () => {
    const report = sampleWith([{ ...sampleRule('VER-1'), section: '10' }])
    assert.deepEqual(
      sections(report).map(({ name }) => name),
      ['10'],
    )
  })
})
