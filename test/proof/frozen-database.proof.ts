import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { openProofService, until, type ProofService } from '../testing/proof-service.ts'

const rounds = 3 * inject('scale')
/** Allows the promised three seconds, and a tenth for a busy machine. */
const refusedWithinMs = 3_300
/** More than there are connections. */
const callersOfEach = 8

let proof: ProofService
let requests: readonly (readonly [request: string, body?: object])[]

interface Made {
  readonly id: string
}

interface Answer {
  readonly request: string
  readonly status: number
  readonly ms: number
}

async function send(request: string, body?: object): Promise<Response> {
  const [method = '', path = ''] = request.split(' ')
  return fetch(`${proof.current().apiUrl}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${proof.bootstrapToken}`,
      'content-type': 'application/json',
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
}

async function make(request: string, body: object): Promise<Made> {
  const answer = await send(request, body)
  if (!answer.ok) throw new Error(`${request}: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as Made
}

beforeAll(async () => {
  proof = await openProofService()
  const org = `/organizations/${(await make('POST /organizations', { name: 'Acme' })).id}`
  const environment = await make(`POST ${org}/environments`, { name: 'live' })
  const schema = await make(`POST ${org}/config-schemas`, {
    name: 'web',
    schema: { theme: { type: 'string', tier: 'public', default: 'dark' } },
  })
  const key = await make(`POST ${org}/api-keys`, { name: 'a key', kind: 'm2m' })
  const target = { schemaId: schema.id, environmentId: environment.id }
  requests = [
    [`GET ${org}/environments`],
    [`PUT ${org}/config-values`, { ...target, values: { theme: 'light' } }],
    [`POST ${org}/api-keys`, { name: 'another', kind: 'b2m' }],
    [`POST ${org}/api-keys/${key.id}/rotate`, {}],
    ['POST /organizations', { name: 'Other' }],
  ]
}, 120_000)

afterAll(async () => {
  await proof?.freezeDatabase(false)
  await proof?.close()
})

/** Asks as fast as it can until `isOver`, and notes every answer. */
async function keepAsking(
  [request, body]: readonly [string, object?],
  isOver: () => boolean,
  answers: Answer[],
): Promise<void> {
  while (!isOver()) {
    const begunAt = performance.now()
    const answer = await send(request, body)
    await answer.arrayBuffer()
    answers.push({ request, status: answer.status, ms: Math.round(performance.now() - begunAt) })
  }
}

describe('a database that freezes while it is written to', () => {
  it(`is refused within three seconds in each of ${rounds} rounds, and works again once it goes on`, async () => {
    const answers: Answer[] = []
    for (let round = 0; round < rounds; round += 1) {
      let isOver = false
      const callers = requests.flatMap((each) => Array<typeof each>(callersOfEach).fill(each))
      const asking = callers.map((each) => keepAsking(each, () => isOver, answers))
      await delay(300 + Math.random() * 200)
      await proof.freezeDatabase(true)
      await delay(8_000)
      isOver = true
      await Promise.all(asking)
      await proof.freezeDatabase(false)
      const [request, body] = requests[1] ?? ['']
      await until(async () => (await send(request, body)).ok, 'a write', 30_000)
    }
    const refused = answers.filter(({ status }) => status >= 500)
    const slowest = answers.toSorted((one, other) => other.ms - one.ms).slice(0, 5)
    console.log(
      `frozen database: ${answers.length} answers, ${refused.length} refused, slowest ${JSON.stringify(slowest)}`,
    )
    expect(refused.length).toBeGreaterThan(0)
    expect(refused.filter(({ status }) => status !== 503)).toEqual([])
    expect(answers.filter(({ ms }) => ms > refusedWithinMs)).toEqual([])
  }, 240_000)
})
