import assert from 'node:assert/strict'
import { chmodSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { lacks } from '../../adapters/testing/machine.ts'
import { appendText, writeText } from './files.ts'
import { folder } from './testing/program.ts'

const modeOf = (path: string): number => statSync(path).mode & 0o777

for (const [name, write] of Object.entries({ writeText, appendText })) {
  test(`a file that ${name} creates can be read by its owner only`, { skip: lacks.modes }, () => {
    const path = join(folder, name)
    write('report', path, 'text')
    assert.equal(modeOf(path), 0o600)
  })

  test(`a file that exists before ${name} retains its mode`, { skip: lacks.modes }, () => {
    const path = join(folder, `${name}-there`)
    writeFileSync(path, '')
    chmodSync(path, 0o644)
    write('report', path, 'text')
    assert.equal(modeOf(path), 0o644)
  })
}
