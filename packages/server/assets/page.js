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
  const headers = { 'X-Requested-By': 'signalbox' }
  if (body !== undefined) headers['Content-Type'] = 'application/json'
  try {
    const answer = await fetch(path, { method, headers, body: body && JSON.stringify(body) })
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
  let unplaced = 0
  for (const fault of form.querySelectorAll('.fault')) fault.textContent = ''
  for (const input of form.querySelectorAll('input')) input.removeAttribute('aria-invalid')
  for (const { pointer, detail } of problem?.errors ?? []) {
    const name = pointer.slice(1)
    const fault = document.getElementById(`${name}-fault`)
    if (fault === null) unplaced += 1
    else {
      fault.textContent = detail
      form.elements[name].setAttribute('aria-invalid', 'true')
    }
  }
  const isPlaced = (problem?.errors?.length ?? 0) > 0 && unplaced === 0
  alert.textContent = problem === undefined || isPlaced ? '' : problem.detail
  form.querySelector('[aria-invalid=true]')?.focus()
}

/** Copies the text of the element that a button names, and says so to those who do not see it. */
export function enableCopying(root, status) {
  root.addEventListener('click', async (event) => {
    const button = event.target.closest('button[data-copy]')
    if (button === null) return
    await navigator.clipboard.writeText(get(button.dataset.copy).textContent)
    button.textContent = 'Copied'
    status.textContent = 'Copied to the clipboard.'
    setTimeout(() => {
      button.textContent = 'Copy'
    }, 2000)
  })
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
