import type { TestContext } from 'node:test'

/** Returns the warnings of this package, as the process receives them. */
export function recordWarnings(t: TestContext): readonly string[] {
  const warnings: string[] = []
  t.mock.method(process, 'emitWarning', (warning: string | Error) => {
    const text = String(warning)
    if (text.startsWith('pet-adoption-service: ')) warnings.push(text)
  })
  return warnings
}
