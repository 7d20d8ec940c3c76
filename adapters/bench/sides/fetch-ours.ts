import { createFetchHandler } from '../../../dist/adapters/fetch.js'
import { createService } from '../our-service.ts'
import { animals } from '../world.ts'
import { announce } from './listen.ts'
import { serveFetch } from './serve-fetch.ts'

serveFetch(createFetchHandler(await createService(animals())), announce)
