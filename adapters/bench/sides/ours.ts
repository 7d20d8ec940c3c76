import { createServer } from 'node:http'
import { createNodeHandler, harden, serverOptions } from '../../../dist/adapters/node-http.js'
import { createService } from '../our-service.ts'
import { animals } from '../world.ts'
import { listen } from './listen.ts'

const service = createService(animals())
const server = createServer(serverOptions, createNodeHandler(service))
harden(server, service)
listen(server)
