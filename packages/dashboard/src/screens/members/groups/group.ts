import type { GroupSource } from '@signalbox/contract'
import type { ItemOf } from '../../../api/routes.ts'

/** Describes one group of the organization. */
export type Group = ItemOf<'GET /organizations/{org_id}/groups'>

/** Says who chooses the members of a group. */
export const chosenBy: Readonly<Record<GroupSource, string>> = {
  manual: 'Admins choose its members.',
  oidc: 'The sign-in chooses its members, by the groups that the identity provider names.',
  scim: 'A directory chooses its members by SCIM.',
}
