import { Problem } from '@signalbox/contract'
import type { AppDeps } from '../app.ts'
import { toAuthor } from '../audit/author.ts'
import { rereadQueue } from '../deployments/jobs.ts'
import { pageDeploymentRows } from '../deployments/list-rows.ts'
import { presentDeployment } from '../deployments/present-deployment.ts'
import type { Authenticate } from '../identity/authenticate.ts'
import { findMembership } from '../identity/organizations/rows.ts'
import { createBodyRoom } from '../inbox/body-room.ts'
import { createDeliveryStore } from '../inbox/store-deliveries.ts'
import type { ReturningMember } from '../integrations/finish-authorization.ts'
import type { Tx } from '../store/store.ts'
import { createReportParser } from '../test-runs/report-parser.ts'
import { createPipelineTokens } from '../test-runs/verify-oidc.ts'
import type { Features } from './open-features.ts'
import type { People } from './open-reading.ts'
import type { Opened } from './start-with-database.ts'

export interface FeatureRoutesDeps extends Pick<
  AppDeps['router'],
  'resolveOrganization' | 'isOperator'
> {
  readonly features: Features
  readonly people: People
}

type FeatureRoutes = Pick<
  AppDeps,
  | 'integrations'
  | 'providerApps'
  | 'inbox'
  | 'deployments'
  | 'tracker'
  | 'testRuns'
  | 'notifications'
  | 'deadJobs'
>

/** What the addresses of the features work with. */
export function openFeatureRoutes(
  opened: Opened,
  { features, people, resolveOrganization, isOperator }: FeatureRoutesDeps,
): FeatureRoutes {
  const { store, now, settings, closing } = opened
  const { jobs, gate, integrations, deployments, testRuns, notifications } = features
  const { connectorOf, publicUrl, stateKey } = integrations
  const { authenticate } = people
  const { addresses, ...apps } = settings.providers
  const reports = createReportParser()
  closing.push(() => reports.close())
  return {
    integrations: {
      ...integrations,
      isAdmin,
      findMember: (cookie) => findMember(authenticate, cookie),
    },
    providerApps: {
      store,
      keys: gate.serverKeys,
      feed: gate.feed,
      settings: apps,
      addresses,
      egress: gate.egress,
      stateKey,
      publicUrl,
      authenticate,
      isOperator,
      now,
    },
    inbox: openInbox(features, { store, now }),
    deployments: { ...deployments, connectorOf },
    tracker: {
      ...deployments,
      connectorOf,
      emit: features.emit,
      requestReread: (tx, of) => jobs.enqueue(tx, rereadQueue, of, { key: of.id }),
    },
    testRuns: {
      ...testRuns,
      reports,
      authenticate,
      resolveOrganization,
      openCodehost: deployments.openCodehost,
      pipelineTokens: createPipelineTokens({
        issuer: pipelineIssuer(addresses.githubWeb),
        audience: publicUrl,
        egress: gate.egress,
        now,
      }),
    },
    notifications: { ...notifications, connectorOf, listNewestDeployments },
    deadJobs: { store, jobs, now },
  }
}

/** Actions of github.com have an issuer of their own, those of a GitHub Enterprise Server are part of it. */
function pipelineIssuer(githubWeb: string): string {
  return githubWeb === 'https://github.com'
    ? 'https://token.actions.githubusercontent.com'
    : `${githubWeb}/_services/token`
}

function openInbox(
  { jobs, gate: { gate } }: Features,
  { store, now }: Pick<Opened, 'store' | 'now'>,
): AppDeps['inbox'] {
  return {
    store,
    jobs,
    deliveries: createDeliveryStore({ store, jobs }),
    room: createBodyRoom(),
    secrets: {
      github: () => gate.apps().github?.webhookSecrets ?? [],
      slack: () => gate.apps().slack?.signingSecrets ?? [],
    },
    now,
  }
}

async function listNewestDeployments(tx: Tx, orgId: string, limit: number) {
  const newest = { after: undefined, limit }
  const rows = await pageDeploymentRows(tx, orgId, { environmentIds: null }, newest)
  return rows.map(presentDeployment)
}

async function isAdmin(tx: Tx, orgId: string, userId: string): Promise<boolean> {
  const role = (await findMembership(tx, userId, orgId))?.role
  return role === 'owner' || role === 'admin'
}

/** Who is signed in to a browser; nobody, when its session is none or over. */
async function findMember(
  authenticate: Authenticate,
  cookie: string | undefined,
): Promise<ReturningMember | undefined> {
  try {
    const actor = await authenticate({ authorization: undefined, cookie })
    return actor?.type === 'user' ? { userId: actor.userId, author: toAuthor(actor) } : undefined
  } catch (error) {
    if (error instanceof Problem && error.status === 401) return undefined
    throw error
  }
}
