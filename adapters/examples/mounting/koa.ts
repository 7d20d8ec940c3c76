import Koa from 'koa'
import { callerOf, createPetServer, requireKey } from 'pet-adoption-service/node'
import { service } from './pets.js'

const app = new Koa()
const authenticate = requireKey(service)
app.use(async (ctx) => {
  if (ctx.path !== '/orders') ctx.body = 'The shelter is open.'
  else if (await authenticate(ctx.req, ctx.res)) ctx.body = [{ id: 1, by: callerOf(ctx.req).id }]
  else ctx.respond = false
})

createPetServer(service, { fallback: app.callback() }).listen(process.env.PORT ?? 8080)
