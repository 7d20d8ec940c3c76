import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { redactUrl } from './evidence.ts'

const secret = 'tenant-7f3a'
const redact = (text: string) => text.replaceAll(secret, '$KEY')

describe('a base URL in a report', () => {
  for (const [url, shown] of [
    ['https://pets.test', 'https://pets.test'],
    ['https://pets.test/', 'https://pets.test'],
    ['https://pets.test/shelter/v1', 'https://pets.test/shelter/v1'],
    [`https://pets.test/${secret}/v1`, 'https://pets.test/$KEY/v1'],
    [`https://pets.test/v1?key=${secret}`, 'https://pets.test/v1?key=$KEY'],
    [`no URL, but ${secret}`, 'no URL, but $KEY'],
  ] as const)
    it(`is ${shown} for ${url}`, () => assert.equal(redactUrl(url, redact), shown))
})
