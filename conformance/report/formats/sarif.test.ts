import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { judge } from '../../judge/judge.ts'
import { recorded } from '../../testing/recorded.ts'
import { sample } from '../testing/sample.ts'
import { sarif } from './sarif.ts'

const parsed = (report: typeof sample) => JSON.parse(sarif(report)).runs[0]
const run = parsed(sample)
const resultOf = (id: string) => run.results.find((result: { ruleId: string }) => result.ruleId === id)

describe('sarif', () => {
  it('a SARIF log has every rule with its help, and a link to its statement', () => {
    const { version, $schema } = JSON.parse(sarif(sample))
    assert.equal(version, '2.1.0')
    assert.ok(URL.canParse($schema))
    const { rules } = run.tool.driver
    assert.deepEqual(
      rules.map(({ id }: { id: string }) => id),
      sample.rules.map(({ id }) => id),
    )
    assert.match(rules[0].help.markdown, /The path of the base URL has [^\n]+ \(interface\.md#s9-version\)$/)
  })

  it('a SARIF log has a result for each broken rule alone, which refers to its rule', () => {
    const broken = sample.rules.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')
    assert.deepEqual(
      run.results.map(({ ruleId, level }: { ruleId: string; level: string }) => [ruleId, level]),
      broken.map(({ id, verdict }) => [id, verdict === 'fail' ? 'error' : 'warning']),
    )
    for (const { ruleId, ruleIndex } of run.results) assert.equal(run.tool.driver.rules[ruleIndex].id, ruleId)
  })

  it('a result names the request, what was expected and received, and how to repeat it', () => {
    const { message, locations, webRequest, webResponse } = resultOf('LIST-10')
    assert.match(message.text, /\nexpected: [\s\S]*\ngot: [\s\S]*\nagain: curl /)
    assert.equal(locations[0].physicalLocation.artifactLocation.uri, 'pets')
    assert.match(
      locations[0].logicalLocations[0].fullyQualifiedName,
      /^GET https:\/\/\S+\/v1\/pets\?limit=101$/,
    )
    assert.deepEqual([webRequest.method, webResponse.statusCode], ['GET', 200])
  })

  it('the fingerprints of a result are the same in every run against a deployment', () => {
    const prints = (status: number) =>
      parsed(judge(recorded('read', { list: { status } }))).results.map(
        ({ fingerprints }: { fingerprints: unknown }) => JSON.stringify(fingerprints),
      )
    assert.deepEqual(prints(500), prints(500))
    assert.equal(new Set(prints(500)).size, prints(500).length)
  })

  it('a known failure is suppressed, and no other one is', () => {
    assert.deepEqual(resultOf('LIST-4').suppressions, [
      { kind: 'external', status: 'accepted', justification: 'old rows, migrated in May' },
    ])
    assert.equal(resultOf('LIST-10').suppressions, undefined)
  })

  it('a run that ended early was not successful, and its notifications say why', () => {
    const [invocation] = run.invocations
    assert.equal(invocation.executionSuccessful, false)
    assert.match(JSON.stringify(invocation.toolExecutionNotifications), /The run ended early/)
    assert.equal(parsed(judge(recorded('all'))).invocations[0].executionSuccessful, true)
  })

  it('the address of a location is a valid reference, whatever the target is', () => {
    const target = '/a b%\ud800"//c?d'
    const exchanges = sample.exchanges.map((each) => ({ ...each, request: { ...each.request, target } }))
    const [{ locations }] = parsed({ ...sample, exchanges }).results
    const { uri } = locations[0].physicalLocation.artifactLocation
    assert.doesNotThrow(() => decodeURIComponent(uri))
    assert.match(uri, /^[\w%./-]*$/)
  })
})
