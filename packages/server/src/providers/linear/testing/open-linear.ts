import { createHash } from 'node:crypto'
import { startSandbox, visit } from '@signalbox/sandbox'
import { createEgress } from '../../../egress/create-egress.ts'
import type { ProviderAccount } from '../../connector.ts'
import type { ProviderContext } from '../../context.ts'
import type { Grant } from '../../grant.ts'
import { linear } from '../index.ts'

const verifier = 'v'.repeat(43)
const redirectUri = 'http://127.0.0.1:4400/integrations/tracker/oauth/callback'

/** Opens the pretended Linear, and the provider that reaches it. */
export async function openLinear() {
  const sandbox = await startSandbox()
  const egress = createEgress({ allow: ['127.0.0.1'] })
  const { linear: pretended, addresses, clock } = sandbox
  pretended.app.redirectUris = [redirectUri]
  const { clientId, clientSecret, webhookSecret } = pretended.app
  const application = {
    values: { clientId, clientSecret },
    webhookSecrets: [webhookSecret],
  }
  const sent: string[] = []
  const context: ProviderContext = {
    addresses: { web: addresses.linearWeb, api: addresses.linearApi },
    application: () => application,
    egress: {
      fetch: egress.fetch,
      async request(url, options) {
        sent.push(String(options?.body ?? ''))
        return egress.request(url, options)
      },
    },
    now: () => clock.now(),
  }
  const connector = linear.openConnector(context, application)
  if (connector.way === 'form' || connector.way === 'shared')
    throw new Error('Linear is connected by consent')
  const codeChallenge = createHash('sha256').update(verifier).digest('base64url')
  return {
    sandbox,
    linear: pretended,
    connector,
    context,
    /** Lists the bodies of the calls of the API. */
    sent,
    authorizeUrl: connector.authorizeUrl({ state: 'state', redirectUri, codeChallenge }),
    /** Has consent given, and exchanges the code. */
    async connect() {
      const url = connector.authorizeUrl({ state: 'state', redirectUri, codeChallenge })
      const back = await visit(url, 'allow', redirectUri)
      const code = back.get('code') ?? ''
      const connected = await connector.connect({ code, redirectUri, codeVerifier: verifier })
      if (typeof connected === 'string') throw new Error(`Connecting ended with ${connected}`)
      return connected
    },
    /** Opens the API with a token. */
    open(
      grant: Grant,
      account: ProviderAccount = { id: 'workspace', name: 'Acme', url: addresses.linearWeb },
    ) {
      const api = linear.openCalls(context)({
        account,
        scopes: grant.scopes,
        call: { provider: 'linear', egress: context.egress, now: context.now },
        withAccessToken: (send) => send(grant.accessToken),
        requireConnected: () => Promise.resolve(),
        refreshAccess: () => Promise.resolve(undefined),
      })
      if (api === undefined) throw new Error('Linear cannot be called')
      return api
    },
    async close() {
      await Promise.all([sandbox.close(), egress.close()])
    },
  }
}
