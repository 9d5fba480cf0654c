import {
  requireEnvironment,
  toEnvironmentCaller,
  type AdmittedRequest,
  type EnvironmentCaller,
} from './environment-caller.ts'

/** Describes who asks for something that concerns a whole organization: its code host, its notifications. */
export interface OrganizationCaller extends Omit<EnvironmentCaller, 'environmentIds'> {
  readonly organizationName: string
}

/**
 * Returns the caller of a request, as use cases take it. What is asked for concerns all environments, so a key of some is refused.
 *
 * @throws {Problem} `key_scope_forbidden`
 */
export function toOrganizationCaller(admitted: AdmittedRequest): OrganizationCaller {
  const { environmentIds, ...caller } = toEnvironmentCaller(admitted)
  requireEnvironment({ environmentIds }, null)
  return { ...caller, organizationName: admitted.organization.name }
}
