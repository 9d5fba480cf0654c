import { requireNoApproval } from './approvals.ts'
import { requireConfirmation, type Confirmation, type EnvironmentPolicies } from './confirmation.ts'
import type { Effect } from './effects.ts'
import type { VersionRecord } from './plan-publication.ts'

/** Describes what a write is about to change, with the policies from before. */
interface PlannedChange {
  readonly policies: EnvironmentPolicies
  readonly effects: readonly Effect[]
  readonly versions: readonly VersionRecord[]
}

/** Decides whether a change that needs approvals may be carried out. */
export interface ApprovalCheck {
  /** Says that the write belongs to a request: an assistant may then plan what only a person applies. */
  readonly isOfRequest: boolean
  /** Lists the people and keys who have written the request, besides its author. They approve nothing that follows from it. */
  readonly writerIds: readonly string[]
  /** @throws {Problem} `approval_required` */
  readonly require: (change: PlannedChange) => void
}

/** Refuses what needs approvals: the write belongs to no request. */
export const withoutRequest: ApprovalCheck = {
  isOfRequest: false,
  writerIds: [],
  require: ({ policies, effects }) => {
    requireNoApproval(policies, effects)
  },
}

/**
 * Returns the check of a write that goes on with what people have approved, or that they let happen by itself: nothing more than
 * that needs no approval.
 */
export function approvedFor(
  isCovered: (effect: Effect, policies: EnvironmentPolicies) => boolean,
): ApprovalCheck {
  return {
    isOfRequest: true,
    writerIds: [],
    require({ policies, effects }) {
      requireNoApproval(
        policies,
        effects.filter((effect) => !isCovered(effect, policies)),
      )
    },
  }
}

interface ProtectedChange extends Pick<PlannedChange, 'policies'> {
  /** The environments that the change has to be confirmed for. */
  readonly environmentIds: readonly string[]
  readonly confirmation: Confirmation
  readonly effects: readonly Effect[]
  readonly versions?: readonly VersionRecord[]
}

/**
 * Requires what environments ask of a change. Whatever changes what readers get, or what an environment requires, comes through
 * here.
 *
 * @throws {Problem} `confirmation_required`, `comment_required`, `approval_required`
 */
export function requireProtection(
  { approvalCheck }: { readonly approvalCheck: ApprovalCheck },
  { policies, environmentIds, confirmation, effects, versions = [] }: ProtectedChange,
): void {
  requireConfirmation(policies, environmentIds, confirmation)
  approvalCheck.require({ policies, effects, versions })
}
