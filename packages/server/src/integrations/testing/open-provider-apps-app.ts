import { createEgress, type Egress } from '../../egress/create-egress.ts'
import {
  cookieOf,
  fromOwnPage,
  openIdentityApp,
  password,
  type CallOptions,
  type IdentityApp,
  type MountDeps,
} from '../../identity/testing/open-identity-app.ts'
import { createServerKeys } from '../../vault/server-keys.ts'
import type { RegistrationDeps } from '../registration/begin-registration.ts'
import { createProviderApps, type ProviderAppsFeed } from '../apps/create-provider-apps.ts'
import { mountRegistration } from '../registration/registration-routes.ts'
import { mountProviderApps } from '../apps/provider-app-routes.ts'
import { readProviderSettings } from '../../settings/provider-settings.ts'
import type { ContextOf, ProviderApplication } from '../../providers/context.ts'

export interface ProviderAppsOptions {
  readonly settings?: Readonly<Record<string, ProviderApplication>>
  /** Maps names of providers to their addresses. Default: the public ones. */
  readonly addresses?: Readonly<Record<string, Readonly<Record<string, string>>>>
  readonly publicUrl?: string
  readonly log?: Parameters<typeof createProviderApps>[0]['log']
}

/** The server’s applications, on a server that was set up by Ada, who is signed in. */
export async function openProviderAppsApp({
  settings = {},
  addresses = readProviderSettings(new Map(), []).addresses,
  publicUrl = 'http://127.0.0.1:4400',
  log = { info() {}, warn() {} },
}: ProviderAppsOptions = {}) {
  let feed: ProviderAppsFeed | undefined
  let deps: RegistrationDeps | undefined
  const egress: Egress = createEgress({ allow: ['127.0.0.1'] })
  const app = await openIdentityApp({
    mount: (router, { store, rootKeys, authenticate, isOperator, now }: MountDeps) => {
      const keys = createServerKeys({ rootKeys })
      feed = createProviderApps({ store, keys, settings, log, now })
      const { find } = feed
      const contextOf: ContextOf = (provider) => ({
        addresses: addresses[provider] ?? {},
        application: () => find(provider),
        egress,
        now,
      })
      const own = { store, keys, feed, settings, now, contextOf, authenticate, isOperator }
      const stateKey = Buffer.alloc(32, 7)
      deps = { ...own, stateKey, publicUrl: () => publicUrl }
      mountProviderApps(router, deps)
      mountRegistration(router, deps)
    },
  })
  if (feed === undefined || deps === undefined) throw new Error('Nothing was mounted')
  const opened = { feed, deps }
  const owner = await setUp(app)
  return {
    ...app,
    ...opened,
    owner,
    /** As a page of ours, in the browser of the owner. */
    asOwner: (request: string, options: CallOptions = {}) =>
      app.call(request, {
        ...options,
        headers: { ...fromOwnPage(owner.cookie), ...options.headers },
      }),
    async close() {
      opened.feed.close()
      await egress.close()
      await app.close()
    },
  }
}

export type ProviderAppsApp = Awaited<ReturnType<typeof openProviderAppsApp>>

async function setUp(app: IdentityApp) {
  const link = await app.prepareSetup()
  const token = new URL(link ?? '').hash.replace('#token=', '')
  const answer = await app.ok('POST /setup', {
    body: { token, name: 'Ada', email: 'ada@example.com', password, organizationName: 'Acme' },
  })
  const orgId: string = answer.body.organization.id
  const userId: string = answer.body.user.id
  return { cookie: cookieOf(answer), orgId, userId }
}
