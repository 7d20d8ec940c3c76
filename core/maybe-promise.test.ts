import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { chain, type MaybePromise, rescue, settle } from './maybe-promise.ts'
import { thenable } from './testing/thenable.ts'

const double = (value: number) => value * 2
const shown = (cause: unknown, context: string) => `${context} mended ${cause}`

describe('going on with a value', () => {
  it('happens at once where it is there', () => assert.equal(chain(2, double), 4))

  it('happens later where it is promised', async () => {
    const later = chain(Promise.resolve(2), double)
    assert.ok(later instanceof Promise)
    assert.equal(await later, 4)
  })

  it('makes a promise of whatever can be waited for', async () => {
    const later = chain(
      thenable<number>((resolve) => resolve(2)),
      double,
    )
    assert.ok(later instanceof Promise)
    assert.equal(await later, 4)
  })
})

describe('mending', () => {
  const failing: readonly (readonly [how: string, work: () => MaybePromise<string>])[] = [
    ['a throw', () => fail('x')],
    ['a rejection', () => Promise.reject('x')],
    ['the rejection of something that can be waited for', () => thenable((_, reject) => reject('x'))],
  ]
  for (const [how, work] of failing) {
    it(`turns ${how} into a value`, async () => assert.equal(await rescue('we', work, shown), 'we mended x'))
  }

  it('leaves a value as it is, now or later', async () => {
    assert.equal(
      rescue('we', () => 'fine', shown),
      'fine',
    )
    assert.equal(await rescue('we', () => Promise.resolve('fine'), shown), 'fine')
    const late = rescue('we', () => thenable<string>((resolve) => resolve('fine')), shown)
    assert.ok(late instanceof Promise)
    assert.equal(await late, 'fine')
  })
})

function fail(cause: unknown): never {
  throw cause
}

describe('settling', () => {
  const settled = (work: (context: string) => MaybePromise<string>) =>
    settle('we', work, shown, (context, text) => `${text}, and ${context} go on`)

  it('goes on with a value, now or later', async () => {
    assert.equal(
      settled(() => 'fine'),
      'fine, and we go on',
    )
    assert.equal(await settled(async () => 'fine'), 'fine, and we go on')
  })

  it('hands the work its context', () => {
    assert.equal(
      settled((context) => `${context} work`),
      'we work, and we go on',
    )
  })

  it('goes on with what a throw or a rejection was turned into', async () => {
    assert.equal(
      settled(() => fail('x')),
      'we mended x, and we go on',
    )
    assert.equal(await settled(() => Promise.reject('x')), 'we mended x, and we go on')
    assert.equal(await settled(() => thenable((_, reject) => reject('x'))), 'we mended x, and we go on')
  })

  it('leaves alone what fails on the way on', async () => {
    const on = () => fail('later')
    assert.throws(() => settle('we', () => 'fine', shown, on), /later/)
    await assert.rejects(async () => settle('we', () => Promise.reject('x'), shown, on), /later/)
  })
})
