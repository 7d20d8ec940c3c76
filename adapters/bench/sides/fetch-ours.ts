import { createFetchHandler } from '../../../dist/adapters/fetch.js'
import { createService } from '../our-service.ts'
import { makePets } from '../world.ts'
import { announce } from './listen.ts'
import { serveFetch } from './serve-fetch.ts'

serveFetch(createFetchHandler(await createService(makePets())), announce)
