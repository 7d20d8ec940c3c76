// A client that a user generates from the description. The check compiles it and runs it.
import createClient from 'openapi-fetch'
import type { components, paths } from './dist/schema.d.ts'

declare const process: { argv: string[] }

const [, , baseUrl = '', key = ''] = process.argv
const client = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${key}` } })

function expect(truth: boolean, expected: string): asserts truth {
  if (!truth) throw new Error(`the client expected ${expected}`)
}

const newPet: components['schemas']['NewPet'] = { name: 'Mia', categoryId: 3, status: 'pending' }
const created = await client.POST('/pets', { body: newPet })
expect(created.data !== undefined, 'a new animal')
const { id, name, categoryId, status } = created.data
expect(name === 'Mia' && categoryId === 3 && status === 'pending', 'the animal as it was sent')

const fetched = await client.GET('/pets/{petId}', { params: { path: { petId: id } } })
expect(fetched.data?.id === id, 'the animal by its id')

const listed = await client.GET('/pets', {
  params: { query: { status: 'pending', limit: 100, after: id - 1 } },
})
expect(listed.data?.[0]?.id === id, 'the animal in a list')

const absent = await client.GET('/pets/{petId}', { params: { path: { petId: id + 1 } } })
const code: components['schemas']['Error']['code'] | undefined = absent.error?.code
expect(
  code === 'pet_not_found' && absent.response.status === 404,
  'an Error for an animal that does not exist',
)

// @ts-expect-error: the types require "name"
const rejected = await client.POST('/pets', { body: { categoryId: 3 } })
expect(rejected.error?.status === 400, 'an Error for an animal without a name')
