import { Application, Router } from '@oakserver/oak'
import { createKeyStore, createPetService, sha256 } from 'pet-adoption-service'
import { createFetchHandler } from 'pet-adoption-service/fetch'

const router = new Router().get('/', ({ response }) => {
  response.body = 'The shelter is open.'
})
const app = new Application().use(router.routes())

const keys = createKeyStore([{ id: 'shelter', sha256: sha256('my-first-long-api-key'), plan: 'pro' }])
const pets = createFetchHandler(createPetService({ keys }), {
  async fallback(request: Request, _info: Deno.ServeHandlerInfo) {
    const answer: unknown = await app.handle(request as never)
    if (!answer) return new Response(null, { status: 404 })
    const { body, status, headers } = answer as Response // of undici
    return new Response(body, { status, headers: [...headers] })
  },
})
Deno.serve({ port: Number(Deno.env.get('PORT') ?? 8080) }, pets)
