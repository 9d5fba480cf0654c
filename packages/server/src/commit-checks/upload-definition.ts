import { canonicalJson, limits, Problem, type SchemaDefinition } from '@signalbox/contract'
import { deploymentEndpoints } from '@signalbox/contract/rest'
import { createHash } from 'node:crypto'
import { environmentsOf } from '../audit/caller.ts'
import { parseForeignDefinition } from '../configs/schemas/compare-definitions.ts'
import { newId } from '../crypto/ids.ts'
import {
  authorizeSender,
  type PipelineSender,
  type SenderDeps,
  type SentRequest,
} from '../test-runs/reports/authorize-sender.ts'
import type { CheckDeps } from './check-deps.ts'
import {
  findCheckRow,
  listJudgedChecks,
  type CheckRow,
} from '../read-models/commit-checks/check-rows.ts'
import { lockChecks, saveDefinitionRow, saveJudged, saveUploadRow } from './check-rows.ts'
import { compareChecks, requestReports } from './compare-checks.ts'
import { addDue } from './due-rows.ts'
import {
  findNamedCommit,
  findPipelineCommit,
  foreignRepository,
  noteReported,
  type KnownCommit,
  type NamedCommit,
} from './find-commit.ts'

/** Sets when a commit is compared once more after its upload, in milliseconds. */
const comparedAgainMs = 30_000

/** Describes the definition of one schema of a commit. */
export interface UploadedDefinition extends NamedCommit {
  readonly schema: string
  readonly definition: SchemaDefinition
  readonly path?: string | undefined
  readonly lines?: Readonly<Record<string, number>> | undefined
}

/** Describes what uploads work with. */
export type UploadDeps = CheckDeps & SenderDeps

/** Names the sender of an upload whose credential is good. */
export interface UploadSender {
  readonly orgId: string
  readonly sender: PipelineSender
}

/**
 * Authorizes an upload: by a server key or token that reaches every environment, or by the token of a pipeline.
 *
 * @throws {Problem} as `authorizeSender`, and `key_scope_forbidden`
 */
export async function authorizeDefinition(
  deps: UploadDeps,
  request: SentRequest,
): Promise<UploadSender> {
  const sender = await authorizeSender(deps, request, deploymentEndpoints.createDeployment)
  if (sender.orgId === undefined) throw foreignRepository()
  if (sender.kind === 'actor') {
    const { actor } = sender
    const ofSchemas = actor.type === 'api_key' ? actor.schemaIds : null
    if ((environmentsOf(actor) ?? ofSchemas) !== null) {
      const detail =
        'The check compares with every environment and schema, and this API key is made for some. Use another key.'
      throw new Problem('key_scope_forbidden', detail)
    }
  }
  return { orgId: sender.orgId, sender }
}

/**
 * Stores the definition of a commit, and compares it with the values of every environment. The commit is looked up at the code host
 * first, outside of the transaction.
 *
 * @throws {Problem} `invalid_credentials`, `validation_failed`, `quota_exceeded`, `provider_error`; with a pointer to each violation the
 * codes of definitions
 */
export async function uploadDefinition(
  deps: CheckDeps,
  { orgId, sender }: UploadSender,
  { schema, definition: declared, path, lines, ...named }: UploadedDefinition,
): Promise<CheckRow> {
  const definition = await parseForeignDefinition(declared)
  const commit =
    sender.kind === 'pipeline'
      ? await findPipelineCommit(deps, orgId, sender.pipeline, named)
      : await findNamedCommit(deps, orgId, named)
  const hash = createHash('sha256').update(canonicalJson(definition)).digest('hex')
  return deps.store.transaction({ orgId }, async (tx) => {
    await lockChecks(tx, orgId)
    await noteReported(tx, orgId, commit)
    const id = await saveUploadRow(tx, orgId, toUpload(commit, deps.now()))
    const row = {
      checkId: id,
      schemaName: schema,
      definition,
      hash,
      path: path ?? null,
      lines: lines ?? null,
    }
    if ((await saveDefinitionRow(tx, orgId, row)) > limits.schemasPerCommit) throw tooManySchemas()
    const { repositoryId } = commit
    const openMax = limits.openChecksPerRepository
    await saveJudged(tx, orgId, await listJudgedChecks(tx, orgId, { repositoryId, openMax }))
    await compareChecks(deps, tx, orgId, id)
    await requestReports(deps, tx, orgId, [id])
    // A change that is committed beside the upload knows nothing of it.
    await addDue(tx, orgId, new Date(deps.now().getTime() + comparedAgainMs))
    const stored = await findCheckRow(tx, orgId, id)
    if (stored === undefined) throw new Error('A check was deleted while it was uploaded')
    return stored
  })
}

function toUpload({ repositoryId, sha, ref, pullRequest, isFork }: KnownCommit, at: Date) {
  return { id: newId('chk', at), repositoryId, sha, ref, pullRequest, isFork, at }
}

function tooManySchemas(): Problem {
  const detail = `A commit declares at most ${limits.schemasPerCommit} schemas.`
  return new Problem('quota_exceeded', detail)
}
