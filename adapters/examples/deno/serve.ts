import { createKeyStore, createPetService, sha256 } from 'pet-adoption-service'
import { createFetchHandler } from 'pet-adoption-service/fetch'

const keys = createKeyStore([{ id: 'shelter', sha256: sha256('my-first-long-api-key'), plan: 'pro' }])
const page = (_request: Request, _info: Deno.ServeHandlerInfo) => new Response('The shelter is open.')
const pets = createFetchHandler(createPetService({ keys }), { fallback: page })

// biome-ignore lint/style/noDefaultExport: deno serve takes the handlers of the default export
export default { fetch: pets } satisfies Deno.ServeDefaultExport
