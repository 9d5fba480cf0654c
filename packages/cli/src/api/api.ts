import { isId } from '@signalbox/contract'
import { CliError } from '../terminal/cli-error.ts'
import { didYouMean } from '../terminal/nearest.ts'
import { createDownload, type Download } from './download.ts'
import { createCall, createCallAgain, type Call, type CallAgain, type HttpOptions } from './http.ts'
import type {
  AgentToken,
  Answer,
  ApiKey,
  CallInput,
  ChangeRequestSummary,
  ConfigSchema,
  ConfigVersion,
  Environment,
  Grant,
  Group,
  Identity,
  Member,
  Organization,
  OutgoingWebhook,
  Signal,
} from './operations.ts'
import { ApiError } from './problem-error.ts'
import { proveWrites, type Writes } from './proofs/prove-writes.ts'
import { asksForProof, type ProveFlags, toProofTerms } from './proofs/proof-terms.ts'
import { askWhereRefused } from './requests/ask-where-refused.ts'
import type { RequestTerms } from './requests/terms.ts'

const pageLimit = 100

/**
 * Describes the calls of one server with one token. They take names and look up the ids; an unknown name is refused
 * with similar ones.
 */
export interface Api {
  readonly serverUrl: string
  readonly token: string
  readonly call: Call
  /** Calls an operation that is refused where people must approve the change, also when the command asks for requests. */
  readonly callPlainly: Call
  readonly callAgain: CallAgain
  readonly download: Download
  whoAmI(): Promise<Identity>
  /** Returns the organization of that id or slug, by default the only one that the token reaches. */
  organization(reference: string | undefined): Promise<Organization>
  environments(orgId: string): Promise<Environment[]>
  environment(orgId: string, name: string): Promise<Environment>
  schemas(orgId: string): Promise<ConfigSchema[]>
  findSchema(orgId: string, name: string): Promise<ConfigSchema | undefined>
  segments(orgId: string): Promise<Answer<'listSegments'>['items']>
  segment(orgId: string, name: string): Promise<Answer<'getSegment'>>
  notificationRoutes(orgId: string): Promise<Answer<'listNotificationRoutes'>['items']>
  apiKeys(orgId: string): Promise<ApiKey[]>
  agentTokens(orgId: string): Promise<AgentToken[]>
  members(orgId: string): Promise<Member[]>
  /** Returns the member of that email address, name or id. */
  member(orgId: string, reference: string): Promise<Member>
  groups(orgId: string): Promise<Group[]>
  groupMembers(orgId: string, groupId: string): Promise<Answer<'listGroupMembers'>['items']>
  grants(orgId: string): Promise<Grant[]>
  targets(orgId: string): Promise<Answer<'listTargets'>['items']>
  outgoingWebhooks(orgId: string): Promise<OutgoingWebhook[]>
  /** Returns the newest requests that match, `most` at most. */
  changeRequests(
    orgId: string,
    filter: Omit<NonNullable<CallInput<'listChangeRequests'>['query']>, 'cursor' | 'limit'>,
    most: number,
  ): Promise<ChangeRequestSummary[]>
  signals(orgId: string): Promise<Signal[]>
  /** Returns the signal of that name or id. */
  signal(orgId: string, reference: string): Promise<Signal>
  /** Returns the id of that signal. An id is taken as it is: not every token may list signals. */
  signalId(orgId: string, reference: string): Promise<string>
  /** Returns the outgoing webhook of that name or id. */
  outgoingWebhook(orgId: string, reference: string): Promise<OutgoingWebhook>
  versions(
    orgId: string,
    schemaId: string,
    environmentId: string,
    most: number,
  ): Promise<ConfigVersion[]>
}

interface ApiOptions extends HttpOptions {
  readonly token: string
  readonly terms: RequestTerms | undefined
  readonly prove: ProveFlags
  readonly writes: Writes
}

