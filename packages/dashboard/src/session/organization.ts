import { createContext, useContext } from 'react'
import { includesRole, type Membership, type Role } from './session.ts'

/** Holds the organization of the address, for `useOrganization`. */
export const OrganizationContext = createContext<Membership | undefined>(undefined)

/** Returns the organization of the address. Every screen below it may call this. */
export function useOrganization() {
  const organization = useContext(OrganizationContext)
  if (organization === undefined) throw new Error('This screen belongs to no organization')
  return {
    ...organization,
    /** Holds the path parameters of requests. */
    params: { org_id: organization.id },
    /** Returns whether the person's role includes `role`. */
    can: (role: Role) => includesRole(organization.role, role),
  }
}
