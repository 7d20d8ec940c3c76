import { createServer } from 'node:http'
import Koa from 'koa'
import {
  callerOf,
  createNodeHandler,
  hardenServer,
  requireKey,
  serverOptions,
} from 'pet-adoption-service/node'
import { service } from './pets.ts'

const app = new Koa()
const [pets, authenticate] = [createNodeHandler(service), requireKey(service)]

app.use(async (ctx, next) => {
  if (ctx.url.split('?', 1)[0] !== '/v1/store/orders') return next() // ctx.path throws if the target is invalid
  if (await authenticate(ctx.req, ctx.res)) ctx.body = [{ id: 1, by: callerOf(ctx.req).id }]
  else ctx.respond = false
})
app.use(async (ctx, next) => {
  if (!service.matches(ctx.originalUrl)) return next()
  ctx.respond = false
  await pets(ctx.req, ctx.res)
})
app.use((ctx) => {
  ctx.body = 'The shelter is open.'
})

const server = createServer(serverOptions, app.callback())
hardenServer(server, service)
server.listen(process.env.PORT ?? 8080)
