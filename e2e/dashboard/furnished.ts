import { connectAll } from '../../packages/server/src/start/testing/connect-organization.ts'
import { openShop } from '../../packages/server/src/start/testing/play-push.ts'
import { createConfigPlaces } from './config-places.ts'
import { openDashboard, settle, type Dashboard, type Seat } from './open-dashboard.ts'
import { openPipeline } from './play-deployments.ts'

/** Where a screen is: below the organization, or of a person, or for whoever is not signed in. */
interface Place {
  readonly name: string
  readonly path: string
  readonly of: 'organization' | 'person' | 'nobody'
}

const inOrganization: Readonly<Record<string, string>> = {
  overview: '',
  deployments: '/deployments',
  environments: '/environments',
  timeline: '/timeline',
  config: '/config',
  flags: '/flags',
  schemas: '/schemas',
  history: '/history',
  integrations: '/integrations',
  codehost: '/integrations/codehost',
  tracker: '/integrations/tracker',
  chat: '/integrations/chat',
  notifications: '/notifications',
  webhooks: '/webhooks',
  keys: '/keys',
  members: '/members',
  audit: '/audit',
  settings: '/settings',
  missing: '/nowhere',
  deployment: '/deployments/{deployment}',
  schema: '/schemas?schema={schema}',
}

/** Every screen, by a name for its picture. `{deployment}` and `{schema}` stand for ids. */
export const places: readonly Place[] = [
  ...Object.entries(inOrganization).map(
    ([name, path]) => ({ name, path, of: 'organization' }) as const,
  ),
  { name: 'organizations', path: '/orgs', of: 'person' },
  { name: 'account', path: '/account', of: 'person' },
  { name: 'device', path: '/device', of: 'person' },
  { name: 'sign-in', path: '/login', of: 'nobody' },
  { name: 'setup', path: '/setup', of: 'nobody' },
  { name: 'invitation', path: '/invitation#token=inv_gone', of: 'nobody' },
]

/** A dashboard with something to see on every screen. */
export interface Furnished extends Dashboard {
  /** Goes to a screen, and waits until nothing is being loaded. */
  visit(seat: Seat, place: Pick<Place, 'path' | 'of'>): Promise<void>
}

/** Starts all of it, connected to the three providers. */
export async function openFurnished(): Promise<Furnished> {
  const dashboard = await openDashboard()
  const { service } = dashboard
  const { ask, sandbox, apiUrl } = service
  const shop = openShop(sandbox)
  await connectAll(service)
  const { schemaId } = await createConfigPlaces(service)
  const pipeline = openPipeline(service)
  const broken = await pipeline.deploy({ state: 'failure', message: 'Count the basket twice' })
  await pipeline.test(broken, { failed: 3 })
  const deploymentId = await pipeline.deploy({ message: 'ABC-1 Keep the currency' })
  await pipeline.test(deploymentId, {})
  shop.push('ABC-2 Show the date')
  await ask('PATCH /integrations/chat', {
    defaultChannelId: sandbox.slack.channelId('deployments'),
  })
  await ask('POST /api-keys', { name: 'ci', kind: 'm2m' })
  await ask('POST /invitations', { email: 'grace@example.com', role: 'developer' })
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
    `insert into dead_jobs (id, org_id, queue, job_id, data, data_hash, cause, reason, attempts, failed_at)
     values ('job_01k0000000e008000000000001', $1, 'retention.purge', gen_random_uuid(), '{}', sha256('{}'::bytea), 'failed',
       'The disk is full', 5, now())`,
    [service.orgId],
  )
  return {
    ...dashboard,
    async visit({ page }, { path, of }) {
      const named = path.replace('{deployment}', deploymentId).replace('{schema}', schemaId)
      await page.goto(`${apiUrl}${of === 'organization' ? '/acme' : ''}${named}`)
      await settle(page)
    },
  }
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
