// A client as a user makes one of the description: that it compiles is half of the check.
import createClient from 'openapi-fetch'
import type { components, paths } from './dist/schema.d.ts'

declare const process: { argv: string[] }

const [, , baseUrl = '', key = ''] = process.argv
const client = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${key}` } })

function expect(truth: boolean, what: string): asserts truth {
  if (!truth) throw new Error(`the client expected ${what}`)
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
expect(code === 'pet_not_found' && absent.response.status === 404, 'an Error for an animal that is not there')

// @ts-expect-error: a client learns from its compiler that "name" is required
const refused = await client.POST('/pets', { body: { categoryId: 3 } })
expect(refused.error?.status === 400, 'an Error for half an animal')
