import { collectMembers, type Description, followReference, readCodes, type Schema } from './description.ts'
import { type Html, html } from './html.ts'

/** The bodies that the page describes, in its order. */
const names = ['Pet', 'NewPet', 'Error']

/** Returns a table of the members of each body, with their enumerations. */
export function formatSchemas(description: Description): Html {
  return html`${names.map((name) => schemaTable(name, description))}`
}

function schemaTable(name: string, description: Description): Html {
  const schema = description.components.schemas[name] ?? {}
  const { properties = {}, required = [] } = collectMembers(description, schema)
  const codes = name === 'Error' ? readCodes(description) : []
  return html`
<h3 id="schema-${name}">${name}</h3>
<dl>${Object.entries(properties).map(([member, value]) =>
    memberRow(member, value, required.includes(member), member === 'code' ? codes : [], description),
  )}</dl>`
}

function memberRow(
  name: string,
  schema: Schema,
  isRequired: boolean,
  codes: readonly string[],
  description: Description,
): Html {
  const [, { type = '', format, description: meaning = '', maxLength, enum: values = [] }] = followReference(
    description,
    schema,
  )
  const notes = [
    format ? `${type} (${format})` : type,
    isRequired ? 'required' : 'optional',
    ...(maxLength === undefined ? [] : [`at most ${maxLength} characters`]),
  ]
  const choices = [...values, ...codes]
  return html`<div><dt><code>${name}</code></dt><dd><span class="note">${notes.join(', ')}</span> ${meaning}${
    choices.length > 0 &&
    html`: <span class="choices">${choices.map((choice) =>
      codes.includes(choice)
        ? html`<a href="#error-${choice}"><code>${choice}</code></a> `
        : html`<code>${choice}</code> `,
    )}</span>`
  }</dd></div>`
}
