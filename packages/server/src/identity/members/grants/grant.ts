import type { Grant as Granted } from '@signalbox/contract'
import type { Maker } from '../../../audit/audit-event.ts'

/** Describes a stored grant. */
export interface Grant extends Granted {
  readonly id: string
  readonly subject: {
    readonly type: 'member' | 'group' | 'api_key'
    readonly id: string
    readonly name: string
  }
  readonly createdAt: Date
  readonly createdBy: Maker
  readonly revision: number
}

/** Names where a grant applies. `null`: everywhere. */
export interface Within {
  readonly environmentIds?: readonly string[] | null | undefined
  readonly schemaIds?: readonly string[] | null | undefined
}
