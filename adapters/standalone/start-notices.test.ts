import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createLoopbackWarning } from './start-notices.ts'

const createWarning = (host: string, ...files: readonly string[]) =>
  createLoopbackWarning({ kind: 'tcp', host, port: 8080, source: '--host' }, (path) => files.includes(path))

describe('a server in a container', () => {
  for (const file of ['/.dockerenv', '/run/.containerenv']) {
    for (const host of ['127.0.0.1', '127.0.1.1', '::1', 'localhost'])
      it(`warns that nothing outside can reach ${host} (${file})`, () => {
        assert.match(
          createWarning(host, file) ?? '',
          new RegExp(`container can reach ${host}: set HOST=0\\.0\\.0\\.0`),
        )
      })
  }

  it('does not warn if it listens elsewhere, or is in no container', () => {
    assert.equal(createWarning('127.0.0.1'), undefined)
    for (const host of ['0.0.0.0', '::', '10.0.0.1', 'pets.example.com'])
      assert.equal(createWarning(host, '/.dockerenv'), undefined)
    const socket = { kind: 'unix', path: '/run/pets.sock', source: '--listen' } as const
    assert.equal(
      createLoopbackWarning(socket, () => true),
      undefined,
    )
  })
})
