import type { TestContext } from 'node:test'

/** Records this package's process warnings instead of printing them. */
export function recordWarnings(t: TestContext): readonly string[] {
  const warnings: string[] = []
  t.mock.method(process, 'emitWarning', (warning: string | Error) => {
    const warningText = String(warning)
    if (warningText.startsWith('pet-adoption-service: ')) warnings.push(warningText)
  })
  return warnings
}
