import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { programName, quoted, quotedVariable } from './shell.ts'

const cwd = join('/', 'home', 'ada', 'shelter')
const main = join('dist', 'adapters', 'standalone', 'main.js')
const linked = join('node_modules', '.bin', 'pet-adoption-service')
const spaced = join('my animals', main)
const name = 'pet-adoption-service'

for (const [called, script, expected, env = {}] of [
  ['by npx', join(cwd, main), `npx ${name}`, { npm_command: 'exec' }],
  ['in a checkout, by npm start or node', join(cwd, main), `node ${main}`],
  ['in a folder with a space', join(cwd, spaced), `node ${quoted(spaced)}`],
  ['by the link of its package', join(cwd, linked), linked],
  ['from the path of the shell', join('/', 'usr', 'local', 'bin', name), name],
] as const)
  test(`a program that was called ${called} prints command lines that begin with ${expected}`, () => {
    assert.equal(programName({ script, cwd, env }), expected)
  })

for (const [platform, word, expected] of [
  ['linux', 'animals.sqlite', 'animals.sqlite'],
  ['linux', "my 'animals' $x", "'my '\\''animals'\\'' $x'"],
  ['win32', 'C:\\animals.sqlite', 'C:\\animals.sqlite'],
  ['win32', 'C:\\my animals\\a.sqlite', '"C:\\my animals\\a.sqlite"'],
] as const)
  test(`on ${platform} the word ${word} is pasted as ${expected}`, () => {
    assert.equal(quoted(word, platform), expected)
  })

test('a variable is pasted as the shell of the platform reads it', () => {
  assert.equal(quotedVariable('DATABASE_URL', 'linux'), '"$DATABASE_URL"')
  assert.equal(quotedVariable('DATABASE_URL', 'win32'), '"%DATABASE_URL%"')
})
