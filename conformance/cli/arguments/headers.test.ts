import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { UsageError } from './errors.ts'
import { readHeaders } from './headers.ts'

const env = { TENANT: 's3cret-tenant', WORD: 'sesame', EMPTY: '' }

describe('--header', () => {
  it('takes a value from the environment, and shows the variable', () => {
    assert.deepEqual(readHeaders(['X-Tenant: $TENANT', `X-Gate:open \${WORD}s`], env), {
      'X-Tenant': {
        value: 's3cret-tenant',
        shown: '$TENANT',
        parts: [{ value: 's3cret-tenant', placeholder: '$TENANT' }],
      },
      'X-Gate': {
        value: 'open sesames',
        shown: `open \${WORD}s`,
        parts: [{ value: 'sesame', placeholder: `\${WORD}` }],
      },
    })
  })

  it('takes a value that is written out, and shows a variable that is named for the header', () => {
    assert.deepEqual(readHeaders(['X-Team: a:b'], env), { 'X-Team': { value: 'a:b', shown: '$X_TEAM' } })
  })

  it('takes two dollar signs for one', () => {
    assert.equal(readHeaders(['X-Price: 5$$'], env)['X-Price']?.value, '5$')
    assert.equal(readHeaders(['X-Price: $$TENANT'], env)['X-Price']?.value, '$TENANT')
  })

  for (const [what, text, message] of [
    ['a variable that is not set', 'X-A: $NONE', /X-A names the variable NONE, which is not set/],
    ['a variable that is empty', `X-A: \${EMPTY}`, /EMPTY, which is not set/],
    ['no colon', 'X-A s3cret', /--header number 1 must be 'Name: value'/],
  ] as const) {
    it(`with ${what} is an error that quotes no value`, () => {
      assert.throws(
        () => readHeaders([text], env),
        (error) =>
          error instanceof UsageError && message.test(error.message) && !/s3cret/.test(error.message),
      )
    })
  }

  it('with one name twice is an error', () => {
    assert.throws(() => readHeaders(['X-A: 1', 'x-a: 2'], env), /--header has x-a twice: join the values/)
  })
})
