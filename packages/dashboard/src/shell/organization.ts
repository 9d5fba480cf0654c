import { createContext, useContext } from 'react'
import { includesRole, type Membership, type Role } from './session.ts'

export const OrganizationContext = createContext<Membership | undefined>(undefined)

/** The organization of the address, for every screen under it. */
export function useOrganization() {
  const organization = useContext(OrganizationContext)
  if (organization === undefined) throw new Error('This screen belongs to no organization')
  return {
    ...organization,
    /** What requests name it by. */
    params: { org_id: organization.id },
    /** Whether the person may do what needs `role` here. */
    can: (role: Role) => includesRole(organization.role, role),
  }
}
