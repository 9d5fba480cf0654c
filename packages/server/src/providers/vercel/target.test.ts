import { startSandbox, type Sandbox } from '@signalbox/sandbox'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createEgress } from '../../egress/create-egress.ts'
import type { ProviderContext } from '../context.ts'
import { ProviderError } from '../provider-error.ts'
import type { RemoteName, TargetApi } from '../target.ts'
import { vercelTarget } from './target.ts'

let sandbox: Sandbox
let context: ProviderContext
const egress = createEgress({ allow: ['127.0.0.1'] })

beforeAll(async () => {
  sandbox = await startSandbox()
  context = {
    addresses: { web: 'https://vercel.example', api: sandbox.addresses.vercelApi },
    application: () => undefined,
    egress,
    now: () => sandbox.clock.now(),
  }
})
afterAll(() => Promise.all([sandbox.close(), egress.close()]))
beforeEach(() => sandbox.reset())

const put = (api: TargetApi, store: 'secret' | 'variable', name: string, value: string) =>
  api.put({ store, name, value }, undefined)

describe('Vercel', () => {
  const vercelAt = async (environment: string, token = sandbox.vercel.token) => {
    const call = { provider: 'vercel', egress, now: () => sandbox.clock.now() }
    const calls = vercelTarget.openCalls(context)({ token, call })
    if (calls === undefined) throw new Error('A token opens Vercel')
    const address = await calls.locate({ project: 'shop', team: 'acme', environment })
    return { address, api: calls.open(address) }
  }
  const make = () => sandbox.vercel.addProject('shop')
  const held = (project: ReturnType<typeof make>) =>
    [...project.variables.values()].map(({ key, value, type, target }) => [
      key,
      value,
      type,
      target.join(),
    ])

  it('gets sensitive variables for secrets, and plain ones for the rest', async () => {
    const project = make()
    const { address, api } = await vercelAt('production')
    expect(address).toMatchObject({
      id: `vercel:${project.id}:production`,
      name: 'shop, production',
      url: 'https://vercel.example/acme/shop/settings/environment-variables',
    })
    await put(api, 'secret', 'STRIPE_KEY', 'sk_live')
    await put(api, 'variable', 'API_URL', 'https://one.example.com')
    const [secret, variable] = await api.list()
    await api.put(
      { store: 'variable', name: 'API_URL', value: 'https://two.example.com' },
      variable,
    )
    await api.put({ store: 'variable', name: 'STRIPE_KEY', value: 'open' }, secret)
    expect(held(project)).toEqual([
      ['API_URL', 'https://two.example.com', 'plain', 'production'],
      ['STRIPE_KEY', 'open', 'plain', 'production'],
    ])
  })

  it('has no sensitive variables in development', async () => {
    const project = make()
    const { api } = await vercelAt('development')
    await put(api, 'secret', 'STRIPE_KEY', 'sk_test')
    expect(held(project)).toEqual([['STRIPE_KEY', 'sk_test', 'encrypted', 'development']])
  })

  it('keeps what is of other environments and branches', async () => {
    const project = make()
    const add = (key: string, target: string[], gitBranch: string | null = null) =>
      sandbox.vercel.addVariable(project, {
        key,
        value: 'theirs',
        type: 'plain',
        target,
        gitBranch,
      })
    add('SHARED', ['production', 'preview'])
    add('OF_PREVIEW', ['preview'])
    add('OF_BRANCH', ['preview'], 'feature')
    const names = (found: readonly RemoteName[]) => found.map(({ name }) => name)
    const { api } = await vercelAt('production')
    const found = await api.list()
    expect(names(found)).toEqual(['SHARED'])
    expect(found[0]?.unadoptable).toContain('other environments')
    expect(names(await (await vercelAt('preview')).api.list())).toEqual(['SHARED', 'OF_PREVIEW'])
  })

  it('shows the names of every page, and takes a second removal', async () => {
    make()
    const { api } = await vercelAt('preview')
    for (let index = 0; index < 45; index += 1) await put(api, 'variable', `NAME_${index}`, 'x')
    const found = await api.list()
    expect(found).toHaveLength(45)
    for (const known of [found[0], found[0]]) if (known !== undefined) await api.remove(known)
    expect(await api.list()).toHaveLength(44)
  })

  it('refuses a token that was deleted, with the page where a person makes another', async () => {
    make()
    const { api } = await vercelAt('production')
    sandbox.vercel.deleteToken()
    const error: unknown = await api.list().catch((thrown: unknown) => thrown)
    if (!(error instanceof ProviderError)) throw error
    expect(vercelTarget.explain(error, { context, addressName: 'shop' })).toMatchObject({
      reason: 'access_revoked',
      url: 'https://vercel.example/account/settings/tokens',
    })
    expect(String(error)).not.toContain(sandbox.vercel.token)
  })
})
