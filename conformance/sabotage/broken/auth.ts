import {
  asking,
  both,
  creating,
  getting,
  hear,
  instead,
  listing,
  sayOn,
  type When,
  withHeaders,
} from '../change.ts'
import { type Call, callerOf, errorReply, jsonReply } from '../deployment.ts'
import type { Broken } from '../variant.ts'
import { mainKey, throttleKey } from '../world.ts'

const withoutKey: When = (call) => call.authorization === undefined
const withUnknownKey: When = (call) =>
  /^bearer +\S/i.test(call.authorization ?? '') && callerOf(call) === 'anonymous'
const withOtherScheme: When = (call) => /^(?!bearer)\S+ +\S/i.test(call.authorization ?? '')
const withEmptyToken: When = (call) => /^bearer *$/i.test(call.authorization ?? '')

const letIn = (call: Call): Call => ({ ...call, authorization: `Bearer ${mainKey}` })
const turnAway = (call: Call): Call => ({ ...call, authorization: undefined })

/** What breaks section 5. */
export const brokenAuth: readonly Broken[] = [
  { rule: 'AUTH-1', does: 'lists to anyone', change: hear(both(listing, withoutKey), letIn) },
  { rule: 'AUTH-2', does: 'shows an animal to anyone', change: hear(both(getting, withoutKey), letIn) },
  { rule: 'AUTH-3', does: 'lets anyone create', change: hear(both(creating, withoutKey), letIn) },
  { rule: 'AUTH-4', does: 'lists to any key', change: hear(both(listing, withUnknownKey), letIn) },
  { rule: 'AUTH-5', does: 'shows an animal to any key', change: hear(both(getting, withUnknownKey), letIn) },
  { rule: 'AUTH-6', does: 'lets any key create', change: hear(both(creating, withUnknownKey), letIn) },
  {
    rule: 'AUTH-1',
    does: 'answers 403 where the key is missing',
    change: sayOn([401], both(listing, withoutKey), (reply) => instead(reply, errorReply(403, 'no', 'No.'))),
  },
  {
    rule: 'AUTH-4',
    does: 'answers 404 to an unknown key',
    change: sayOn([401], both(listing, withUnknownKey), (reply) =>
      instead(reply, errorReply(404, 'no', 'No.')),
    ),
  },
  {
    rule: 'AUTH-1',
    does: 'shows an empty list to anyone',
    change: sayOn([401], both(listing, withoutKey), (reply) => instead(reply, jsonReply(200, []))),
  },
  {
    rule: 'AUTH-2',
    does: 'tells anyone whether an animal is there',
    change: hear(both(getting, withoutKey), (call) => letIn({ ...call, petId: '0' })),
  },
  { rule: 'AUTH-7', does: 'takes a key under any scheme', change: hear(withOtherScheme, letIn) },
  { rule: 'AUTH-8', does: 'takes an empty token', change: hear(withEmptyToken, letIn) },
  { rule: 'AUTH-9', does: 'forgets the key for one request', change: hear(asking('limit', '101'), turnAway) },
  {
    rule: 'AUTH-10',
    does: 'sends no challenge',
    change: sayOn(
      [401],
      () => true,
      (reply) => withHeaders(reply, { 'www-authenticate': undefined }),
    ),
  },
  {
    rule: 'AUTH-10',
    does: 'challenges for another scheme',
    change: sayOn(
      [401],
      () => true,
      (reply) => withHeaders(reply, { 'www-authenticate': 'Basic realm="pets"' }),
    ),
  },
  {
    rule: 'AUTH-11',
    does: 'knows the scheme in one spelling',
    change: hear((call) => call.authorization?.startsWith('Bearer ') === false, turnAway),
  },
  {
    rule: 'AUTH-12',
    does: 'takes a key in the query',
    profile: 'exhaust',
    change: hear((call) => call.query.access_token === throttleKey, letIn),
  },
]
