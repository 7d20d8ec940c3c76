import { createFetchHandler } from '../../../dist/adapters/fetch.js'
import { createMemoryStore } from '../../../dist/core/index.js'
import { changePet, createService } from '../our-service.ts'
import { makePets } from '../world.ts'
import { announce } from './listen.ts'
import { serveFetch } from './serve-fetch.ts'

const store = createMemoryStore()
const service = await createService(makePets(), store)

/** A request outside the interface changes an animal. */
async function fallback({ url }: Request): Promise<Response> {
  await changePet(store, url.slice(url.indexOf('/', 'http://'.length)))
  return new Response('')
}

serveFetch(createFetchHandler(service, { fallback }), announce)
