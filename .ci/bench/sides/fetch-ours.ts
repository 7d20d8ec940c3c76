import { createFetchHandler } from '../../../dist/adapters/fetch.js'
import { listenFetch } from './listen-fetch.ts'
import { service } from './our-service.ts'

listenFetch(createFetchHandler(service))
