import {
  asking,
  both,
  hear,
  instead,
  listing,
  sayOn,
  type When,
  withEach,
  withHeaders,
  withJson,
  withList,
  without,
  withQuery,
} from '../change.ts'
import { errorReply, type Reply } from '../deployment.ts'
import type { JsonObject } from '../json.ts'
import type { Broken } from '../variant.ts'

const plain: When = (call) => listing(call) && Object.keys(call.query).length === 0
const filtered: When = (call) => call.query.status !== undefined
const whole = both(listing, (call) => call.query.status === undefined)
const undeclared: When = (call) => !['available', 'pending', 'sold', undefined].includes(call.query.status)

/** Changes the animal in one place of every unfiltered page. */
const oneAnimal = (place: number, edit: (pet: JsonObject) => JsonObject) =>
  sayOn([200], whole, (reply: Reply) => withEach(reply, (pet, n) => (n === place ? edit(pet) : pet)))

/** Lets an animal of another status onto the filtered pages of one status. */
const leak = (status: string, other: string) =>
  sayOn([200], both(listing, asking('status', status)), (reply) =>
    withList(reply, (pets) => [...pets, { id: 77_777n, name: 'Stray', categoryId: 1n, status: other }]),
  )

/** What breaks sections 2, 3 and 4.1. */
export const brokenLists: readonly Broken[] = [
  {
    rule: 'LIST-1',
    does: 'answers a plain list with 206',
    change: sayOn([200], plain, (reply) => ({ ...reply, status: 206 })),
  },
  {
    rule: 'LIST-1',
    does: 'answers a plain list with 500',
    mayTouch: ['ERR-6'],
    change: sayOn([200], plain, (reply) => instead(reply, errorReply(500, 'crash', 'Crash.'))),
  },
  {
    rule: 'LIST-2',
    does: 'sends lists as HTML',
    change: sayOn([200], listing, (reply) => withHeaders(reply, { 'content-type': 'text/html' })),
  },
  {
    rule: 'LIST-2',
    does: 'sends lists as text/json',
    change: sayOn([200], listing, (reply) => withHeaders(reply, { 'content-type': 'text/json' })),
  },
  {
    rule: 'LIST-3',
    does: 'wraps its pages',
    change: sayOn([200], whole, (reply) => withJson(reply, (data) => ({ data }))),
  },
  {
    rule: 'LIST-4',
    does: 'lists an animal without a name',
    change: oneAnimal(4, (pet) => without(pet, 'name')),
  },
  {
    rule: 'LIST-4',
    does: 'lists an id as text',
    change: oneAnimal(4, (pet) => ({ ...pet, id: String(pet.id) })),
  },
  {
    rule: 'LIST-4',
    does: 'lists a null category',
    change: oneAnimal(4, (pet) => ({ ...pet, categoryId: null })),
  },
  {
    rule: 'LIST-4',
    does: 'lists a category beyond int64',
    change: oneAnimal(4, (pet) => ({ ...pet, categoryId: 2n ** 63n })),
  },
  {
    rule: 'LIST-4',
    does: 'lists a category with a fraction',
    change: oneAnimal(4, (pet) => ({ ...pet, categoryId: 1.5 })),
  },
  {
    rule: 'LIST-5',
    does: 'lists an animal that is lost',
    change: oneAnimal(4, (pet) => ({ ...pet, status: 'lost' })),
  },
  { rule: 'LIST-5', does: 'lists a null status', change: oneAnimal(4, (pet) => ({ ...pet, status: null })) },
  {
    rule: 'LIST-5',
    does: 'lists a status in capitals',
    change: oneAnimal(4, (pet) => ({ ...pet, status: 'SOLD' })),
  },
  {
    rule: 'LIST-6',
    does: 'has a default limit of 25',
    mayTouch: ['LIST-7'],
    change: hear(plain, (call) => withQuery(call, { limit: '25' })),
  },
  {
    rule: 'LIST-7',
    does: 'has a default limit of 10',
    change: hear(plain, (call) => withQuery(call, { limit: '10' })),
  },
  {
    rule: 'LIST-8',
    does: 'takes the limit for the last index',
    change: hear(both(listing, asking('limit', '1')), (call) => withQuery(call, { limit: '2' })),
  },
  {
    rule: 'LIST-8',
    does: 'refuses a limit of 1',
    change: hear(both(listing, asking('limit', '1')), (call) => withQuery(call, { limit: '0' })),
  },
  {
    rule: 'LIST-9',
    does: 'sends one more than 100',
    change: sayOn([200], both(whole, asking('limit', '100')), (reply) =>
      withList(reply, (pets) => [...pets, { id: 88_888n, name: 'One more', categoryId: 1n }]),
    ),
  },
  {
    rule: 'LIST-9',
    does: 'refuses a limit of 100',
    change: hear(both(listing, asking('limit', '100')), (call) => withQuery(call, { limit: '1000' })),
  },
  {
    rule: 'LIST-10',
    does: 'serves 101',
    mayTouch: ['LIST-11'],
    change: {
      around: (call, next) => {
        if (call.query.limit !== '101') return next(call)
        return withList(next(withQuery(call, { limit: '100' })), (pets) => [
          ...pets,
          { id: 88_888n, name: 'One more', categoryId: 1n },
        ])
      },
    },
  },
  {
    rule: 'LIST-11',
    does: 'trips over a limit that is no number',
    mayTouch: ['ERR-6'],
    change: sayOn([400], asking('limit', 'abc'), (reply) =>
      instead(reply, errorReply(500, 'crash', 'Crash.')),
    ),
  },
  { rule: 'LIST-12', does: 'lists a sold one as available', change: leak('available', 'sold') },
  { rule: 'LIST-13', does: 'lists an available one as pending', change: leak('pending', 'available') },
  { rule: 'LIST-14', does: 'lists a pending one as sold', change: leak('sold', 'pending') },
  {
    rule: 'LIST-15',
    does: 'hides an animal from its filter',
    change: sayOn([200], filtered, (reply) => withList(reply, (pets) => pets.slice(1))),
  },
  {
    rule: 'LIST-16',
    does: 'forgets the limit where there is a filter',
    change: hear(
      both(filtered, (call) => call.query.limit !== '100'),
      (call) => withQuery(call, { limit: '100' }),
    ),
  },
  {
    rule: 'LIST-16',
    does: 'forgets the filter where there is a small limit',
    change: hear(
      both(filtered, (call) => (call.query.limit ?? '100') !== '100'),
      (call) => withQuery(call, { status: undefined }),
    ),
  },
  {
    rule: 'LIST-17',
    does: 'ignores a filter it does not know',
    change: hear(undeclared, (call) => withQuery(call, { status: undefined })),
  },
  {
    rule: 'LIST-18',
    does: 'lists an animal twice',
    change: sayOn([200], whole, (reply) =>
      withList(reply, (pets) => (pets.length > 1 ? [...pets.slice(0, -1), ...pets.slice(0, 1)] : pets)),
    ),
  },
  {
    rule: 'LIST-19',
    does: 'sends fewer the more are asked for',
    change: hear(both(whole, asking('limit', '100')), (call) => withQuery(call, { limit: '5' })),
  },
]
