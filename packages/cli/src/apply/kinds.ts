import type { Kind } from './kind.ts'
import { environmentMapKind } from './kinds/environment-map.ts'
import { environmentsKind } from './kinds/environments.ts'
import { notificationRoutesKind } from './kinds/notification-routes.ts'
import { outgoingWebhooksKind } from './kinds/outgoing-webhooks.ts'
import { repositoriesKind } from './kinds/repositories.ts'
import { targetsKind } from './kinds/targets.ts'
import { testWorkflowsKind } from './kinds/test-workflows.ts'

/** Lists the kinds of resources that a file declares, in the order in which they are written. Deletions go backwards. */
export const kinds: readonly Kind[] = [
  environmentsKind,
  repositoriesKind,
  environmentMapKind,
  testWorkflowsKind,
  notificationRoutesKind,
  outgoingWebhooksKind,
  targetsKind,
]
