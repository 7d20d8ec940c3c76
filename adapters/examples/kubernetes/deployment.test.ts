import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parse } from 'yaml'
import { readCommandLine } from '../../standalone/cli/command-line.ts'
import { readText } from '../testing/documents.ts'

describe('the Kubernetes deployment', () => {
  const { spec } = parse(readText('adapters/examples/kubernetes/deployment.yaml')).spec.template
  const [container] = spec.containers

  it('passes valid arguments to the server', () => {
    const { command, settings } = readCommandLine(container.args, {})
    assert.deepEqual([command, settings.host?.value], ['serve', '0.0.0.0'])
  })

  it('probes /readyz at startup, and /healthz later', () => {
    const { startupProbe, livenessProbe, readinessProbe } = container
    const paths = [startupProbe, livenessProbe, readinessProbe].map(({ httpGet }) => httpGet.path)
    assert.deepEqual(paths, ['/readyz', '/healthz', '/healthz'])
  })

  it('runs without privileges, and with resource limits', () => {
    const { runAsNonRoot, seccompProfile } = spec.securityContext
    assert.deepEqual([runAsNonRoot, seccompProfile], [true, { type: 'RuntimeDefault' }])
    assert.deepEqual(container.securityContext, {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
    assert.deepEqual(Object.keys(container.resources), ['requests', 'limits'])
  })

  it('waits longer than the server drains', () => {
    const maxDrainSeconds = 10
    const { preStop } = container.lifecycle
    assert.ok(spec.terminationGracePeriodSeconds > preStop.sleep.seconds + maxDrainSeconds)
  })
})