/** Creates the calls of the API for the commands. */
export function createApi(options: ApiOptions): Api {
  const { plain, call } = createCalls(options)
  let identity: Promise<Identity> | undefined
  // A server that was away may answer the next time.
  const whoAmI = () =>
    (identity ??= call('whoAmI').catch((error: unknown) => {
      identity = undefined
      throw error
    }))
  const lists = createLists(call)
  const { environments, segments, members, outgoingWebhooks } = lists
  const findSignals = createSignalLookups(lists)
  return {
    serverUrl: options.serverUrl,
    token: options.token,
    call,
    callPlainly: plain,
    callAgain: createCallAgain(options),
    download: createDownload(options),
    whoAmI,
    ...lists,
    ...findSignals,
    organization: async (reference) => chooseOrganization(await whoAmI(), reference),
    environment: async (orgId, name) =>
      (await orUndefined(
        call('getEnvironment', { params: { org_id: orgId, environment_id: name } }),
      )) ?? missingEnvironment(name, await environments(orgId)),
    findSchema: (orgId, name) =>
      orUndefined(call('getConfigSchema', { params: { org_id: orgId, schema_id: name } })),
    segment: async (orgId, name) =>
      (await orUndefined(call('getSegment', { params: { org_id: orgId, segment: name } }))) ??
      missingSegment(name, await segments(orgId)),
    member: async (orgId, reference) => chooseMember(await members(orgId), reference),
    outgoingWebhook: async (orgId, reference) =>
      chooseByName(await outgoingWebhooks(orgId), reference, {
        noun: 'outgoing webhook',
        code: 'webhook_not_found',
        create: 'signalbox webhooks create <name> --url <address>',
      }),
    changeRequests: (orgId, filter, most) =>
      all((cursor) => {
        const { params, query } = pageInput(orgId, cursor)
        return call('listChangeRequests', { params, query: { ...filter, ...query } })
      }, most),
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

/** Creates the calls that a command makes: its writes ask for approval, and say how they are watched, as its flags do. */
function createCalls(options: ApiOptions): { readonly plain: Call; readonly call: Call } {
  const { terms, prove, writes } = options
  const plain = createCall(options)
  const asking =
    terms === undefined
      ? plain
      : askWhereRefused({ plain, asking: createCall({ ...options, prefersRequest: true }) }, terms)
  const { signalId } = createSignalLookups(createLists(plain))
  const readTerms = (orgId: string) =>
    toProofTerms(prove, (reference) => signalId(orgId, reference))
  const isProved = asksForProof(prove)
  return { plain, call: proveWrites(asking, writes, isProved ? readTerms : undefined) }
}

function createSignalLookups({ signals }: Lists): Pick<Api, 'signal' | 'signalId'> {
  const signal = async (orgId: string, reference: string) =>
    chooseByName(await signals(orgId), reference, {
      noun: 'signal',
      code: 'signal_not_found',
      create: 'signalbox signals create <name> --kind alert',
    })
  return {
    signal,
    signalId: async (orgId, reference) =>
      isId('sig', reference) ? reference : (await signal(orgId, reference)).id,
  }
}

type Lists = Pick<
  Api,
  | 'environments'
  | 'schemas'
  | 'segments'
  | 'notificationRoutes'
  | 'apiKeys'
  | 'agentTokens'
  | 'members'
  | 'groups'
  | 'groupMembers'
  | 'grants'
  | 'targets'
  | 'outgoingWebhooks'
  | 'signals'
>

function pageInput(orgId: string, cursor: { readonly cursor?: string }) {
  return { params: { org_id: orgId }, query: { limit: pageLimit, ...cursor } }
}

/** Creates the calls that read every page of a list. */
function createLists(call: Call): Lists {
  return {
    environments: (orgId) => all((cursor) => call('listEnvironments', pageInput(orgId, cursor))),
    schemas: (orgId) => all((cursor) => call('listConfigSchemas', pageInput(orgId, cursor))),
    segments: (orgId) => all((cursor) => call('listSegments', pageInput(orgId, cursor))),
    notificationRoutes: (orgId) =>
      all((cursor) => call('listNotificationRoutes', pageInput(orgId, cursor))),
    apiKeys: (orgId) => all((cursor) => call('listApiKeys', pageInput(orgId, cursor))),
    agentTokens: (orgId) => all((cursor) => call('listAgentTokens', pageInput(orgId, cursor))),
    members: (orgId) => all((cursor) => call('listMembers', pageInput(orgId, cursor))),
    groups: (orgId) => all((cursor) => call('listGroups', pageInput(orgId, cursor))),
    groupMembers: (orgId, groupId) =>
      all((cursor) => {
        const { query } = pageInput(orgId, cursor)
        return call('listGroupMembers', { params: { org_id: orgId, group_id: groupId }, query })
      }),
    grants: (orgId) => all((cursor) => call('listGrants', pageInput(orgId, cursor))),
    targets: (orgId) => all((cursor) => call('listTargets', pageInput(orgId, cursor))),
    signals: (orgId) => all((cursor) => call('listSignals', pageInput(orgId, cursor))),
    outgoingWebhooks: (orgId) =>
      all((cursor) => call('listOutgoingWebhooks', pageInput(orgId, cursor))),
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

/**
 * Returns the one with this id or name.
 *
 * @throws {CliError} `…_not_found` with the similar names, and `ambiguous_name` where several have the name
 */
export function chooseByName<T extends { readonly id: string; readonly name: string }>(
  known: readonly T[],
  reference: string,
  { noun, code, create }: { readonly noun: string; readonly code: string; readonly create: string },
): T {
  const [first, second] = known.filter(({ id, name }) => id === reference || name === reference)
  if (first === undefined) {
    throw new CliError('failure', code, `There is no ${noun} "${reference}".`, {
      advice: adviseNames(reference, known, create),
    })
  }
  if (second === undefined) return first
  const message = `There are two with the name "${reference}".`
  throw new CliError('usage', 'ambiguous_name', message, {
    advice: `Name the ${noun} by its id: ${first.id} or ${second.id}`,
  })
}

/** Returns the member of this email address, name or id. @throws {CliError} `member_not_found`, `ambiguous_name` */
function chooseMember(members: readonly Member[], reference: string): Member {
  const byEmail = members.find(({ email }) => email === reference.toLowerCase())
  const named = members.map((member) => ({ ...member, id: member.userId }))
  return (
    byEmail ??
    chooseByName(named, reference, {
      noun: 'member',
      code: 'member_not_found',
      create: 'Name a member by the email address. Invite others in the dashboard, under Members.',
    })
  )
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
