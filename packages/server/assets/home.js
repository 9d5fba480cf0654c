import { call, enableCopying, get, make, showFaults, tokenPanel, warnOfPlainHttp } from './page.js'

const form = get('form')
enableCopying(document, get('copied'))
get('commands').textContent = [
  'npm install ../signalbox/packages/config ../signalbox/packages/cli # where your clone is',
  `npx signalbox login --server ${location.origin}`,
  'npx signalbox init',
  'npx signalbox push --env development',
].join('\n')
await show()

form.addEventListener('submit', async (event) => {
  event.preventDefault()
  const { email, password } = Object.fromEntries(new FormData(form))
  get('submit').disabled = true
  const { ok, body } = await call('POST', '/sessions', { email, password })
  get('submit').disabled = false
  if (!ok) return showFaults(form, get('alert'), body)
  form.reset()
  await show()
  get('welcome').focus()
})

get('sign-out').addEventListener('click', async () => {
  await call('DELETE', '/sessions/current')
  location.reload()
})

get('create-token').addEventListener('click', createToken)

const confirmForm = get('confirm')
confirmForm.addEventListener('submit', async (event) => {
  event.preventDefault()
  const password = new FormData(confirmForm).get('confirm-password')
  get('confirm-submit').disabled = true
  const { ok, body } = await call('POST', '/sessions/current/confirm', { password })
  get('confirm-submit').disabled = false
  if (!ok) return showFaults(confirmForm, get('home-alert'), body)
  confirmForm.reset()
  confirmForm.hidden = true
  await createToken()
})

async function createToken() {
  const { ok, body } = await call('POST', '/me/tokens', { name: 'Command line' })
  get('home-alert').textContent = ok ? '' : body.detail
  if (!ok) {
    confirmForm.hidden = body.code !== 'step_up_required'
    if (!confirmForm.hidden) get('confirm-password').focus()
    return
  }
  const title = 'Personal access token'
  const hint = 'The login asks for it. Keep it as you keep a password.'
  get('token').replaceChildren(
    tokenPanel({ id: 'personal-token', title, hint, token: body.secret }),
  )
}

async function show() {
  const { ok, status, body } = await call('GET', '/me')
  get('sign-in').hidden = ok
  get('home').hidden = !ok
  if (!ok) {
    get('alert').textContent = status === 401 ? '' : body.detail
    warnOfPlainHttp(get('alert'))
    return
  }
  get('welcome').textContent = `Hello, ${body.name}`
  const items = body.organizations.map(({ name, slug, role }) =>
    make(
      'li',
      {},
      make('span', { text: name }),
      make('span', { className: 'hint', text: `${slug} · ${role}` }),
    ),
  )
  get('organizations').replaceChildren(...items)
}
