import { endpoints, type EndpointShape } from '@signalbox/contract/rest'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openConnected, type Connected } from './testing/open-connected.ts'

const all: readonly EndpointShape[] = Object.values(endpoints)
const declared = all.filter(({ stepUp }) => stepUp === true)

let service: Connected
let reveal: string

beforeAll(async () => {
  service = await openConnected()
  const { ask, orgId } = service
  const { items } = await ask<{ items: { id: string }[] }>('GET /environments')
  const schema = { name: 'web', schema: { token: { type: 'string', tier: 'secret' } } }
  const { id } = await ask<{ id: string }>('POST /config-schemas', schema)
  const place = { schemaId: id, environmentId: items[0]?.id ?? '' }
  await ask('PUT /config-values', { ...place, values: { token: 'the secret of the test' } })
  reveal = `GET /organizations/${orgId}/config-values?${new URLSearchParams({ ...place, reveal: 'true' })}`
})
afterAll(() => service?.close())

/** Places where only some words stand for anything. */
const words: Readonly<Record<string, string>> = { kind: 'codehost', provider: 'github' }

const toRequest = ({ method, path }: EndpointShape) =>
  `${method} ${path
    .replace('{org_id}', service.orgId)
    .replaceAll(/\{(\w+)\}/g, (_, place: string) => words[place] ?? 'absent')}`

/** What the owner is told in the browser: the code of the problem, or else the status. */
async function send(request: string): Promise<string | number> {
  const [method = '', path = ''] = request.split(' ')
  const { apiUrl, session } = service
  const answer = await fetch(`${apiUrl}${path}`, {
    method,
    redirect: 'manual',
    headers: {
      cookie: session,
      origin: apiUrl,
      'x-requested-by': 'dashboard',
      ...(method !== 'GET' && { 'content-type': 'application/json' }),
    },
    ...(method !== 'GET' && { body: '{}' }),
  })
  const text = await answer.text()
  const isProblem = answer.headers.get('content-type')?.startsWith('application/problem+json')
  return isProblem === true ? JSON.parse(text).code : answer.status
}

const typedMinutesAgo = (minutes: number) =>
  service.asOwner(
    `update sessions set authenticated_at = now() - make_interval(mins => ${minutes})`,
  )

async function answersOf(requests: readonly string[]) {
  const answers: (readonly [request: string, answer: string | number])[] = []
  for (const request of requests) answers.push([request, await send(request)])
  return answers
}

/** The look first: some of the others end what it looks at. */
const allRequests = () => [reveal, ...declared.map(toRequest)]

describe('a password that was typed eleven minutes ago', () => {
  it('is asked for again by whatever of the whole service declares it, and by a look at a secret', async () => {
    await typedMinutesAgo(11)
    expect(declared).not.toEqual([])
    const refused = allRequests().map((request) => [request, 'step_up_required'])
    expect(await answersOf(allRequests())).toEqual(refused)
  })

  it('control: would have done for each of them two minutes before', async () => {
    await typedMinutesAgo(9)
    const answers = await answersOf(allRequests())
    expect(answers.filter(([, answer]) => answer === 'step_up_required')).toEqual([])
    expect(answers[0]).toEqual([reveal, 200])
  })
})
