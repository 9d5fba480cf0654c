import type { ProviderAccount } from '../providers/connector.ts'
import type { IntegrationKind, IntegrationState } from '@signalbox/contract/rest'
import type { Maker } from '../audit/audit-event.ts'

/** Describes the last call that failed. */
export interface IntegrationError {
  readonly code: string
  readonly detail: string
  readonly nextStep: string
  readonly at: string
}

/** Describes our access at the provider after it was ended here. */
export interface Revocation {
  readonly state: 'pending' | 'revoked' | 'failed' | 'not_offered'
  readonly detail: string
  readonly url: string | null
  readonly at: string
}

/** Describes an integration as it is stored. */
export interface Integration {
  readonly orgId: string
  readonly id: string
  readonly kind: IntegrationKind
  readonly provider: string
  /** Says whether it uses the connection of another integration, and has no access of its own. */
  readonly isShared: boolean
  readonly state: Exclude<IntegrationState, 'not_connected' | 'renewal_refused'> | 'disconnected'
  readonly stateReason: string | null
  readonly account: ProviderAccount | null
  readonly scopes: readonly string[]
  /** Holds what else the kind needs: see `settings-of-kind.ts`. */
  readonly settings: Readonly<Record<string, unknown>>
  readonly connectedAt: Date | null
  readonly connectedBy: Maker | null
  readonly reconnectBefore: Date | null
  readonly lastOkAt: Date | null
  readonly lastError: IntegrationError | null
  /** When a renewal of its access, or of the access that it shares, is tried again that the provider has refused; null: none was refused. Read alone. */
  readonly renewalRetryAt: Date | null
  readonly revocation: Revocation | null
  readonly revision: number
}

/** Returns whether calls may be made for it. */
export function isUsable({ state }: Pick<Integration, 'state'>): boolean {
  return state === 'connected' || state === 'degraded'
}
