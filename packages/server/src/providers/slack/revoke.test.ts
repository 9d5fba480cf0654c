import { startSandbox, visit, type Sandbox } from '@signalbox/sandbox'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { createEgress, type Egress } from '../../egress/create-egress.ts'
import { sandboxContexts } from '../../integrations/testing/sandbox-contexts.ts'
import type { Grant } from '../grant.ts'
import { slack } from './index.ts'

const redirectUri = 'http://127.0.0.1:4400/integrations/chat/oauth/callback'
let sandbox: Sandbox
let egress: Egress

beforeAll(async () => {
  sandbox = await startSandbox()
  egress = createEgress({ allow: ['127.0.0.1'] })
})
beforeEach(() => {
  sandbox.reset()
  sandbox.slack.rotation = true
  sandbox.slack.app.redirectUris = [redirectUri]
})
afterAll(async () => {
  await Promise.all([sandbox.close(), egress.close()])
})

/** Connects a workspace, and returns what ends the grant and what asks whether its refresh token has ended. */
async function connect() {
  const context = sandboxContexts(sandbox, { egress, now: () => sandbox.clock.now() })('slack')
  const application = context.application()
  if (application === undefined) throw new Error('The sandbox has lost its application')
  const connector = slack.openConnector(context, application)
  if (connector.way === 'form' || connector.way === 'shared') throw new Error('No OAuth')
  const url = connector.authorizeUrl({ state: 's', redirectUri, codeChallenge: undefined })
  const code = (await visit(url, 'allow', redirectUri)).get('code') ?? ''
  const connected = await connector.connect({ code, redirectUri, codeVerifier: undefined })
  if (typeof connected === 'string' || connected.grant === null) throw new Error('No grant')
  const { grant } = connected
  const revoke = () => connector.revoke?.({ accountId: connected.account?.id ?? '', grant })
  const renew = (of: Grant) => connector.refresh?.(of.refreshToken ?? '')
  return { grant, revoke, renew }
}

it('ends what was granted where the access token has expired and its refresh token has not', async () => {
  const { grant, revoke, renew } = await connect()
  sandbox.clock.advance(13 * 3_600_000)
  await revoke()
  await expect(renew(grant)).rejects.toMatchObject({ failure: 'rejected' })
  const revocations = sandbox.log.list().filter(({ path }) => path.endsWith('/auth.revoke'))
  expect(revocations).toHaveLength(2)
  // Once more, as after a crash: all has ended, and that is fine.
  await revoke()
})

it('takes one call where the access token is good', async () => {
  const { revoke } = await connect()
  await revoke()
  const calls = sandbox.log.list().filter(({ path }) => /auth.revoke|oauth.v2.access/.test(path))
  expect(calls).toHaveLength(2)
})
