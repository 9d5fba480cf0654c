import { createContext, useContext } from 'react'
import { includesRole, type Membership, type Role } from './session.ts'

/** Holds the organization of the address, for `useOrganization`. */
export const OrganizationContext = createContext<Membership | undefined>(undefined)

/** Returns the organization of the address, for every screen under it. */
export function useOrganization() {
  const organization = useContext(OrganizationContext)
  if (organization === undefined) throw new Error('This screen belongs to no organization')
  return {
    ...organization,
    /** Holds what requests name it by. */
    params: { org_id: organization.id },
    /** Says whether the person may do what needs `role` here. */
    can: (role: Role) => includesRole(organization.role, role),
  }
}
