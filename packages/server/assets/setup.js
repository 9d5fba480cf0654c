import { call, enableCopying, get, showFaults, tokenPanel, warnOfPlainHttp } from './page.js'

const form = get('form')
// Behind the #, so that no server or proxy on the way has seen it.
const token = new URLSearchParams(location.hash.slice(1)).get('token') ?? ''

warnOfPlainHttp(get('alert'))
if (token === '')
  refuse(
    'This address lacks its one-time token. Open the link that the server printed at its start.',
  )
enableCopying(document, get('copied'))

form.addEventListener('submit', async (event) => {
  event.preventDefault()
  const { name, email, password, organizationName } = Object.fromEntries(new FormData(form))
  get('submit').disabled = true
  const { ok, body } = await call('POST', '/setup', {
    token,
    name,
    email,
    password,
    organizationName,
  })
  get('submit').disabled = false
  if (ok) return show(body)
  if (body.code === 'setup_closed' || body.code === 'setup_forbidden') return refuse(body.detail)
  showFaults(form, get('alert'), body)
})

function refuse(detail) {
  form.hidden = true
  get('ask-lead').hidden = true
  get('alert').textContent = detail
}

function show({ keys, environments, configUrl }) {
  history.replaceState(null, '', location.pathname)
  const texts = {
    m2m: [
      'Server key',
      'Reads and writes everything in the organization, secrets included. Keep it on servers.',
    ],
    b2m: [
      'Browser key',
      'Reads public values and feature flags, nothing else. It may stand in a web page.',
    ],
  }
  for (const { kind, secret } of keys) {
    const [title, hint] = texts[kind]
    get('keys').append(tokenPanel({ id: `key-${kind}`, title, hint, token: secret }))
  }
  const [first] = environments
  get('commands').textContent = [
    'npm install ../signalbox/packages/config ../signalbox/packages/cli # where your clone is',
    `npx signalbox login --server ${location.origin}`,
    'npx signalbox init',
    `npx signalbox push --env ${first.name}`,
  ].join('\n')
  get('snippet').textContent = [
    `import { createConfigClient } from '@signalbox/config/client'`,
    '',
    'const config = createConfigClient({',
    `  serverUrl: '${configUrl}',`,
    '  token: process.env.SIGNALBOX_TOKEN,',
    `  schemaId: 'sch_…', // printed by the push`,
    `  environmentId: '${first.id}', // ${first.name}`,
    '})',
    '',
    `await config.get('apiUrl')`,
    `await config.flag('newCheckout')`,
  ].join('\n')
  get('ask').hidden = true
  get('done').hidden = false
  get('done-title').focus()
}
