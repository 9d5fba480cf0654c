import type { ConfigSchema, Environment, Organization } from '../api/operations.ts'
import type { Api } from '../api/api.ts'
import type { Session } from '../session.ts'
import { CliError } from '../terminal/cli-error.ts'

/** Holds what the server knows of a project. */
export interface KnownServer {
  readonly api: Api
  readonly organization: Organization
  readonly environments: readonly Environment[]
}

/**
 * Asks the server about the organization. `undefined` when it cannot be asked: there is no token, no answer, or the token
 * reaches several organizations and nobody says which.
 *
 * @throws {CliError} `organization_not_reached` for one that was named and that the token does not reach
 */
export async function lookUp(
  session: Session,
  reference: string | undefined,
): Promise<KnownServer | undefined> {
  try {
    const api = await session.api()
    const organization = await api.organization(reference)
    return { api, organization, environments: await api.environments(organization.id) }
  } catch (error) {
    if (!(error instanceof CliError) || error.code === 'organization_not_reached') throw error
    session.output.detail(`the server was not reached: ${error.message}`)
    return undefined
  }
}

/** Returns the environment to propose: development, or the first that is no production. */
export function proposeEnvironment(known: KnownServer | undefined): string {
  const environments = known?.environments ?? []
  const proposed =
    environments.find(({ name }) => name === 'development') ??
    environments.find(({ production }) => !production) ??
    environments[0]
  return proposed?.name ?? 'development'
}

/** Checks that the server has the environment. @throws {CliError} `environment_not_found` with similar names */
export async function assertEnvironment(
  known: KnownServer | undefined,
  name: string,
): Promise<void> {
  // A new organization may have none yet.
  if (known === undefined || known.environments.length === 0) return
  await known.api.environment(known.organization.id, name)
}

/** Returns the schema of that name on the server, if there is one. */
export async function findKnownSchema(
  known: KnownServer | undefined,
  name: string,
): Promise<ConfigSchema | undefined> {
  return known?.api.findSchema(known.organization.id, name)
}
