import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { comparisonFormatNames } from '../comparison/formats.ts'
import { judge, record } from '../index.ts'
import { formatNames } from '../report/formats.ts'
import { trialOptions } from '../sabotage/trial.ts'
import { edits } from '../schemas/testing/edits.ts'
import { recorded } from '../testing/recorded.ts'
import { file, program } from './testing/program.ts'

it('a report that was edited into anything is compared, or exits with 2 and names the place', async () => {
  const report = JSON.parse(JSON.stringify(judge(recorded('all', { list: { error: 'reset' } }))))
  const baseline = file('baseline.json', report)
  await fc.assert(
    fc.asyncProperty(edits(report), fc.constantFrom(...comparisonFormatNames), async (edited, format) => {
      const { code, err } = await program([
        'compare',
        baseline,
        file('edited.json', JSON.stringify(edited)),
        `--format=${format}`,
      ])
      assert.ok([0, 1, 2, 3].includes(code), `${code}: ${err}`)
      if (code === 2) assert.match(err, /edited\.json: the (report|transcript) cannot be read: \$/)
    }),
    { numRuns: 100 },
  )
})

const reference = { does: 'conforms', change: {} }

for (const profile of ['read', 'all'] as const) {
  it(`a transcript of ${profile} that was edited into anything is judged, or exits with 2 and names the place`, async () => {
    const transcript = JSON.parse(JSON.stringify(await record(trialOptions(reference, profile))))
    await fc.assert(
      fc.asyncProperty(edits(transcript), fc.constantFrom(...formatNames), async (edited, format) => {
        const path = file('edited.json', JSON.stringify(edited))
        const { code, err } = await program(['judge', path, `--format=${format}`])
        assert.ok([0, 1, 2, 3].includes(code), `${code}: ${err}`)
        if (code === 2) assert.match(err, /edited\.json: the transcript cannot be read: \$/)
      }),
      { numRuns: 100 },
    )
  })
}
