import assert from 'node:assert/strict'
import { test } from 'node:test'
import { thenable } from '../testing/thenable.ts'
import { attempt, chain, type MaybePromise } from './maybe-promise.ts'

const double = (value: number) => value * 2
const describe = (cause: unknown) => `store: ${cause}`

test('chain calls the next function at once for a value', () => assert.equal(chain(2, double), 4))

test('chain returns a promise for a promise, and a real promise for any thenable', async () => {
  for (const later of [Promise.resolve(2), thenable<number>((resolve) => resolve(2))]) {
    const doubled = chain(later, double)
    assert.ok(doubled instanceof Promise)
    assert.equal(await doubled, 4)
  }
})

const failing: readonly (readonly [how: string, work: () => MaybePromise<string>])[] = [
  ['throws', () => fail('x')],
  ['rejects', () => Promise.reject('x')],
  ['returns a thenable that rejects', () => thenable((_, reject) => reject('x'))],
]
for (const [how, work] of failing) {
  test(`attempt recovers from work that ${how}`, async () =>
    assert.equal(await attempt(work, describe), 'store: x'))
}

test('attempt returns a value as it is, at once and later', async () => {
  assert.equal(
    attempt(() => 'fine', describe),
    'fine',
  )
  const late = attempt(() => thenable<string>((resolve) => resolve('fine')), describe)
  assert.ok(late instanceof Promise)
  assert.equal(await late, 'fine')
})

test('attempt throws the error of a recovery that fails', async () => {
  const broken = () => fail('later')
  assert.throws(() => attempt(() => fail('x'), broken), /later/)
  await assert.rejects(async () => attempt(() => Promise.reject('x'), broken), /later/)
})

function fail(cause: unknown): never {
  throw cause
}
