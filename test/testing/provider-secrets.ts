import type { Sandbox } from '@signalbox/sandbox'
import type { Canaries } from './canaries.ts'

/** Members of bodies that prove something. */
const secretMembers = [
  'code',
  'code_verifier',
  'refresh_token',
  'access_token',
  'client_secret',
  'client_assertion',
  'token',
]
/** Shorter ones would be seen by chance. */
const lengthMin = 12

type LoggedRequest = ReturnType<Sandbox['log']['list']>[number]

/** Makes a canary of everything secret that the service has sent to the providers so far, and of what it was set up with. */
export function addProviderSecrets(
  canaries: Canaries,
  { log, github, jira, slack }: Sandbox,
): void {
  const known = new Set(canaries.all.map(({ text }) => text))
  const add = (label: string, text: string) => {
    if (text.length < lengthMin || known.has(text)) return
    known.add(text)
    canaries.add({ kind: 'credential', label, text })
  }
  add('private key of GitHub', github.app.privateKey.split('\n')[5] ?? '')
  add('client secret of GitHub', github.app.clientSecret)
  add('webhook secret of GitHub', github.app.webhookSecret ?? '')
  add('client secret of Jira', jira.app.clientSecret)
  add('client secret of Slack', slack.app.clientSecret)
  add('signing secret of Slack', slack.app.signingSecret)
  for (const request of log.list()) {
    for (const [name, text] of secretsOf(request)) add(`${name} of ${request.provider}`, text)
  }
}

function secretsOf({ headers, body }: LoggedRequest): (readonly [name: string, text: string])[] {
  const [scheme = '', proof = ''] = (headers['authorization'] ?? '').split(' ')
  const shown = /^basic$/i.test(scheme)
    ? (Buffer.from(proof, 'base64').toString().split(':')[1] ?? '')
    : // Of a signed token, what makes it one.
      (proof.split('.')[2] ?? proof)
  const members = membersOf(body)
  return [
    ['authorization', shown],
    ...secretMembers.map((name) => [name, members.get(name) ?? ''] as const),
  ]
}

function membersOf(body: string): ReadonlyMap<string, string> {
  if (!body.startsWith('{')) return new Map(new URLSearchParams(body))
  const entries = Object.entries(Object(JSON.parse(body)))
  return new Map(
    entries.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  )
}
