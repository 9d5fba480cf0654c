import { CliError } from '../terminal/cli-error.ts'
import { didYouMean } from '../terminal/nearest.ts'
import { createCall, createCallAgain, type Call, type CallAgain, type HttpOptions } from './http.ts'
import type {
  Answer,
  ConfigSchema,
  ConfigVersion,
  Environment,
  Identity,
  Organization,
} from './operations.ts'
import { ApiError } from './problem-error.ts'

const pageLimit = 100

/**
 * Describes the calls of one server with one token. They take names and look up the ids; an unknown name is refused
 * with similar ones.
 */
export interface Api {
  readonly serverUrl: string
  readonly token: string
  readonly call: Call
  readonly callAgain: CallAgain
  whoAmI(): Promise<Identity>
  /** Returns the organization of that id or slug, by default the only one that the token reaches. */
  organization(reference: string | undefined): Promise<Organization>
  environments(orgId: string): Promise<Environment[]>
  environment(orgId: string, name: string): Promise<Environment>
  schemas(orgId: string): Promise<ConfigSchema[]>
  findSchema(orgId: string, name: string): Promise<ConfigSchema | undefined>
  segments(orgId: string): Promise<Answer<'listSegments'>['items']>
  segment(orgId: string, name: string): Promise<Answer<'getSegment'>>
  versions(
    orgId: string,
    schemaId: string,
    environmentId: string,
    most: number,
  ): Promise<ConfigVersion[]>
}

/** Creates the calls of the API for the commands. */
export function createApi(options: HttpOptions & { readonly token: string }): Api {
  const call = createCall(options)
  let identity: Promise<Identity> | undefined
  const whoAmI = () => (identity ??= call('whoAmI'))
  const environments = (orgId: string) =>
    all((cursor) =>
      call('listEnvironments', {
        params: { org_id: orgId },
        query: { limit: pageLimit, ...cursor },
      }),
    )
  const segments = (orgId: string) =>
    all((cursor) =>
      call('listSegments', { params: { org_id: orgId }, query: { limit: pageLimit, ...cursor } }),
    )
  return {
    serverUrl: options.serverUrl,
    token: options.token,
    call,
    callAgain: createCallAgain(options),
    whoAmI,
    organization: async (reference) => chooseOrganization(await whoAmI(), reference),
    environments,
    environment: async (orgId, name) =>
      (await orUndefined(
        call('getEnvironment', { params: { org_id: orgId, environment_id: name } }),
      )) ?? missingEnvironment(name, await environments(orgId)),
    schemas: (orgId) =>
      all((cursor) =>
        call('listConfigSchemas', {
          params: { org_id: orgId },
          query: { limit: pageLimit, ...cursor },
        }),
      ),
    findSchema: (orgId, name) =>
      orUndefined(call('getConfigSchema', { params: { org_id: orgId, schema_id: name } })),
    segments,
    segment: async (orgId, name) =>
      (await orUndefined(call('getSegment', { params: { org_id: orgId, segment: name } }))) ??
      missingSegment(name, await segments(orgId)),
    versions: async (orgId, schemaId, environmentId, most) =>
      all(
        (cursor) =>
          call('listConfigVersions', {
            params: { org_id: orgId },
            query: { schemaId, environmentId, limit: Math.min(most, pageLimit), ...cursor },
          }),
        most,
      ),
  }
}

interface Page<T> {
  readonly items: readonly T[]
  readonly nextCursor: string | null
}

async function all<T>(
  read: (cursor: { cursor?: string }) => Promise<Page<T>>,
  most = Number.POSITIVE_INFINITY,
): Promise<T[]> {
  const items: T[] = []
  let cursor: string | null = null
  do {
    const page: Page<T> = await read(cursor === null ? {} : { cursor })
    items.push(...page.items)
    cursor = page.nextCursor
  } while (cursor !== null && items.length < most)
  return items.slice(0, most)
}

async function orUndefined<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof ApiError && error.problem.code === 'not_found') return undefined
    throw error
  }
}

function missingEnvironment(name: string, known: readonly Environment[]): never {
  throw new CliError('failure', 'environment_not_found', `There is no environment "${name}".`, {
    advice: adviseNames(name, known, `signalbox environments create ${name}`),
  })
}

function missingSegment(name: string, known: Answer<'listSegments'>['items']): never {
  throw new CliError('failure', 'segment_not_found', `There is no segment "${name}".`, {
    advice: adviseNames(name, known, `signalbox segments create ${name} --file groups.json`),
  })
}

/** Returns the most similar name or all of them, and the command that creates one. */
function adviseNames(
  name: string,
  known: readonly { readonly name: string }[],
  create: string,
): string {
  const names = known.map((each) => each.name)
  const similar =
    didYouMean(name, names) ?? (names.length === 0 ? undefined : `There are: ${names.join(', ')}`)
  return [similar, create].filter((line) => line !== undefined).join('\n')
}

function chooseOrganization(
  { organizations }: Identity,
  reference: string | undefined,
): Organization {
  const [only, second] = organizations
  if (reference === undefined && only !== undefined && second === undefined) return only
  const slugs = organizations.map(({ slug }) => slug)
  if (reference === undefined) {
    throw new CliError(
      'usage',
      'organization_required',
      only === undefined
        ? 'The token belongs to no organization.'
        : `The token reaches several organizations: ${slugs.join(', ')}.`,
      { advice: 'Name it in .signalbox.json as "organization".' },
    )
  }
  const organization = organizations.find(({ id, slug }) => id === reference || slug === reference)
  if (organization !== undefined) return organization
  throw new CliError(
    'authentication',
    'organization_not_reached',
    `The token does not reach the organization "${reference}".`,
    {
      advice:
        didYouMean(reference, slugs) ??
        (slugs.length === 0 ? undefined : `It reaches: ${slugs.join(', ')}`),
    },
  )
}
