import { Problem } from '@signalbox/contract'
import { environmentEndpoints } from '@signalbox/contract/rest'
import { environmentsOf, type Sender } from '../audit/caller.ts'
import { systemAuthor } from '../audit/audit-event.ts'
import { toAuthor } from '../audit/author.ts'
import { lockEnvironments } from '../configs/environments/preview-environments.ts'
import {
  findEnvironmentRow,
  type EnvironmentRow,
} from '../configs/environments/environment-rows.ts'
import { findNamedRepositoryId } from '../deployments/codehost/repository-rows.ts'
import { savePullRequestRow } from '../deployments/pull-requests/pull-request-rows.ts'
import { addPreviewKeys } from '../identity/api-keys/preview-keys.ts'
import { findPreviewRepository, listProposedRows } from '../read-models/previews/candidate-rows.ts'
import type { Tx } from '../store/store.ts'
import {
  authorizeSender,
  findPipelineRepository,
  type PipelineSender,
  type SenderDeps,
  type SentRequest,
} from '../test-runs/reports/authorize-sender.ts'
import { asPreviews } from './as-previews.ts'
import { endKeys, keepPreview } from './change-preview.ts'
import { findAtHost, requireCapacity } from './follow-repository.ts'
import { describeEnd } from './judge-preview.ts'
import type { PreviewDeps } from './preview-deps.ts'
import { listPreviewsOf, savePreviewRow, type PreviewRow } from './preview-rows.ts'
import { findRule, nameHostPreview, type PreviewRuleRow } from './preview-rule.ts'
import { listRuleRows } from './rule-rows.ts'

/** Describes what the endpoint for pipelines works with. */
export type AskDeps = PreviewDeps & SenderDeps

/** Names who asks for a preview. */
export interface PreviewSender extends Sender {
  readonly orgId: string
  readonly sender: PipelineSender
}

/** Describes what is asked for. With the token of a pipeline, the token decides. */
export interface AskPreview {
  readonly repository?: string | undefined
  readonly pullRequest?: number | undefined
  readonly renewKeys: boolean
}

/** Holds the preview that was asked for. `keys`: their secrets, where they were made now. */
export interface AskedPreview {
  readonly preview: PreviewRow
  readonly environment: EnvironmentRow
  readonly keys: { readonly browser: string; readonly server: string } | null
}

/**
 * Authorizes who asks for a preview: a server key or token that reaches every environment, because the preview inherits from one, or
 * the token of a pipeline.
 *
 * @throws {Problem} as `authorizeSender`, and `key_scope_forbidden`
 */
export async function authorizeAsk(
  deps: SenderDeps,
  request: SentRequest & { readonly userAgent: string | undefined },
): Promise<PreviewSender> {
  const sender = await authorizeSender(deps, request, environmentEndpoints.createEnvironment)
  const { orgId } = sender
  if (orgId === undefined) throw foreignRepository()
  const { requestId, ip, userAgent } = request
  const origin = { requestId, ip, userAgent }
  if (sender.kind === 'pipeline') return { orgId, sender, author: systemAuthor, request: origin }
  const { actor } = sender
  const ofSchemas = actor.type === 'api_key' ? actor.schemaIds : null
  if ((environmentsOf(actor) ?? ofSchemas) !== null) {
    const detail =
      'A preview inherits every schema of another environment, and this API key is made for some. Use another key.'
    throw new Problem('key_scope_forbidden', detail)
  }
  return { orgId, sender, author: toAuthor(actor), request: origin }
}

/**
 * Makes the preview of a pull request before it is deployed, or returns the one that there is. The pull request is read at the code host
 * first, outside of the transaction.
 *
 * @throws {Problem} `invalid_credentials`, `validation_failed`, `conflict` for a fork and a pull request that has ended,
 * `quota_exceeded`
 */
export async function askPreview(
  deps: PreviewDeps,
  by: PreviewSender,
  ask: AskPreview,
): Promise<AskedPreview> {
  const { orgId, sender } = by
  const { store, now } = deps
  const repositoryId = await store.transaction({ orgId }, (tx) =>
    findRepository(tx, orgId, sender, ask),
  )
  const number = findNumber(sender, ask)
  const { repository, rule } = await store.transaction({ orgId }, async (tx) => {
    const repository = await findPreviewRepository(tx, orgId, repositoryId)
    if (repository === undefined) throw foreignRepository()
    return { repository, rule: requireRule(await listRuleRows(tx, orgId), repository.fullName) }
  })
  const { externalId } = repository
  const atHost =
    externalId === null ? undefined : await findAtHost(deps, orgId, { externalId, number })
  const hostEnvironment = nameHostPreview(rule, number)
  return store.transaction({ orgId }, async (tx) => {
    if (atHost !== undefined) await savePullRequestRow(tx, orgId, { ...atHost, repositoryId })
    await requireProposed(tx, orgId, { repositoryId, number, hostEnvironment, sender })
    await lockEnvironments(tx, orgId)
    const rows = await listPreviewsOf(tx, orgId, repositoryId)
    const preview = rows.find((row) => isSame(row.hostEnvironment, hostEnvironment))
    if (preview?.state !== 'live') await requireCapacity(tx, orgId, rule)
    const caller = asPreviews(orgId, by)
    const stored = await keepPreview(deps, tx, caller, {
      repositoryId,
      repository,
      hostEnvironment,
      pullRequest: number,
      rule,
      preview,
      askedAt: now(),
    })
    return addKeys(deps, tx, { by, stored, renewKeys: ask.renewKeys })
  })
}

