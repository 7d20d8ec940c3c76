import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { programOf, quoted, quotedVariable } from './shell.ts'

const cwd = join('/', 'home', 'ada', 'shelter')
const [linked, elsewhere] = [join('node_modules', '.bin', 'pets'), join('/', 'usr', 'bin', 'pets')]

test('a printed command line runs the program that prints it, also one outside of the folder', () => {
  assert.equal(programOf(join(cwd, linked), cwd), `node ${linked}`)
  assert.equal(programOf(elsewhere, cwd), `node ${elsewhere}`)
  assert.equal(
    programOf(join(cwd, 'my animals', 'main.js'), cwd),
    `node ${quoted(join('my animals', 'main.js'))}`,
  )
})

const service = join('pet-adoption-service', 'dist', 'adapters', 'standalone', 'main.js')
for (const [runtime, script, expected] of [
  ['bun', join(cwd, linked), `bun ${linked}`],
  ['deno', join(cwd, 'main.js'), 'deno run -A main.js'],
  [
    'deno',
    join(cwd, 'node_modules', '.deno', service),
    'deno run -A npm:pet-adoption-service/pet-adoption-service',
  ],
] as const)
  test(`on ${runtime} ${expected} is printed for ${script}`, () => {
    assert.equal(programOf(script, cwd, { ...process.versions, [runtime]: '2.9.5' }), expected)
  })

for (const [platform, word, expected, variable] of [
  ['linux', 'animals.sqlite', 'animals.sqlite', '"$NAME"'],
  ['linux', "my 'animals' $x", "'my '\\''animals'\\'' $x'", '"$NAME"'],
  ['win32', 'C:\\animals.sqlite', 'C:\\animals.sqlite', '"%NAME%"'],
  ['win32', 'C:\\my animals\\a.sqlite', '"C:\\my animals\\a.sqlite"', '"%NAME%"'],
] as const)
  test(`on ${platform} the word ${word} is pasted as ${expected}, and a variable as ${variable}`, () => {
    assert.equal(quoted(word, platform), expected)
    assert.equal(quotedVariable('NAME', platform), variable)
  })
