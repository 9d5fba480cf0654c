import { Problem } from '@signalbox/contract'
import { deploymentEndpoints } from '@signalbox/contract/rest'
import { requireAccess } from '../http/access.ts'
import type { ActorDeps } from '../http/admit-actor.ts'
import { notFound } from '../http/problem-response.ts'
import type { Scope } from '../store/scope.ts'
import type { Store } from '../store/store.ts'
import { environmentsOf, requireEnvironment } from '../integrations/environment-caller.ts'
import { findUploadPlace } from './upload-rows.ts'
import type { TestRun } from './test-run.ts'
import type { PipelineIdentity, PipelineTokens } from './verify-oidc.ts'

export interface UploadDeps extends Pick<ActorDeps, 'authenticate' | 'resolveOrganization'> {
  readonly store: Pick<Store, 'transaction' | 'maintenance'>
  readonly pipelineTokens: PipelineTokens
}

/** Whose report it is, and whether it may be of a run. */
export interface AdmittedUpload {
  readonly orgId: string
  readonly scope: Scope
  /** @throws {Problem} `not_found`, `key_scope_forbidden`, `invalid_credentials` */
  readonly admit: (run: TestRun) => void
}

interface Upload {
  readonly authorization: string | undefined
  readonly orgRef: string
  readonly runId: string
  readonly requestId: string
  readonly ip: string
}

/**
 * Finds out who uploads a report: somebody with an access token or API key, or the pipeline of the very run by the token
 * that its code host made for it. A browser's session is not asked for: no page uploads.
 *
 * @throws {Problem} `missing_credentials`, `invalid_credentials`, `not_found`, `role_forbidden`, `key_kind_forbidden`
 */
export async function admitUpload(deps: UploadDeps, upload: Upload): Promise<AdmittedUpload> {
  const token = /^Bearer +(\S+)$/i.exec(upload.authorization ?? '')?.[1]
  if (token !== undefined && deps.pipelineTokens.isOurs(token)) {
    return admitPipeline(deps, upload, await deps.pipelineTokens.verify(token))
  }
  const { authorization, requestId, ip } = upload
  const credentials = { authorization, cookie: undefined, requestId, ip }
  const actor = authorization === undefined ? undefined : await deps.authenticate(credentials)
  if (actor === undefined) {
    const detail =
      'Send an access token, an API key, or the OIDC token of the pipeline as "Authorization: Bearer …".'
    throw new Problem('missing_credentials', detail)
  }
  const reached = await deps.resolveOrganization(actor, upload.orgRef)
  if (reached === undefined) throw notFound()
  // The same as for the other ways to report a run.
  requireAccess(deploymentEndpoints.updateTestRun, actor, reached.role)
  const { organization } = reached
  const userId = actor.type === 'user' ? actor.userId : null
  const scope = { orgId: organization.id, userId }
  const caller = { environmentIds: environmentsOf(actor) }
  return {
    orgId: organization.id,
    scope,
    admit: ({ environmentId }) => requireEnvironment(caller, environmentId),
  }
}

async function admitPipeline(
  { store }: UploadDeps,
  { orgRef, runId }: Upload,
  identity: PipelineIdentity,
): Promise<AdmittedUpload> {
  const place = await store.maintenance((tx) => findUploadPlace(tx, orgRef, runId))
  const isSameRepository = place?.repositoryExternalId === identity.repositoryExternalId
  if (place === undefined || !isSameRepository) throw foreignRun()
  return {
    orgId: place.orgId,
    scope: { orgId: place.orgId },
    admit({ externalId, attempt }) {
      if (externalId !== identity.runId || attempt !== identity.attempt) throw foreignRun()
    },
  }
}

/** The same for a run that does not exist: a pipeline learns nothing of other people's. */
function foreignRun(): Problem {
  const detail =
    'The token was made for another run than this one. Upload from the run that was started for it, in the same attempt.'
  return new Problem('invalid_credentials', detail)
}
