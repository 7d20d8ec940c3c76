// A Worker that shares one client between requests. The client's first three responses are 429.
import { createPetClient, toJson } from '../../adapters/client/index.ts'

let rejections = 3

async function fetchAnimals() {
  await scheduler.wait(20)
  if (rejections-- <= 0) return new Response('[{"id":9007199254740993,"name":"Rex","categoryId":7}]')
  const body = JSON.stringify({ code: 'rate_limit_exceeded', message: 'Wait.', status: 429 })
  return new Response(body, { status: 429, headers: { 'Retry-After': '1' } })
}

const options = { baseUrl: 'http://pets.test/v1', apiKey: 'my-first-long-api-key', fetch: fetchAnimals }
const pets = createPetClient(options)

// biome-ignore lint/style/noDefaultExport: workerd finds the handler by it
export default {
  async fetch(request) {
    const { pets: animals } = await pets.list({}, { signal: request.signal }).page()
    return new Response(toJson(animals))
  },
}
