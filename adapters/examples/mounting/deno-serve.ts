import { createFetchHandler } from 'pet-adoption-service/fetch'
import { service } from './pets.ts'

const page = (_request: Request, _info: Deno.ServeHandlerInfo) => new Response('The shelter is open.')
const pets = createFetchHandler(service, { fallback: page })

// biome-ignore lint/style/noDefaultExport: deno serve takes the handlers of the default export
export default { fetch: pets } satisfies Deno.ServeDefaultExport
