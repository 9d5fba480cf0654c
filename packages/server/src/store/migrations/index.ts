import { baseline } from './0001-baseline.ts'
import { messageTag } from './0002-message-tag.ts'
import { groupsAndGrants } from './0003-groups-and-grants.ts'
import { flagVersions } from './0004-flag-versions.ts'
import { organizationPolicies } from './0005-organization-policies.ts'
import { keysAndSecrets } from './0006-keys-and-secrets.ts'
import { singleSignOn } from './0007-single-sign-on.ts'
import { grantsForKeys } from './0008-grants-for-keys.ts'
import { changeRequests } from './0009-change-requests.ts'
import { proofs } from './0010-proofs.ts'
import { rolloutPlans } from './0011-rollout-plans.ts'
import { commitChecks } from './0012-commit-checks.ts'
import { gates } from './0013-gates.ts'
import { previews } from './0014-previews.ts'
import type { Migration } from './migration.ts'

/** Lists every migration in the order they run. */
export const migrations: readonly Migration[] = [
  baseline,
  messageTag,
  groupsAndGrants,
  flagVersions,
  organizationPolicies,
  keysAndSecrets,
  singleSignOn,
  grantsForKeys,
  changeRequests,
  proofs,
  rolloutPlans,
  commitChecks,
  gates,
  previews,
]
