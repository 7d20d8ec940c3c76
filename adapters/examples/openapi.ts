import { openapi } from 'pet-adoption-service/openapi'

console.log(JSON.stringify(openapi({ basePath: '/v1', stability: { createPet: 'beta' } })))