interface KeysOf {
  readonly by: PreviewSender
  readonly stored: PreviewRow
  readonly renewKeys: boolean
}

async function addKeys(
  deps: PreviewDeps,
  tx: Tx,
  { by, stored, renewKeys }: KeysOf,
): Promise<AskedPreview> {
  const { orgId, author, request } = by
  const environment = await findEnvironmentRow(tx, orgId, stored.environmentId ?? '')
  if (environment === undefined) throw new Error('A preview has no environment')
  if (stored.serverKeyId !== null && !renewKeys) return { preview: stored, environment, keys: null }
  await endKeys(deps, tx, asPreviews(orgId, by), stored)
  const added = await addPreviewKeys(
    tx,
    { orgId, actor: author, request },
    { environmentId: environment.id, environment: environment.name, now: deps.now() },
  )
  const preview = { ...stored, browserKeyId: added.browser.id, serverKeyId: added.server.id }
  await savePreviewRow(tx, orgId, preview)
  const keys = { browser: added.browser.secret, server: added.server.secret }
  return { preview, environment, keys }
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}

async function findRepository(
  tx: Tx,
  orgId: string,
  sender: PipelineSender,
  { repository }: AskPreview,
): Promise<string> {
  const named =
    repository === undefined ? undefined : await findNamedRepositoryId(tx, orgId, repository)
  if (sender.kind === 'pipeline') {
    const id = await findPipelineRepository(tx, orgId, sender.pipeline)
    if (id === undefined) throw foreignRepository()
    if (repository !== undefined && named !== id)
      throw refuse(
        '/repository',
        'The token of the pipeline is of another repository. Leave it out.',
      )
    return id
  }
  if (named !== undefined) return named
  const detail =
    repository === undefined
      ? 'Name the repository, such as acme/shop.'
      : 'There is no such repository. Connect its code host on the Integrations page, or report a deployment of it first.'
  throw refuse('/repository', detail)
}

function findNumber(sender: PipelineSender, { pullRequest }: AskPreview): number {
  const known = sender.kind === 'pipeline' ? sender.pipeline.pullRequest : undefined
  if (known !== undefined && pullRequest !== undefined && known !== pullRequest)
    throw refuse(
      '/pullRequest',
      'The token of the pipeline is of another pull request. Leave it out.',
    )
  const number = known ?? pullRequest
  if (number !== undefined) return number
  throw refuse(
    '/pullRequest',
    'Send the number of the pull request: the credential doesn’t say it.',
  )
}

function requireRule(rules: readonly PreviewRuleRow[], repository: string): PreviewRuleRow {
  const rule = findRule(rules, repository)
  if (rule !== undefined) return rule
  const detail = `No rule of previews is for ${repository}. An admin adds one with POST /preview-rules.`
  throw refuse('/repository', detail)
}

interface Proposed {
  readonly repositoryId: string
  readonly number: number
  readonly hostEnvironment: string
  readonly sender: PipelineSender
}

/**
 * Refuses a pull request of a fork, and one that has ended. One of which nothing is known is believed to a key, and to a pipeline that
 * runs for it.
 */
async function requireProposed(
  tx: Tx,
  orgId: string,
  { repositoryId, number, hostEnvironment: name, sender }: Proposed,
): Promise<void> {
  const of = { repositoryId, numbers: [number], shas: [], branches: [] }
  const [proposed] = await listProposedRows(tx, orgId, of)
  if (proposed === undefined) {
    if (sender.kind === 'actor' || sender.pipeline.pullRequest === number) return
    throw refuse('/pullRequest', `The code host says of no pull request ${number}.`)
  }
  const reason = proposed.isFork ? 'fork' : proposed.state
  if (reason !== 'open') throw new Problem('conflict', describeEnd(reason, { name, number }))
}

function refuse(pointer: string, detail: string): Problem {
  const code = 'validation_failed'
  return new Problem(code, detail, { errors: [{ pointer, code, detail }] })
}

/** Says the same of an organization that does not exist: a pipeline learns nothing of others. */
function foreignRepository(): Problem {
  const detail =
    'The token is of a repository that this organization does not have. Track the repository on the Integrations page.'
  return new Problem('invalid_credentials', detail)
}
