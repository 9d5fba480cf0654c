import type { Api } from './api/api.ts'
import type { ConfigSchema, Environment, Organization } from './api/operations.ts'
import { basename } from 'node:path'
import { nameVariable } from './project/name-variable.ts'
import type { Session } from './session.ts'
import { CliError } from './terminal/cli-error.ts'

/** Holds the environment that a command works on. */
export interface Target {
  readonly api: Api
  readonly organization: Organization
  readonly environment: Environment
}

/** Holds the environment and the schema that a command works on. */
export interface SchemaTarget extends Target {
  readonly schema: ConfigSchema
}

/**
 * Returns the environment to work on: the flag, else SIGNALBOX_ENVIRONMENT, else the project's.
 *
 * @throws {CliError} `environment_required`
 */
export async function chooseEnvironmentName(
  session: Session,
  flag: string | undefined,
): Promise<string> {
  const name =
    flag ?? session.env['SIGNALBOX_ENVIRONMENT'] ?? (await session.project())?.project.environment
  if (name !== undefined && name !== '') return name
  throw new CliError('usage', 'environment_required', 'No environment: --env is missing.', {
    advice: 'Use --env <name>, or name a default as "environment" in .signalbox.json.',
  })
}

/** Loads the organization and the environment to work on. */
export async function openTarget(session: Session, envFlag: string | undefined): Promise<Target> {
  const name = await chooseEnvironmentName(session, envFlag)
  const { api, organization } = await openOrganization(session)
  const isOfVariable = envFlag === undefined && (session.env['SIGNALBOX_ENVIRONMENT'] ?? '') !== ''
  const environment = await namedByVariable(isOfVariable && 'SIGNALBOX_ENVIRONMENT', session, () =>
    api.environment(organization.id, name),
  )
  return { api, organization, environment }
}

/** Finds the organization of a command; throws a `CliError` when the token reaches none or several. */
export async function openOrganization(
  session: Session,
): Promise<{ readonly api: Api; readonly organization: Organization }> {
  const api = await session.api()
  const named = session.env['SIGNALBOX_ORGANIZATION']
  const reference = named ?? (await session.project())?.project.organization
  const isOfVariable = named !== undefined
  const organization = await namedByVariable(
    isOfVariable && 'SIGNALBOX_ORGANIZATION',
    session,
    () => api.organization(reference),
  )
  return { api, organization }
}

/** Looks something up that a variable names. Where it is not there, the advice names the variable, which wins over files. */
async function namedByVariable<T>(
  variable: string | false,
  { env }: Session,
  find: () => Promise<T>,
): Promise<T> {
  try {
    return await find()
  } catch (error) {
    if (variable === false || !(error instanceof CliError) || !isAbsence(error)) throw error
    const { reason, code, message, details } = error
    const source = `${nameVariable(variable, env)} names it and overrides .signalbox.json: set it again, or unset ${variable}`
    const advice = [source, ...(error.advice === undefined ? [] : [error.advice])].join('\n')
    throw new CliError(reason, code, message, { details, advice, cause: error })
  }
}

function isAbsence({ code }: CliError): boolean {
  return ['environment_not_found', 'organization_not_reached', 'schema_not_found'].includes(code)
}

/** Loads the organization, the environment and the schema of the project. Throws when the schema does not exist. */
export async function openSchemaTarget(
  session: Session,
  envFlag: string | undefined,
): Promise<SchemaTarget> {
  const target = await openTarget(session, envFlag)
  return { ...target, schema: await requireProjectSchema(session, target) }
}

/** Loads the organization and the schema of the project. Throws when the schema does not exist. */
export async function openSchema(session: Session): Promise<Omit<SchemaTarget, 'environment'>> {
  const target = await openOrganization(session)
  return { ...target, schema: await requireProjectSchema(session, target) }
}

/**
 * Loads the schema with each of the named environments, separated by commas. No name and `all` mean all environments.
 *
 * @throws {CliError} `environment_not_found`
 */
export async function openSchemaTargets(
  session: Session,
  names: string | undefined,
): Promise<SchemaTarget[]> {
  const target = await openSchema(session)
  return (await openEnvironments(target, names)).map((environment) => ({ ...target, environment }))
}

/** Loads the named environments, separated by commas. No name and `all` mean all environments. */
export async function openEnvironments(
  { api, organization }: Pick<Target, 'api' | 'organization'>,
  names: string | undefined,
): Promise<Environment[]> {
  if (names === undefined || names === 'all') return api.environments(organization.id)
  const uniqueNames = new Set(names.split(',').map((name) => name.trim()))
  return Promise.all([...uniqueNames].map((name) => api.environment(organization.id, name)))
}

async function requireProjectSchema(
  session: Session,
  { api, organization }: Pick<Target, 'api' | 'organization'>,
): Promise<ConfigSchema> {
  const name = await findSchemaName(session)
  const isOfVariable =
    session.flags.schema === undefined && (session.env['SIGNALBOX_SCHEMA'] ?? '') !== ''
  return namedByVariable(isOfVariable && 'SIGNALBOX_SCHEMA', session, () =>
    requireSchema(api, organization.id, name),
  )
}

/** Returns the name of the schema to work on: the flag, else SIGNALBOX_SCHEMA, else the project's. */
export async function findSchemaName(session: Session): Promise<string | undefined> {
  const named = session.flags.schema ?? session.env['SIGNALBOX_SCHEMA']
  if (named !== undefined && named !== '') return named
  return (await session.project())?.project.schema
}

async function requireSchema(
  api: Api,
  orgId: string,
  name: string | undefined,
): Promise<ConfigSchema> {
  if (name !== undefined) {
    const schema = await api.findSchema(orgId, name)
    if (schema !== undefined) return schema
    throw new CliError(
      'failure',
      'schema_not_found',
      `There is no schema "${name}" on the server.`,
      {
        advice: 'Create it from the definition file: signalbox push',
      },
    )
  }
  const schemas = await api.schemas(orgId)
  const [only, second] = schemas
  if (only !== undefined && second === undefined) return only
  throw new CliError(
    'usage',
    'schema_required',
    only === undefined
      ? 'The organization has no schema.'
      : `Which schema? The organization has several: ${schemas.map((schema) => schema.name).join(', ')}.`,
    {
      advice:
        only === undefined
          ? 'signalbox init, then: signalbox push'
          : 'Name it with --schema, in SIGNALBOX_SCHEMA, or as "schema" in .signalbox.json.',
    },
  )
}

/** Returns the schema's name: that of the flag, of SIGNALBOX_SCHEMA or of the project, else one made of the directory's name. */
export async function chooseSchemaName(session: Session): Promise<string> {
  const named = await findSchemaName(session)
  if (named !== undefined) return named
  const location = await session.project()
  return toResourceName(basename(location?.directory ?? session.cwd))
}

/** Converts a text to a name that the server accepts for environments and schemas. */
export function toResourceName(text: string): string {
  const name = text
    .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
    .replaceAll(/^[^A-Za-z0-9]+|-+$/g, '')
    .slice(0, 63)
  return name === '' ? 'app' : name
}
