import { createPetServer } from '../../../dist/adapters/node-http.js'
import { listen } from './listen.ts'
import { service } from './our-service.ts'

listen(createPetServer(service))
