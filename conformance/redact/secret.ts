/** A text that must not be stored, and the placeholder that replaces it. */
export interface Secret {
  readonly value: string
  readonly placeholder: string
}
