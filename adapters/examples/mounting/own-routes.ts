import { createServer } from 'node:http'
import express from 'express'
import {
  callerOf,
  createNodeHandler,
  hardenServer,
  requireKey,
  serverOptions,
} from 'pet-adoption-service/node'
import { service } from './pets.js'

const app = express()
app.get('/v1/store/orders', requireKey(service), (req, res) => {
  res.json([{ id: 1, by: callerOf(req).id }])
})
app.use(createNodeHandler(service)) // mount it after your routes below /v1, before body parsers
app.use(express.json())

const server = createServer(serverOptions, app)
hardenServer(server, service)
server.listen(process.env.PORT ?? 8080)
