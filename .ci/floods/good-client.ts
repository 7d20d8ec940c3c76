import type { Agent } from 'node:http'
import { type Exchange, get } from './exchange.ts'
import type { Target } from './target.ts'

const remaining = ({ headers }: Exchange) => Number(headers['x-ratelimit-remaining'])

/** A client within its limits. Each call sends a request and resolves with the problem of the response. */
export function createGoodClient(
  { port, keys }: Target,
  agent: Agent | undefined,
): () => Promise<string | undefined> {
  let before: Exchange | undefined
  return async () => {
    const response = await get(port, '/v1/pets?limit=1', keys.good, agent)
    const previous = before
    before = response
    if (response.status !== 200) return `status ${response.status}`
    const ofNewWindow = Number(response.headers['x-ratelimit-limit']) - 1
    const expected = previous ? remaining(previous) - 1 : ofNewWindow
    const actual = remaining(response)
    return actual === expected || actual === ofNewWindow
      ? undefined
      : `${actual} requests remain in place of ${expected}`
  }
}
