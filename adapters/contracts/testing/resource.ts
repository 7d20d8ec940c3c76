import { type TestContext, test } from 'node:test'

type Test<T> = (name: string, body: (t: TestContext, value: T) => void | Promise<void>) => unknown

/** A resource that a test needs but a machine may lack: its value, or the reason why it is absent. */
export type Resource<T> = { readonly value: T } | { readonly absent: string }

/** Returns a `test` function that passes the value to each test, or skips the test. */
export function testWith<T>(resource: Resource<T>): Test<T> {
  return (name, body) =>
    'value' in resource
      ? test(name, (t) => body(t, resource.value))
      : test.skip(`${name} (skipped: ${resource.absent})`)
}

/**
 * Returns the value.
 *
 * @throws {Error} The resource is absent.
 */
export function getResource<T>(resource: Resource<T>): T {
  if ('value' in resource) return resource.value
  throw new Error(resource.absent)
}

/** Combines resources. The result is absent if any resource is absent. */
export function combineResources<T extends readonly unknown[]>(
  ...resources: { readonly [K in keyof T]: Resource<T[K]> }
): Resource<T> {
  const absentResource = resources.find((resource) => 'absent' in resource)
  // All resources have values here, in the order of `T`.
  return absentResource ?? { value: resources.map(getResource) as unknown as T }
}

/** Throws if the resource is absent in CI, where it must be installed. */
export function requireOnCi<T>(resource: Resource<T>): Resource<T> {
  if ('absent' in resource && process.env.CI === 'true') throw new Error(resource.absent)
  return resource
}

/** Converts a resource's value. */
export function mapResource<T, U>(resource: Resource<T>, make: (value: T) => U): Resource<U> {
  return 'value' in resource ? { value: make(resource.value) } : resource
}

/** Connects to a service. The resource is absent if the connection fails, except in CI, where this throws. */
export async function connectResource<T>(connect: () => Promise<T>): Promise<Resource<T>> {
  try {
    return { value: await connect() }
  } catch (error) {
    if (process.env.CI === 'true') throw error
    return { absent: String(error) }
  }
}
