import { may, wildcardId, type Reach, type Verb } from '@signalbox/contract'
import { createContext, useContext } from 'react'
import { includesRole, type Membership, type Role } from './session.ts'

/** Holds the organization of the address, for `useOrganization`. */
export const OrganizationContext = createContext<Membership | undefined>(undefined)

/** Stands for every environment and every schema, those to come included. */
export const everywhere: Reach = { environmentId: wildcardId, schemaId: wildcardId }

/** Returns the reach of an act on an environment itself, which holds values of each schema. */
export function wholeEnvironment(environmentId: string): Reach {
  return { environmentId, schemaId: wildcardId }
}

/** Returns the reach of an act on a schema itself, which is the same in each environment. */
export function wholeSchema(schemaId: string): Reach {
  return { environmentId: wildcardId, schemaId }
}

/** Returns the organization of the address. Every screen below it may call this. */
export function useOrganization() {
  const organization = useContext(OrganizationContext)
  if (organization === undefined) throw new Error('This screen belongs to no organization')
  return {
    ...organization,
    /** Holds the path parameters of requests. */
    params: { org_id: organization.id },
    /** Returns whether the role that the person has everywhere includes `role`. */
    can: (role: Role) => includesRole(organization.role, role),
    /**
     * Returns whether the person may do `verb` there, by their role or by a grant. It does not ask for what the reach leaves
     * out: without an environment, one of them is enough.
     */
    may: (verb: Verb, reach: Reach) => may(organization.permissions, verb, reach),
  }
}
