import assert from 'node:assert/strict'
import { it } from 'node:test'
import { changePath, mix } from './mix.ts'

function share(matches: (request: (typeof mix)[number]) => boolean): number {
  return (100 * mix.filter(matches).length) / mix.length
}

it('mixes pages, animals, creations and changes in the shares that it states', () => {
  const shares = [
    share(({ target }) => /^\/v1\/pets(?:\?|$)/.test(target)) -
      share(({ method, target }) => method === 'POST' && target === '/v1/pets'),
    share(({ target }) => /^\/v1\/pets\/\d+$/.test(target)),
    share(({ method, target }) => method === 'POST' && target === '/v1/pets'),
    share(({ target }) => target.startsWith(changePath)),
  ]
  for (const [i, stated] of [70, 27, 2, 1].entries())
    assert.ok(Math.abs((shares[i] ?? 0) - stated) < 1, `${shares[i]} % instead of ${stated} %`)
})

it('requests a popular page more often than others, but not only that one', () => {
  const first = share(({ method, target }) => method === 'GET' && target === '/v1/pets')
  assert.ok(first > 10 && first < 20, `${first} %`)
  const pages = new Set(
    mix.filter(({ target }) => /^\/v1\/pets(?:\?|$)/.test(target)).map(({ target }) => target),
  )
  assert.equal(pages.size, 96)
})
