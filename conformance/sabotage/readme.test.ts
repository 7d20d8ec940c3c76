import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { broken } from './broken.ts'
import { legal } from './legal.ts'

const readme = readFileSync(new URL('README.md', import.meta.url), 'utf8')
const root = new URL('../../', import.meta.url)

test('every file that the README names exists', () => {
  const names = [...readme.matchAll(/`((?:[\w-]+\/)*[\w-]+\.(?:test\.)?(?:ts|md))`/g)].map(
    ([, name = '']) => name,
  )
  assert.ok(names.length > 20)
  const missing = names.filter(
    (name) =>
      ![new URL(name, root), new URL(name, import.meta.url), new URL(`../${name}`, import.meta.url)].some(
        existsSync,
      ),
  )
  assert.deepEqual(missing, [])
})

test('the README names every file of this folder', () => {
  const files = readdirSync(new URL('.', import.meta.url)).filter((name) => /^[\w-]+\.ts$/.test(name))
  assert.deepEqual(
    files.filter((name) => !readme.includes(`\`${name}\``)),
    [],
  )
})

test('the code of the worked example in the README is in the files that it names', () => {
  const steps = readme.split(/^\d+\. \*\*/m).slice(1)
  const examples = steps.flatMap((step) => {
    const [, file = ''] = /`(conformance\/[\w/-]+\.(?:test\.)?ts)`/.exec(step) ?? []
    const [, code] = /```(?:ts)?\n([\s\S]*?)```/.exec(step) ?? []
    return code === undefined ? [] : [{ file, code }]
  })
  assert.equal(examples.length, 5)
  for (const { file, code } of examples) {
    const source = readFileSync(new URL(file, root), 'utf8').replaceAll('\\`', '`')
    for (const line of code.trim().split('\n')) assert.ok(source.includes(line.trim()), `${file}: ${line}`)
  }
})

test('no two deployments of this folder have the same description', () => {
  const all = [
    ...broken.map(({ rule, does }) => `${rule} ${does}`),
    ...legal.map(({ gap, does }) => `${gap} ${does}`),
  ]
  assert.equal(new Set(all).size, all.length)
})
