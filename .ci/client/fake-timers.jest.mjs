// Jest's fake timers replace the clocks, in Jest 29 even by a value that is not a number.
import { createPetClient } from 'pet-adoption-service/client'

const { jest } = import.meta

test('the client waits for the limits under fake timers', async () => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] })
  let requests = 0
  const fetch = async () => {
    requests++
    if (requests > 1) return new Response('[]')
    const body = JSON.stringify({ code: 'rate_limit_exceeded', message: 'Wait.', status: 429 })
    return new Response(body, { status: 429, headers: { 'Retry-After': '10' } })
  }
  const pets = createPetClient({ baseUrl: 'http://pets.test/v1', apiKey: 'my-first-long-api-key', fetch })
  const settle = async () => {
    for (let i = 0; i < 20; i++) await new Promise(setImmediate)
  }
  const first = pets.list().page()
  await settle()
  const others = Array.from({ length: 30 }, () => pets.list().page())
  await settle()
  expect(requests).toBe(1)
  await jest.advanceTimersByTimeAsync(9_000)
  expect(requests).toBe(1)
  await jest.advanceTimersByTimeAsync(10_000)
  await Promise.all([first, ...others])
  expect(requests).toBe(32)
})
