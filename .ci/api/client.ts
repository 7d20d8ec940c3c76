// A typed client whose types are generated from the OpenAPI description. Arguments: base URL and API key.
import createClient from 'openapi-fetch'
import type { components, paths } from './dist/schema.d.ts'

declare const process: { argv: string[] }

const [, , baseUrl = '', key = ''] = process.argv
const client = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${key}` } })

function expect(truth: boolean, expected: string): asserts truth {
  if (!truth) throw new Error(`expected ${expected}`)
}

const newPet: components['schemas']['NewPet'] = { name: 'Mia', categoryId: 3, status: 'pending' }
const created = await client.POST('/pets', { body: newPet })
expect(created.data !== undefined, 'the created animal')
const { id, name, categoryId, status } = created.data
expect(
  name === 'Mia' && categoryId === 3 && status === 'pending',
  'the animal with the values that were sent',
)

const fetched = await client.GET('/pets/{petId}', { params: { path: { petId: id } } })
expect(fetched.data?.id === id, 'getPet to return the animal')

const listed = await client.GET('/pets', {
  params: { query: { status: 'pending', limit: 100, after: id - 1 } },
})
expect(listed.data?.[0]?.id === id, 'listPets to return the animal')

const absent = await client.GET('/pets/{petId}', { params: { path: { petId: id + 1 } } })
const code: components['schemas']['Error']['code'] | undefined = absent.error?.code
expect(code === 'pet_not_found' && absent.response.status === 404, 'status 404 with code pet_not_found')

// @ts-expect-error: the types require "name"
const rejected = await client.POST('/pets', { body: { categoryId: 3 } })
expect(rejected.error?.status === 400, 'status 400 for an animal without a name')
