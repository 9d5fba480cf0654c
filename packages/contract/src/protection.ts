import type { Role } from './roles.ts'

const approvingRoles: Role[] = ['developer', 'admin', 'owner']

/** Holds the protection that an environment begins with: nothing is required of a change. */
export const unprotected = {
  confirm: false,
  comment: false,
  approvals: 0,
  approvers: { roles: approvingRoles },
  declineBlocks: true,
  override: 'admin',
  killSwitches: 'free',
  prove: null,
} as const

/** Holds how long nobody has been able to meet a policy without an override when an owner may choose other approvers. */
export const stuckPolicyMs = 72 * 3600 * 1000

interface Required {
  readonly confirm: boolean
  readonly comment: boolean
  readonly approvals: number
}

/** Lists the states of a change request while people can still decide about it. */
export const waitingStates = ['open', 'approved', 'scheduled', 'declined'] as const
/** Lists the states in which a change request has ended. */
export const endedStates = ['applied', 'withdrawn', 'expired', 'failed'] as const
/** Lists the states of a change request. */
export const requestStates = [...waitingStates, ...endedStates] as const
export type RequestState = (typeof requestStates)[number]

/** Returns whether the server requires something of every change: a confirmation, a comment, or approvals. */
export function isProtected({ confirm, comment, approvals }: Required): boolean {
  return confirm || comment || approvals > 0
}
