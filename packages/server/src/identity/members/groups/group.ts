import { Problem, type GroupSource } from '@signalbox/contract'
import type { Maker } from '../../../audit/audit-event.ts'

/** Describes a group of members. */
export interface Group {
  readonly id: string
  readonly name: string
  readonly source: GroupSource
  readonly memberCount: number
  readonly createdAt: Date
  readonly createdBy: Maker
  readonly revision: number
}

/** Describes somebody in a group, with who added them. */
export interface GroupMember {
  readonly userId: string
  readonly name: string
  readonly email: string
  /** Names who added them. `null`: a sign-in or a directory did. */
  readonly addedBy: Maker | null
}

const chosenBy: Readonly<Record<Exclude<GroupSource, 'manual'>, string>> = {
  oidc: 'The sign-in with the identity provider chooses the members of this group. Change them there.',
  scim: 'The directory manages this group by SCIM. Change it there.',
}

/** Refuses a change of the members of a group that something else chooses. @throws {Problem} `conflict` */
export function requireManual({ source }: Pick<Group, 'source'>): void {
  if (source !== 'manual') throw new Problem('conflict', chosenBy[source])
}

/** Refuses to rename or delete a group of a directory, which would make it again. @throws {Problem} `conflict` */
export function refuseDirectory({ source }: Pick<Group, 'source'>): void {
  if (source === 'scim') throw new Problem('conflict', chosenBy.scim)
}
