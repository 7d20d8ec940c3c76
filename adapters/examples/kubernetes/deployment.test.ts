import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parse } from 'yaml'
import { readCommandLine } from '../../standalone/cli/command-line.ts'
import { textOf } from '../testing/documents.ts'
import { root } from '../testing/parts.ts'

const folder = 'adapters/examples/kubernetes'
const { spec } = parse(textOf(`${folder}/deployment.yaml`)).spec.template
const [container] = spec.containers

test('the program accepts the arguments of the Deployment', () => {
  const { command, settings } = readCommandLine(container.args, {})
  assert.equal(command, 'serve')
  assert.equal(settings.host?.value, '0.0.0.0')
})

test('Kubernetes waits longer than a server takes to stop', () => {
  const { preStop } = container.lifecycle
  const longestDrainSeconds = 10
  assert.ok(spec.terminationGracePeriodSeconds > preStop.sleep.seconds + longestDrainSeconds)
})

test('the probes request the pages for probes', () => {
  const paths = [container.livenessProbe, container.readinessProbe].map(({ httpGet }) => httpGet.path)
  assert.deepEqual(paths, ['/healthz', '/readyz'])
})

test('the image starts the program of the package', () => {
  const dockerfile = textOf(`${folder}/Dockerfile`)
  const [, program = ''] = /"node_modules\/pet-adoption-service\/([^"]+)"/.exec(dockerfile) ?? []
  assert.ok(existsSync(join(root, program)), program)
})
