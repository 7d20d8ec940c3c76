import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { judge } from '../../judge/judge.ts'
import { recorded } from '../../testing/recorded.ts'
import { sample, sampleHolding } from '../testing/sample.ts'
import { prometheus, prometheusNames } from './prometheus.ts'

/** The lines of Prometheus's text format that this suite writes. */
const line =
  /^(?:# (?:HELP|TYPE|Note:) .+|pet_adoption_conformance_[a-z_]+\{(?:[a-z_]+="(?:[^"\\]|\\["\\n])*",?)*\} (?:NaN|[\d.e+]+))$/

describe('prometheus', () => {
  it('every line is one of the text format, also with hostile text', () => {
    for (const report of [sample, sampleHolding('a\\"b}\n# c'), judge(recorded('all'))]) {
      const text = prometheus(report)
      assert.ok(text.endsWith('\n'))
      for (const each of text.trimEnd().split('\n')) assert.match(each, line)
    }
  })

  it('each metric has its type before its samples, and every sample the deployment', () => {
    const text = prometheus(sample)
    for (const name of prometheusNames) {
      assert.match(
        text,
        new RegExp(`# HELP ${name} [^\n]+\n# TYPE ${name} gauge\n${name}\\{deployment="https://`),
      )
    }
  })

  it('each rule has a sample with its verdict, and whether its failure is known', () => {
    const text = prometheus(sample)
    assert.match(
      text,
      /_rule\{deployment="[^"]+",id="LIST-10",level="MUST",verdict="fail",known="false"\} 1\n/,
    )
    assert.match(text, /_rule\{deployment="[^"]+",id="LIST-4",level="MUST",verdict="fail",known="true"\} 1\n/)
    assert.equal(text.match(/^pet_adoption_conformance_rule\{/gm)?.length, sample.rules.length)
  })

  it('the counts are those of the report', () => {
    const value = (name: string, labels = '') =>
      new RegExp(`^pet_adoption_conformance_${name}\\{deployment="[^"]+"${labels}\\} (\\S+)$`, 'm').exec(
        prometheus(sample),
      )?.[1]
    assert.equal(value('failures'), '1')
    assert.equal(value('ended_early'), '1')
    assert.equal(value('rules', ',verdict="fail"'), String(sample.summary.fail))
    assert.equal(value('run_timestamp_seconds'), String(Date.parse(sample.startedAt) / 1000))
    assert.equal(value('run_duration_seconds'), String(sample.durationMs / 1000))
  })
})
