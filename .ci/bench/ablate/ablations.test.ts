import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { ablations } from './ablations.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const folder = join(root, '.ci/bench/ablations')
const patches = readdirSync(folder).filter((name) => name.endsWith('.patch'))
const isGitMissing = spawnSync('git', ['--version']).error !== undefined
const skip = isGitMissing && process.env.CI !== 'true' && 'git is not installed'

describe('the ablations', () => {
  it('have a patch each, and each patch has an ablation', () => {
    const named = Object.keys(ablations).filter((name) => name !== 'nothing')
    assert.deepEqual(patches, named.map((name) => `${name}.patch`).sort())
  })

  for (const patch of patches) {
    it(`can still apply ${patch}`, { skip }, () => {
      const { status, stderr } = spawnSync('git', ['apply', '--check', join(folder, patch)], {
        cwd: root,
        encoding: 'utf8',
      })
      assert.equal(status, 0, `change ablations/${patch} to fit the sources, or remove it:\n${stderr}`)
    })
  }
})
