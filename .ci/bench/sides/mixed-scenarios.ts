import { mix } from '../mix.ts'
import { deprecation, nextPage, type Scenario } from '../scenarios.ts'
import { makePets, type Pet } from '../world.ts'

/** Returns the GETs of the mix with their responses, as they are before the first change. */
export function mixedScenarios(): readonly Scenario[] {
  const pets = makePets()
  const targets = new Set(mix.filter(({ method }) => method === 'GET').map(({ target }) => target))
  return [...targets].map((target) => {
    const url = new URL(target, 'http://pets.example')
    const [, id] = /^\/v1\/pets\/(\d+)$/.exec(url.pathname) ?? []
    const response = id === undefined ? page(pets, url.searchParams) : one(pets, Number(id))
    return { title: target, method: 'GET', target, status: 200, ...response }
  })
}

type Response = Pick<Scenario, 'responseBody' | 'responseHeaders'>

function one(pets: readonly Pet[], id: number): Response {
  const pet = pets[id - 1]
  if (!pet) throw new Error(`the world has no animal ${id}`)
  return { responseBody: pet, responseHeaders: deprecation }
}

function page(pets: readonly Pet[], query: URLSearchParams): Response {
  const limit = Number(query.get('limit') ?? 20)
  const status = query.get('status')
  const after = Number(query.get('after') ?? 0)
  const matching = pets.filter((pet) => pet.id > after && (status === null || pet.status === status))
  const responseBody = matching.slice(0, limit)
  const filter = status === null ? '' : `&status=${status}`
  const link = ['Link', nextPage(limit, filter, responseBody.at(-1)?.id ?? 0)]
  return { responseBody, responseHeaders: matching.length > limit ? link : [] }
}
