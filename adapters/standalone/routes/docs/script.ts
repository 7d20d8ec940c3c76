/**
 * The script of the page. It sends the values as they are typed, and shows responses as text: an int64 is never parsed
 * as a number, and nothing of a response becomes HTML. The key stays in its field.
 */
export const script = `'use strict'
const key = document.getElementById('key')
const show = document.getElementById('show')

show.addEventListener('click', () => {
  const reveal = key.type === 'password'
  key.type = reveal ? 'text' : 'password'
  show.setAttribute('aria-pressed', String(reveal))
})

for (const form of document.forms) {
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    if (form.getAttribute('aria-busy') !== 'true') send(form)
  })
}

async function send(form) {
  const part = (name) => form.querySelector('[data-part=' + name + ']')
  const setText = (name, text) => { part(name).textContent = text }
  form.setAttribute('aria-busy', 'true')
  part('response').hidden = true
  setText('status-line', 'Waiting for the response')
  try {
    const { target, init } = requestOf(form)
    const token = key.value.trim()
    const headers = token === '' ? init.headers : { ...init.headers, Authorization: 'Bearer ' + token }
    const started = performance.now()
    const response = await fetch(target, { ...init, headers, credentials: 'omit', cache: 'no-store' })
    const body = await response.text()
    const ms = Math.round(performance.now() - started)
    setText('status-line', response.status + ' ' + response.statusText + ', after ' + ms + ' ms' + (token === '' ? ', sent without a key' : ''))
    part('status-line').dataset.ok = String(response.ok)
    setText('body', body)
    setText('headers', [...response.headers].map(([name, value]) => name + ': ' + value).join('\\n'))
    setText('curl', curl(target, init))
    part('response').hidden = false
  } catch (error) {
    part('status-line').dataset.ok = 'false'
    setText('status-line', 'No response: ' + error.message)
  }
  form.removeAttribute('aria-busy')
}

function requestOf(form) {
  let path = form.dataset.path
  const query = []
  const init = { method: form.dataset.method, headers: {} }
  for (const { name, value, dataset } of form.elements) {
    if (dataset.in === 'path') path = path.replace('{' + name + '}', encodeURIComponent(value))
    if (dataset.in === 'query' && value !== '') query.push(name + '=' + encodeURIComponent(value))
    if (dataset.in === 'header' && value !== '') init.headers[name] = value
    if (dataset.in === 'body') {
      init.headers['Content-Type'] = 'application/json'
      init.body = value
    }
  }
  return { target: query.length > 0 ? path + '?' + query.join('&') : path, init }
}

function curl(target, { headers, body }) {
  const quote = (text) => "'" + text.replaceAll("'", "'\\\\''") + "'"
  const lines = ['curl ' + quote(location.origin + target), '-H "Authorization: Bearer $PET_ADOPTION_API_KEY"']
  for (const [name, value] of Object.entries(headers)) lines.push('-H ' + quote(name + ': ' + value))
  if (body !== undefined) lines.push('--data-raw ' + quote(body))
  return lines.join(' \\\\\\n  ')
}
`
