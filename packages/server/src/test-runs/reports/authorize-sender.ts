import { Problem } from '@signalbox/contract'
import type { EndpointShape } from '@signalbox/contract/rest'
import { requireAccess } from '../../http/admission/access.ts'
import type { Actor } from '../../http/admission/actor.ts'
import type { ActorDeps } from '../../http/admission/authorize-actor.ts'
import type { BeforeLookup } from '../../http/admission/credential-guard.ts'
import { permissionsOf } from '../../http/admission/permissions.ts'
import { notFound } from '../../http/answers/problem-response.ts'
import type { Tx } from '../../store/store.ts'
import { findRepositoryId } from '../../deployments/codehost/tracked-repository-rows.ts'
import { listIntegrationRows } from '../../integrations/rows.ts'
import type { PipelineTokens, VerifiedPipeline } from './verify-pipeline-token.ts'

/** Describes what the authorization of pipelines works with. */
export interface SenderDeps extends Pick<ActorDeps, 'authenticate' | 'resolveOrganization'> {
  readonly pipelineTokens: PipelineTokens
  /** Returns the id of the organization of an id or slug, for a pipeline that names it. */
  readonly findOrganizationId: (orgRef: string) => Promise<string | undefined>
}

/** Describes a request whose endpoint checks its credentials itself. */
export interface SentRequest {
  readonly authorization: string | undefined
  readonly orgRef: string
  readonly requestId: string
  readonly ip: string
  readonly beforeLookup: BeforeLookup
}

/** Names who sends a request: a pipeline by the token of its code host, or whoever has a credential of ours. */
export type PipelineSender =
  | {
      readonly kind: 'pipeline'
      readonly pipeline: VerifiedPipeline
      /** Left out: there is no such organization, which the pipeline must not learn. */
      readonly orgId: string | undefined
    }
  | {
      readonly kind: 'actor'
      readonly actor: Actor
      readonly orgId: string
      readonly userId: string | null
    }

/**
 * Authorizes a request by an access token or API key, as `endpoint` does, or by the token that a code host made for a pipeline. A
 * browser's session does not count: no page sends these.
 *
 * @throws {Problem} `missing_credentials`, `invalid_credentials`, `not_found`, `role_forbidden`, `key_kind_forbidden`
 */
export async function authorizeSender(
  deps: SenderDeps,
  { authorization, orgRef, requestId, ip, beforeLookup }: SentRequest,
  endpoint: EndpointShape,
): Promise<PipelineSender> {
  const token = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1]
  if (token !== undefined && deps.pipelineTokens.isOurs(token)) {
    const pipeline = await deps.pipelineTokens.verify(token)
    return { kind: 'pipeline', pipeline, orgId: await deps.findOrganizationId(orgRef) }
  }
  const credentials = { authorization, cookie: undefined, requestId, ip, beforeLookup }
  const actor = authorization === undefined ? undefined : await deps.authenticate(credentials)
  if (actor === undefined) {
    const detail =
      'Send an access token, an API key, or the OIDC token of the pipeline as "Authorization: Bearer …".'
    throw new Problem('missing_credentials', detail)
  }
  const reached = await deps.resolveOrganization(actor, orgRef)
  if (reached === undefined) throw notFound()
  const { organization, role, grants } = reached
  requireAccess(endpoint, actor, { role, permissions: permissionsOf(actor, role, grants) })
  const userId = actor.type === 'user' ? actor.userId : null
  return { kind: 'actor', actor, orgId: organization.id, userId }
}

/** Finds the repository of a pipeline. Another code host may have one of the same id, so its provider has to be the connected one. */
export async function findPipelineRepository(
  tx: Tx,
  orgId: string,
  { provider, repositoryExternalId }: VerifiedPipeline,
): Promise<string | undefined> {
  const integrations = await listIntegrationRows(tx, orgId)
  const codehost = integrations.find(({ kind }) => kind === 'codehost')
  if (codehost?.provider !== provider) return undefined
  return findRepositoryId(tx, orgId, repositoryExternalId)
}
