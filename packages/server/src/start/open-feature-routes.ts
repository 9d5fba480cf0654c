import { Problem } from '@signalbox/contract'
import type { AppDeps } from '../app.ts'
import { toAuthor } from '../audit/author.ts'
import type { Authenticate } from '../identity/authenticate.ts'
import { findMembership } from '../identity/organizations/rows.ts'
import { createBodyRoom } from '../inbox/body-room.ts'
import { createDeliveryStore } from '../inbox/store-deliveries.ts'
import type { ReturningMember } from '../integrations/finish-authorization.ts'
import type { ListenForApi } from './listen-for-api.ts'
import type { Opened } from './start-with-database.ts'

/** What the addresses of the features work with. */
export function openFeatureRoutes(
  { store, now }: Opened,
  { features, people }: Pick<ListenForApi, 'features' | 'people'>,
): Pick<AppDeps, 'integrations' | 'inbox' | 'deployments'> {
  const { jobs, gate, integrations, deployments } = features
  const { authenticate } = people
  return {
    integrations: {
      ...integrations,
      isAdmin: async (tx, orgId, userId) => {
        const role = (await findMembership(tx, userId, orgId))?.role
        return role === 'owner' || role === 'admin'
      },
      findMember: (cookie) => findMember(authenticate, cookie),
    },
    inbox: {
      store,
      jobs,
      deliveries: createDeliveryStore({ store, jobs }),
      room: createBodyRoom(),
      secrets: {
        github: () => gate.apps().github?.webhookSecrets ?? [],
        slack: () => gate.apps().slack?.signingSecrets ?? [],
      },
      now,
    },
    deployments,
  }
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
