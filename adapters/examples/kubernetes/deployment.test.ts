import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parse } from 'yaml'
import { readCommandLine } from '../../standalone/cli/command-line.ts'
import { readText } from '../testing/documents.ts'

describe('the Kubernetes example', () => {
  const { spec } = parse(readText('adapters/examples/kubernetes/deployment.yaml')).spec.template
  const [container] = spec.containers

  it('passes arguments that the server accepts', () => {
    const { command, settings } = readCommandLine(container.args, {})
    assert.deepEqual([command, settings.host?.value], ['serve', '0.0.0.0'])
  })

  it('keeps pods in rotation that cannot read the storage', () => {
    const { startupProbe, livenessProbe, readinessProbe } = container
    const paths = [startupProbe, livenessProbe, readinessProbe].map(({ httpGet }) => httpGet.path)
    assert.deepEqual(paths, ['/readyz', '/healthz', '/healthz'])
  })

  it('waits longer than a drain takes', () => {
    const longestDrainSeconds = 10
    const { preStop } = container.lifecycle
    assert.ok(spec.terminationGracePeriodSeconds > preStop.sleep.seconds + longestDrainSeconds)
  })
})
