import { request } from 'node:http'
import { json } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { newId } from '../crypto/ids.ts'
import {
  openTestDelivery,
  otherOrgId,
  testSnapshot,
  type TestDelivery,
} from './testing/test-delivery.ts'

let delivery: TestDelivery

beforeEach(async () => {
  delivery = await openTestDelivery()
})
afterEach(() => delivery.close())

/** Two environments of two organizations: alike in name, schema, version and keys, so that what tells them apart is their id. */
const organizations = [
  { orgId: testSnapshot.orgId, slug: 'acme' },
  { orgId: otherOrgId, slug: 'other' },
].map((organization) => ({ ...organization, schemaId: newId('sch', new Date()), schema: 'web' }))

const environments = organizations.flatMap((organization) =>
  ['production', 'staging'].map((environment) => ({
    ...organization,
    environment,
    environmentId: newId('env', new Date()),
    canary: `canary-of-${organization.slug}-${environment}`,
  })),
)
type TestEnvironment = (typeof environments)[number]

async function publishAll(): Promise<void> {
  for (const { canary, slug: _slug, ...where } of environments) {
    const values = {
      ...where,
      public: { apiUrl: canary },
      featureFlags: { ours: false, alike: false },
      flagSources: { ours: 'set', alike: 'set' },
      flagRules: {
        // Of another text everywhere, and of the same.
        ours: [
          { when: [{ attribute: 'customer', operator: 'equals', value: canary }], serve: true },
        ],
        alike: [{ when: [{ attribute: 'pro', operator: 'exists' }], serve: true }],
      },
    } as const
    delivery.publisher.publishBrowser(values)
    delivery.publisher.publishServer({ ...values, secret: { password: `secret-${canary}` } })
  }
  await delivery.delivery.refresh()
}

/** A question whose head has been sent, and whose body comes when it is told to. */
function openQuestion(path: string, headers: Readonly<Record<string, string>>, content: object) {
  const body = JSON.stringify(content)
  const sent = request({
    host: '127.0.0.1',
    port: delivery.port,
    path,
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', 'content-length': body.length },
    agent: false,
  })
  const answer = new Promise<unknown>((resolve, reject) => {
    sent.on('error', reject)
    sent.on('response', (response) => {
      json(response).then(resolve, reject)
    })
  })
  sent.flushHeaders()
  return { answer, sendBody: () => sent.end(body) }
}

/** Sends every request to every environment at once, and pairs each answer with the expected one. */
function openQuestions(of: TestEnvironment, headers: Readonly<Record<string, string>>) {
  const flagsOf = `/organizations/${of.slug}/environments/${of.environment}/ofrep/v1/evaluate/flags`
  const oneOf = `/organizations/${of.slug}/config/feature-flags/ours/evaluate`
  return environments.flatMap(({ canary: customer }, index) => {
    const context = index % 2 === 0 ? { customer, pro: true } : { customer }
    const [ours, alike] = [customer === of.canary, index % 2 === 0]
    const flag = (key: string, value: boolean) => ({ key, value, reason: 'TARGETING_MATCH' })
    return [
      {
        ...openQuestion(flagsOf, headers, { context }),
        expected: { flags: [flag('ours', ours), flag('alike', alike)] },
      },
      {
        ...openQuestion(oneOf, headers, { environment: of.environment, context }),
        expected: { value: ours, source: 'set' },
      },
    ]
  })
}

const canariesIn = (text: string) =>
  environments.map(({ canary }) => canary).filter((canary) => text.includes(canary))

describe('concurrent requests for two environments of two organizations (Hono fab3b136)', () => {
  it('get the flags of the requested environment, for the context that was sent', async () => {
    await publishAll()
    const questions = environments.flatMap((of) =>
      openQuestions(of, delivery.addKey('m2m', { orgId: of.orgId }).headers),
    )
    // An answer to somebody who came later: the heads have been read by now, and every question waits for its body.
    const { headers } = delivery.addKey('b2m', { orgId: testSnapshot.orgId })
    const { schemaId, environmentId } = environments[0] ?? testSnapshot
    expect(
      (await delivery.ask(`/snapshots/${schemaId}/${environmentId}`, { headers })).status,
    ).toBe(200)
    for (const { sendBody } of questions.toReversed()) sendBody()
    for (const { answer, expected } of questions) {
      expect(await answer).toMatchObject(expected)
    }
    expect(questions).toHaveLength(32)
  })

  it('get the values of the requested environment, however they are read and by any key', async () => {
    await publishAll()
    const requests = environments.flatMap((of) => {
      const named = `/organizations/${of.slug}/config/values`
      const paths = [
        `/snapshots/${of.schemaId}/${of.environmentId}`,
        `/snapshots/${of.schemaId}/${of.environmentId}/1`,
        `/organizations/${of.slug}/config/snapshot?environment=${of.environment}`,
        `${named}?environment=${of.environment}`,
        `${named}/apiUrl?environment=${of.environment}`,
      ]
      return (['b2m', 'm2m'] as const).flatMap((kind) => {
        const { headers } = delivery.addKey(kind, { orgId: of.orgId })
        return paths.map((path) => ({ of, kind, path, headers }))
      })
    })
    const twice = [...requests, ...requests.toReversed()]
    const answers = await Promise.all(
      twice.map(({ path, headers }) => delivery.ask(path, { headers })),
    )
    const seen = answers.map(({ status, text }, index) => [
      twice[index]?.path,
      status,
      canariesIn(text),
      text.includes('secret-'),
    ])
    expect(seen).toEqual(
      twice.map(({ of, kind, path }) => [
        path,
        200,
        [of.canary],
        kind === 'm2m' && !path.includes('apiUrl'),
      ]),
    )
  })
})
