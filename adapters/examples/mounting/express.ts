import { createServer } from 'node:http'
import express from 'express'
import {
  callerOf,
  createNodeHandler,
  hardenServer,
  requireKey,
  serverOptions,
} from 'pet-adoption-service/node'
import { service } from './pets.ts'

const app = express()
app.get('/v1/store/orders', requireKey(service), (req, res) => {
  res.json([{ id: 1, by: callerOf(req).id }])
})
app.use(createNodeHandler(service)) // after your routes below /v1, and before body parsers
app.use(express.json())
app.get('/', (_req, res) => {
  res.send('The shelter is open.')
})

const server = createServer(serverOptions, app)
hardenServer(server, service)
server.listen(process.env.PORT ?? 8080)
