import {
  allOf,
  always,
  asking,
  creating,
  getting,
  hear,
  listing,
  sayHeaders,
  sayInstead,
  type When,
} from '../change.ts'
import { type Call, callerOf, errorReply, jsonReply } from '../exchange.ts'
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
  { rule: 'AUTH-1', does: 'lists to anyone', change: hear(allOf(listing, withoutKey), letIn) },
  { rule: 'AUTH-2', does: 'shows an animal to anyone', change: hear(allOf(getting, withoutKey), letIn) },
  { rule: 'AUTH-3', does: 'lets anyone create', change: hear(allOf(creating, withoutKey), letIn) },
  { rule: 'AUTH-4', does: 'lists to any key', change: hear(allOf(listing, withUnknownKey), letIn) },
  { rule: 'AUTH-5', does: 'shows an animal to any key', change: hear(allOf(getting, withUnknownKey), letIn) },
  { rule: 'AUTH-6', does: 'lets any key create', change: hear(allOf(creating, withUnknownKey), letIn) },
  {
    rule: 'AUTH-1',
    does: 'answers 403 where the key is missing',
    change: sayInstead([401], allOf(listing, withoutKey), errorReply(403)),
  },
  {
    rule: 'AUTH-4',
    does: 'answers 404 to an unknown key',
    change: sayInstead([401], allOf(listing, withUnknownKey), errorReply(404)),
  },
  {
    rule: 'AUTH-1',
    does: 'shows an empty list to anyone',
    change: sayInstead([401], allOf(listing, withoutKey), jsonReply(200, [])),
  },
  {
    rule: 'AUTH-2',
    does: 'tells anyone whether an animal is there',
    change: hear(allOf(getting, withoutKey), (call) => letIn({ ...call, petId: '0' })),
  },
  { rule: 'AUTH-7', does: 'takes a key under any scheme', change: hear(withOtherScheme, letIn) },
  { rule: 'AUTH-8', does: 'takes an empty token', change: hear(withEmptyToken, letIn) },
  { rule: 'AUTH-9', does: 'forgets the key for one request', change: hear(asking('limit', '101'), turnAway) },
  {
    rule: 'AUTH-10',
    does: 'sends no challenge',
    change: sayHeaders([401], always, { 'www-authenticate': undefined }),
  },
  {
    rule: 'AUTH-10',
    does: 'challenges for another scheme',
    change: sayHeaders([401], always, { 'www-authenticate': 'Basic realm="pets"' }),
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
