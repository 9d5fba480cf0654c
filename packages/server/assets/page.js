/** The element with this id; a page without it is a mistake of ours. */
export function get(id) {
  const element = document.getElementById(id)
  if (element === null) throw new Error(`The page has no #${id}`)
  return element
}

/** Makes an element with text, never with markup. */
export function make(tag, { text, ...properties } = {}, ...children) {
  const element = document.createElement(tag)
  Object.assign(element, properties)
  if (text !== undefined) element.textContent = text
  element.append(...children)
  return element
}

/** Calls the API as this page's visitor. Answers `{ ok, status, body }` and never throws for an answer. */
export async function call(method, path, body) {
  const request = new Request(path, {
    method,
    headers: { 'X-Requested-By': 'signalbox', 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  try {
    const answer = await fetch(request)
    const text = await answer.text()
    return {
      ok: answer.ok,
      status: answer.status,
      body: text === '' ? undefined : JSON.parse(text),
    }
  } catch {
    const detail = 'The server does not answer. Check that it runs, then try again.'
    return { ok: false, status: 0, body: { code: 'unreachable', detail } }
  }
}

/** Shows what the server refused: beside each field it names, and the rest on top. */
export function showFaults(form, alert, problem) {
  for (const fault of form.querySelectorAll('.fault')) fault.textContent = ''
  for (const input of form.querySelectorAll('input')) input.removeAttribute('aria-invalid')
  const errors = problem.errors ?? []
  const placed = errors.filter(({ pointer, detail }) => showFault(form, pointer.slice(1), detail))
  const isPlaced = errors.length > 0 && placed.length === errors.length
  alert.textContent = isPlaced ? '' : problem.detail
  form.querySelector('[aria-invalid=true]')?.focus()
}

/** Answers whether the form has such a field. */
function showFault(form, name, detail) {
  const fault = document.getElementById(`${name}-fault`)
  if (fault === null) return false
  fault.textContent = detail
  form.elements[name].setAttribute('aria-invalid', 'true')
  return true
}

/** Copies the text of the element that a button names, and says so to those who do not see it. */
export function enableCopying(root, status) {
  root.addEventListener('click', async (event) => {
    const button = event.target.closest('button[data-copy]')
    if (button === null) return
    const source = get(button.dataset.copy)
    if (navigator.clipboard === undefined) {
      getSelection()?.selectAllChildren(source)
      status.textContent = 'Selected. Copy it with the keyboard.'
      return
    }
    await navigator.clipboard.writeText(source.textContent)
    button.textContent = 'Copied'
    status.textContent = 'Copied to the clipboard.'
    setTimeout(() => {
      button.textContent = 'Copy'
    }, 2000)
  })
}

/** Browsers keep no session that came over plain http, except from this machine: signing in would seem to do nothing. */
export function warnOfPlainHttp(alert) {
  if (isSecureContext) return
  alert.textContent =
    'This address is plain http, over which browsers keep no sign-in. Open it with https, or on the machine itself.'
}

/** A token that is shown once, with a button to copy it. */
export function tokenPanel({ id, title, hint, token }) {
  const button = make('button', { type: 'button', className: 'plain', text: 'Copy' })
  button.dataset.copy = id
  button.setAttribute('aria-label', `Copy: ${title}`)
  return make(
    'div',
    { className: 'panel' },
    make('h2', { text: title }),
    make('p', { className: 'hint', text: hint }),
    make('div', { className: 'key' }, make('code', { id, text: token }), button),
  )
}
