import { integrationKinds, type IntegrationKind } from '@signalbox/contract/rest'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Integration } from '../../packages/server/src/integrations/integration.ts'
import { connectAll } from '../../packages/server/src/start/testing/connect-organization.ts'
import {
  openConnected,
  type Connected,
} from '../../packages/server/src/start/testing/open-connected.ts'
import { openShop, type Shop } from '../../packages/server/src/start/testing/play-push.ts'

const providers = { codehost: 'github', tracker: 'jira', chat: 'slack' } as const
const deployments = 12
/** Allows for requests that were in flight with the response in an overloaded process. Usually zero or a few milliseconds. */
const graceMs = 1_000

let service: Connected
let shop: Shop

beforeAll(async () => {
  service = await openConnected()
  await Promise.all([service.addNode(), service.addNode()])
  shop = openShop(service.sandbox)
})
afterAll(() => service?.close())

type Logged = ReturnType<Connected['sandbox']['log']['list']>[number]

/** Returns whether a request uses the organization's grant. The App authenticates as itself, and a revocation is no use. */
function isUse({ path, headers }: Logged): boolean {
  const speaksForItself = headers['authorization']?.startsWith('Bearer eyJ') === true
  const mints = path.endsWith('/access_tokens')
  return (mints || !speaksForItself) && !path.startsWith('/auth.revoke')
}

const usesOf = (kind: IntegrationKind) =>
  service.sandbox.log
    .list()
    .filter((request) => request.provider === providers[kind] && isUse(request))

function deploy(name: string): void {
  for (let n = 0; n < deployments; n += 1) {
    shop.push(`ABC-1 Try ${name} ${n}`)
    shop.deploy(`${name}-${n}`, ['queued', 'in_progress', 'success'])
  }
}

/** Begins a sync of fifteen repositories, and the enrichment of deployments and their messages, at providers that take their time. */
async function startWork(): Promise<void> {
  const { sandbox } = service
  const { activity, state } = sandbox.github
  const acme = state.accounts.get('acme')
  if (acme === undefined) throw new Error('The seed has lost its account')
  for (let n = 0; n < 15; n += 1) activity.addRepository({ owner: acme, name: `shop-${n}` })
  await connectAll(service)
  await service.ask('PATCH /integrations/chat', {
    defaultChannelId: sandbox.slack.channelId('deployments'),
  })
  for (const provider of Object.values(providers)) {
    sandbox.faults.add({ provider, times: 100_000, fault: { kind: 'slow', ms: 150 } })
  }
  sandbox.log.reset()
  await service.ask('POST /integrations/codehost/sync')
  deploy('first')
  await expect
    .poll(() => integrationKinds.map((kind) => usesOf(kind).length >= 2))
    .toEqual([true, true, true])
}

interface Late {
  readonly kind: IntegrationKind
  readonly request: string
  readonly lateMs: number
}

/** Uses that came after `moments` of their kinds. */
function findLate(moments: ReadonlyMap<IntegrationKind, number>): Late[] {
  return [...moments].flatMap(([kind, moment]) =>
    usesOf(kind).flatMap(({ method, path, at }) => {
      const lateMs = Date.parse(at) - moment
      return lateMs > 0 ? [{ kind, request: `${method} ${path}`, lateMs }] : []
    }),
  )
}

/** Does it to all three at once, and answers when each was done. */
async function endAll(
  end: (kind: IntegrationKind) => Promise<unknown>,
): Promise<Map<IntegrationKind, number>> {
  const moments = new Map<IntegrationKind, number>()
  await Promise.all(
    integrationKinds.map(async (kind) => {
      await end(kind)
      moments.set(kind, Date.now())
    }),
  )
  return moments
}

async function revocations(): Promise<readonly unknown[]> {
  type Standing = Pick<Integration, 'revocation'>
  const all = await service.ask<Record<IntegrationKind, Standing>>('GET /integrations')
  return integrationKinds.map((kind) => all[kind].revocation?.state)
}

/** Long enough for whatever still goes on to ask again. */
async function waitForMore(kinds: readonly IntegrationKind[]): Promise<void> {
  const count = () => kinds.reduce((sum, kind) => sum + usesOf(kind).length, 0)
  let before = -1
  await expect
    .poll(
      () => {
        const isQuiet = count() === before
        before = count()
        return isQuiet
      },
      { interval: 2_000 },
    )
    .toBe(true)
}

describe('an integration that is disconnected while three nodes work with it (S12)', () => {
  it('is used no more from the moment of the answer, and is ended at the providers; control: one that is only looked at is used on, and that is found', async () => {
    await startWork()
    const seen = await endAll((kind) => service.ask(`GET /integrations/${kind}`))
    await expect
      .poll(() => {
        const late = findLate(seen).filter(({ lateMs }) => lateMs > graceMs)
        return integrationKinds.filter((kind) => late.some((one) => one.kind === kind))
      })
      .toEqual([...integrationKinds])
    deploy('second')
    const moments = await endAll((kind) => service.ask(`DELETE /integrations/${kind}`))
    await expect.poll(revocations, { interval: 100 }).toEqual(['revoked', 'not_offered', 'revoked'])
    await waitForMore(integrationKinds)
    const late = findLate(moments)
    const lateMsMax = Math.max(0, ...late.map(({ lateMs }) => lateMs))
    const before = integrationKinds.map((kind) => usesOf(kind).length).join('/')
    console.log(
      `disconnect: ${before} uses, ${late.length} of them late, by ${lateMsMax} ms at most`,
    )
    expect(late.filter(({ lateMs }) => lateMs > graceMs)).toEqual([])
    expect(await service.asOwner('select from integration_credentials')).toEqual([])
    expect(service.sandbox.github.state.installations.size).toBe(0)
  })
})
