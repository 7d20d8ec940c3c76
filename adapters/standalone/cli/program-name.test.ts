import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { programName } from './program-name.ts'

const cwd = join('/', 'home', 'ada', 'shelter')
const main = join('dist', 'adapters', 'standalone', 'main.js')

for (const { called, script, env = {}, expected } of [
  {
    called: 'by npx',
    script: join(cwd, main),
    env: { npm_command: 'exec' },
    expected: 'npx pet-adoption-service',
  },
  { called: 'in a checkout, by npm start or node', script: join(cwd, main), expected: `node ${main}` },
  {
    called: 'in a folder with a space',
    script: join(cwd, 'my animals', main),
    expected: `node "${join('my animals', main)}"`,
  },
  {
    called: 'by the link of its package',
    script: join(cwd, 'node_modules', '.bin', 'pet-adoption-service'),
    expected: join('node_modules', '.bin', 'pet-adoption-service'),
  },
  {
    called: 'from the path of the shell',
    script: join('/', 'usr', 'local', 'bin', 'pet-adoption-service'),
    expected: 'pet-adoption-service',
  },
])
  test(`a program that was called ${called} prints command lines that begin with ${expected}`, () => {
    assert.equal(programName({ script, cwd, env }), expected)
  })
