import { createServer } from 'node:http'
import express from 'express'
import { createKeyStore, createPetService, sha256 } from 'pet-adoption-service'
import { createNodeHandler, hardenServer, serverOptions } from 'pet-adoption-service/node'

const keys = createKeyStore([{ id: 'shelter', sha256: sha256('my-first-long-api-key'), plan: 'pro' }])
const service = createPetService({ keys, basePath: '/shelter/v1' })

const app = express()
app.use('/shelter', createNodeHandler(service)) // basePath is the whole path that clients see
app.get('/', (_req, res) => {
  res.send('The shelter is open.')
})

const server = createServer(serverOptions, app)
hardenServer(server, service)
server.listen(process.env.PORT ?? 8080)
