import { environmentsOf, requireEnvironment } from '../../audit/caller.ts'
import { isProtected, Problem } from '@signalbox/contract'
import { testRunEndpoints } from '@signalbox/contract/rest'
import type { Scope } from '../../store/scope.ts'
import type { Store, Tx } from '../../store/store.ts'
import { findEnvironmentRow } from '../../configs/environments/environment-rows.ts'
import { findRun } from '../runs/run-rows.ts'
import type { TestRun } from '../runs/test-run.ts'
import {
  authorizeSender,
  findPipelineRepository,
  type SenderDeps,
  type SentRequest,
} from './authorize-sender.ts'
import type { VerifiedPipeline } from './verify-pipeline-token.ts'

/** Describes what the authorization of uploads works with. */
export interface UploadDeps extends SenderDeps {
  readonly store: Pick<Store, 'transaction'>
}

/** Describes an upload whose sender is known. */
export interface AuthorizedUpload {
  readonly orgId: string
  readonly scope: Scope
  /** Checks that the sender may report this run. @throws {Problem} `key_scope_forbidden`, `invalid_credentials` */
  readonly checkRun: (run: TestRun) => void
}

interface Upload extends SentRequest {
  readonly runId: string
}

/**
 * Authorizes the upload of a report: by an access token or API key, or by the token that the code host made for the pipeline
 * of this run.
 *
 * @throws {Problem} `missing_credentials`, `invalid_credentials`, `not_found`, `role_forbidden`, `key_kind_forbidden`
 */
export async function authorizeUpload(deps: UploadDeps, upload: Upload): Promise<AuthorizedUpload> {
  // The same as for the other ways to report a run.
  const sender = await authorizeSender(deps, upload, testRunEndpoints.updateTestRun)
  const { orgId } = sender
  if (sender.kind === 'pipeline') {
    if (orgId === undefined) throw foreignRun()
    return authorizePipeline(deps, { orgId, runId: upload.runId }, sender.pipeline)
  }
  const caller = { environmentIds: environmentsOf(sender.actor) }
  return {
    orgId: sender.orgId,
    scope: { orgId: sender.orgId, userId: sender.userId },
    checkRun: ({ environmentId }) => requireEnvironment(caller, environmentId),
  }
}

async function authorizePipeline(
  { store }: UploadDeps,
  { orgId, runId }: { readonly orgId: string; readonly runId: string },
  pipeline: VerifiedPipeline,
): Promise<AuthorizedUpload> {
  const terms = await store.transaction({ orgId }, async (tx) => {
    const run = await findRun(tx, orgId, runId)
    if (run === undefined || run.repositoryId === null) return undefined
    if ((await findPipelineRepository(tx, orgId, pipeline)) !== run.repositoryId) return undefined
    return { needsProtectedRef: await isGuarded(tx, orgId, run.environmentId) }
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
