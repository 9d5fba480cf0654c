import { environmentsOf, requireEnvironment } from '../../audit/caller.ts'
import { isProtected, Problem } from '@signalbox/contract'
import { testRunEndpoints } from '@signalbox/contract/rest'
import { requireAccess } from '../../http/admission/access.ts'
import type { ActorDeps } from '../../http/admission/authorize-actor.ts'
import type { BeforeLookup } from '../../http/admission/credential-guard.ts'
import { permissionsOf } from '../../http/admission/permissions.ts'
import { notFound } from '../../http/answers/problem-response.ts'
import type { Scope } from '../../store/scope.ts'
import type { Store, Tx } from '../../store/store.ts'
import { findExternalId } from '../../deployments/codehost/tracked-repository-rows.ts'
import { findEnvironmentRow } from '../../configs/environments/environment-rows.ts'
import { listIntegrationRows } from '../../integrations/rows.ts'
import { findRun } from '../runs/run-rows.ts'
import type { TestRun } from '../runs/test-run.ts'
import type { PipelineTokens, VerifiedPipeline } from './verify-pipeline-token.ts'

/** Describes what the authorization of uploads works with. */
export interface UploadDeps extends Pick<ActorDeps, 'authenticate' | 'resolveOrganization'> {
  readonly store: Pick<Store, 'transaction'>
  readonly pipelineTokens: PipelineTokens
  /** Returns the id of the organization of an id or slug, for a pipeline that names it. */
  readonly findOrganizationId: (orgRef: string) => Promise<string | undefined>
}

/** Describes an upload whose sender is known. */
export interface AuthorizedUpload {
  readonly orgId: string
  readonly scope: Scope
  /** Checks that the sender may report this run. @throws {Problem} `key_scope_forbidden`, `invalid_credentials` */
  readonly checkRun: (run: TestRun) => void
}

interface Upload {
  readonly authorization: string | undefined
  readonly orgRef: string
  readonly runId: string
  readonly requestId: string
  readonly ip: string
  readonly beforeLookup: BeforeLookup
}

/**
 * Authorizes the upload of a report: by an access token or API key, or by the token that the code host made for the pipeline
 * of this run. A browser's session does not count: no page uploads.
 *
 * @throws {Problem} `missing_credentials`, `invalid_credentials`, `not_found`, `role_forbidden`, `key_kind_forbidden`
 */
export async function authorizeUpload(deps: UploadDeps, upload: Upload): Promise<AuthorizedUpload> {
  const token = /^Bearer +(\S+)$/i.exec(upload.authorization ?? '')?.[1]
  if (token !== undefined && deps.pipelineTokens.isOurs(token)) {
    return authorizePipeline(deps, upload, await deps.pipelineTokens.verify(token))
  }
  const { authorization, requestId, ip, beforeLookup } = upload
  const credentials = { authorization, cookie: undefined, requestId, ip, beforeLookup }
  const actor = authorization === undefined ? undefined : await deps.authenticate(credentials)
  if (actor === undefined) {
    const detail =
      'Send an access token, an API key, or the OIDC token of the pipeline as "Authorization: Bearer …".'
    throw new Problem('missing_credentials', detail)
  }
  const reached = await deps.resolveOrganization(actor, upload.orgRef)
  if (reached === undefined) throw notFound()
  // The same as for the other ways to report a run.
  const { organization, role, grants } = reached
  const permissions = permissionsOf(actor, role, grants)
  requireAccess(testRunEndpoints.updateTestRun, actor, { role, permissions })
  const userId = actor.type === 'user' ? actor.userId : null
  const scope = { orgId: organization.id, userId }
  const caller = { environmentIds: environmentsOf(actor) }
  return {
    orgId: organization.id,
    scope,
    checkRun: ({ environmentId }) => requireEnvironment(caller, environmentId),
  }
}

async function authorizePipeline(
  { store, findOrganizationId }: UploadDeps,
  { orgRef, runId }: Upload,
  pipeline: VerifiedPipeline,
): Promise<AuthorizedUpload> {
  const orgId = await findOrganizationId(orgRef)
  if (orgId === undefined) throw foreignRun()
  const terms = await store.transaction({ orgId }, async (tx) => {
    const run = await findRun(tx, orgId, runId)
    if (run === undefined || run.repositoryId === null) return undefined
    const externalId = await findExternalId(tx, orgId, run.repositoryId)
    // Another code host may have a repository of the same id.
    const integrations = await listIntegrationRows(tx, orgId)
    const codehost = integrations.find(({ kind }) => kind === 'codehost')
    const isOfPipeline =
      externalId === pipeline.repositoryExternalId && codehost?.provider === pipeline.provider
    return isOfPipeline
      ? { needsProtectedRef: await isGuarded(tx, orgId, run.environmentId) }
      : undefined
  })
  if (terms === undefined) throw foreignRun()
  return {
    orgId,
    scope: { orgId },
    checkRun({ externalId, attempt }) {
      if (externalId !== pipeline.runId || attempt !== pipeline.attempt) throw foreignRun()
      if (terms.needsProtectedRef && pipeline.isRefProtected === false) throw unprotectedRef()
    },
  }
}

/** Returns whether changes of an environment need a confirmation or approvals: then whoever may push anywhere must not vouch for it. */
async function isGuarded(tx: Tx, orgId: string, environmentId: string | null): Promise<boolean> {
  if (environmentId === null) return false
  const environment = await findEnvironmentRow(tx, orgId, environmentId)
  return environment !== undefined && isProtected(environment.protection)
}

function unprotectedRef(): Problem {
  const detail =
    'The environment is protected, and the branch or tag of the pipeline isn’t. Protect the branch or tag at the code host, or upload with a server key.'
  return new Problem('invalid_credentials', detail)
}

/** Returns the same error for a run that does not exist: a pipeline learns nothing of other organizations. */
function foreignRun(): Problem {
  const detail =
    'The token belongs to another run. Upload from the workflow run that Signalbox started for this test run, in the same attempt.'
  return new Problem('invalid_credentials', detail)
}
