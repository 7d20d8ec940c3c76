import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parse } from 'yaml'
import { readCommandLine } from '../../standalone/cli/command-line.ts'
import { textOf } from '../testing/documents.ts'
import { root } from '../testing/parts.ts'

test('the image starts the program, which accepts the arguments of the Deployment, has the pages of its probes, and stops in the time that Kubernetes waits', () => {
  const dockerfile = textOf('adapters/examples/kubernetes/Dockerfile')
  const [, program = ''] = /"node_modules\/pet-adoption-service\/([^"]+)"/.exec(dockerfile) ?? []
  assert.ok(existsSync(join(root, program)), program)
  const { spec } = parse(textOf('adapters/examples/kubernetes/deployment.yaml')).spec.template
  const [{ args, livenessProbe, readinessProbe, lifecycle }] = spec.containers
  const { command, settings } = readCommandLine(args, {})
  assert.deepEqual([command, settings.host?.value], ['serve', '0.0.0.0'])
  assert.deepEqual([livenessProbe.httpGet.path, readinessProbe.httpGet.path], ['/healthz', '/readyz'])
  const longestDrainSeconds = 10
  assert.ok(spec.terminationGracePeriodSeconds > lifecycle.preStop.sleep.seconds + longestDrainSeconds)
})
