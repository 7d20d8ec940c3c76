import { createServer } from 'node:http'
import { createNodeHandler, harden, serverOptions } from '../../../dist/adapters/node-http.js'
import { createService } from '../our-service.ts'
import { animals } from '../world.ts'
import { listen } from './listen.ts'

/** How many animals it begins with. */
const count = Number(process.argv[2] ?? 1_000)
const service = createService(animals(count))
const server = createServer(serverOptions, createNodeHandler(service))
harden(server, service)
listen(server)
