import { pageIds, pages, type PageId } from '@signalbox/contract'
import { connectAll } from '../../packages/server/src/start/testing/connect-organization.ts'
import { openShop } from '../../packages/server/src/start/testing/play-push.ts'
import { askForChange, createConfigFixture } from './config/config-fixture.ts'
import { openDashboard, type Dashboard, type Seat } from './open-dashboard.ts'
import { settle } from './page/settle.ts'
import { followLink } from './page/follow-link.ts'
import { openPipeline } from './deployments/play-deployments.ts'
import { playRunner } from './deployments/play-runner.ts'

/** Names a screen for its picture. Its path is below the organization's where it is one of its pages. */
interface Screen {
  readonly name: string
  readonly path: string
  readonly of: 'organization' | 'person' | 'nobody'
}

/** Pages that are more than one screen, and addresses of no page. `{deployment}` and `{schema}` stand for ids. */
const variants: { readonly [Id in PageId]?: Readonly<Record<string, string>> } = {
  overview: { overview: '', missing: '/nowhere' },
  deployment: { deployment: '/deployments/{deployment}' },
  deployments: { deployments: '/deployments', checks: '/deployments?view=checks' },
  check: { check: '/deployments/checks/{check}' },
  gateDecision: { 'gate-decision': '/gates/{decision}' },
  targets: { targets: '/targets', target: '/targets?target={target}' },
  segments: { segments: '/segments', segment: '/segments?segment=staff' },
  schemas: {
    schemas: '/schemas',
    schema: '/schemas?schema={schema}',
    'schema-definition': '/schemas?schema={schema}&view=definition',
    'schema-change': '/schemas?schema={schema}&view=change',
  },
  import: { import: '/schemas/{schema}/import' },
  requests: { requests: '/requests', 'requests-all': '/requests?view=all' },
  request: { request: '/requests/{request}' },
  integration: {
    codehost: '/integrations/codehost',
    tracker: '/integrations/tracker',
    chat: '/integrations/chat',
  },
  signIn: { signIn: '/login', 'signIn-refused': '/login?error=oidc_failed' },
  setup: { setup: '/setup#token=anything', 'setup-without-token': '/setup' },
  members: {
    members: '/members',
    groups: '/members?view=groups',
    grants: '/members?view=grants',
  },
  invitation: {
    invitation: '/invitation#token=inv_gone',
    'invitation-without-token': '/invitation',
  },
}

/** Lists every screen, of each page of the contract. */
export const screens: readonly Screen[] = pageIds.flatMap((id) => {
  const { of, path } = pages[id]
  const paths = Object.entries(variants[id] ?? { [id]: path })
  return paths.map(([name, address]) => ({ name, path: address, of }))
})

/** A dashboard with something to see on every screen. */
export interface Furnished extends Dashboard {
  /** Goes to a screen, and waits until nothing is being loaded. */
  visit(seat: Seat, place: Pick<Screen, 'path' | 'of'>): Promise<void>
}

/** Starts all of it, connected to the three providers. */
export async function openFurnished(): Promise<Furnished> {
  const dashboard = await openDashboard()
  const { service } = dashboard
  const { ask, sandbox, apiUrl } = service
  const shop = openShop(sandbox)
  await connectAll(service)
  const fixture = await createConfigFixture(service)
  const { schemaId } = fixture
  const request = await askForChange(service, fixture)
  const pipeline = openPipeline(service)
  const broken = await pipeline.deploy({ state: 'failure', message: 'Count the basket twice' })
  await pipeline.test(broken, { failed: 3 })
  const deploymentId = await pipeline.deploy({ message: 'ABC-1 Keep the currency' })
  await pipeline.test(deploymentId, {})
  const sha = shop.push('ABC-2 Show the date')
  await ask('PATCH /integrations/chat', {
    defaultChannelId: sandbox.slack.channelId('deployments'),
  })
  await ask('POST /api-keys', { name: 'ci', kind: 'm2m' })
  await ask('POST /outgoing-webhooks', {
    name: 'Audit',
    url: 'https://hooks.example.com/signalbox',
    events: ['config.changed', 'deployment.finished'],
    enabled: false,
  })
  await ask('POST /signals', { name: 'api-errors', spec: { kind: 'alert' } })
  const target = await createTarget({ ask, schemaId })
  const { check, decision } = await playRunner(service, sha)
  await ask('POST /invitations', { email: 'grace@example.com', role: 'developer' })
  const { id: groupId } = await ask<{ id: string }>('POST /groups', { name: 'Developers' })
  await ask('POST /grants', { groupId, role: 'editor', schemaIds: [schemaId] })
  await ask('POST /notification-routes', {
    name: 'Failures',
    channelId: sandbox.slack.channelId('deployments'),
    match: { environmentIds: null, branches: null, states: 'failures' },
    events: ['deployment'],
  })
  await ask('PATCH /integrations/codehost', {
    testWorkflows: [{ workflowId: 'e2e.yml', debounceSeconds: 0 }],
  })
  await ask('POST /integrations/codehost/workflows/e2e.yml/dispatch', { ref: 'main' })
  await makeToken(service)
  await service.asOwner(
    `insert into failed_jobs (id, org_id, queue, job_id, data, data_hash, cause, reason, attempts, failed_at)
     values ('job_01k0000000e008000000000001', $1, 'retention.purge', gen_random_uuid(), '{}', sha256('{}'::bytea), 'failed',
       'The disk is full', 5, now())`,
    [service.orgId],
  )
  return {
    ...dashboard,
    async visit({ page }, { path, of }) {
      const named = path
        .replace('{deployment}', deploymentId)
        .replace('{schema}', schemaId)
        .replace('{target}', target)
        .replace('{request}', request)
        .replace('{check}', check.id)
        .replace('{decision}', decision.id)
      const url = `${apiUrl}${of === 'organization' ? '/acme' : ''}${named}`
      if (of !== 'nobody') return followLink(page, url)
      await page.goto(url)
      await settle(page)
    },
  }
}

/** A target that waits for its first run. Returns its id. */
export async function createTarget({
  ask,
  schemaId,
}: Pick<Dashboard['service'], 'ask'> & { readonly schemaId: string }): Promise<string> {
  const { items } = await ask<{ items: { id: string; name: string }[] }>('GET /environments')
  const { id } = await ask<{ id: string }>('POST /targets', {
    name: 'Workflows of the shop',
    schemaId,
    environmentId: items.find(({ name }) => name === 'production')?.id,
    provider: 'github',
    destination: { repository: 'acme/shop' },
    tiers: ['secret', 'featureFlags'],
    keys: ['apiUrl'],
  })
  return id
}

/** A personal access token of the owner. */
async function makeToken({ apiUrl, session }: Dashboard['service']): Promise<void> {
  const { status } = await fetch(`${apiUrl}/me/tokens`, {
    method: 'POST',
    headers: {
      cookie: session,
      origin: apiUrl,
      'x-requested-by': 'dashboard',
      'content-type': 'application/json',
    },
    body: JSON.stringify({ name: 'laptop', expiresAt: null }),
  })
  if (status !== 201) throw new Error(`The token was answered with ${status}`)
}
