import type { Api } from '../../api/api.ts'
import type { ChangeRequest, Organization } from '../../api/operations.ts'
import { ApiError } from '../../api/problem-error.ts'
import type { Session } from '../../session.ts'
import { openOrganization } from '../../target.ts'
import { CliError } from '../../terminal/cli-error.ts'

/** Describes the argument that names a request. */
export const requestArgument = {
  brief: 'Number or id of the request',
  placeholder: 'request',
} as const

/** Holds a request and its organization. */
export interface FoundRequest {
  readonly api: Api
  readonly organization: Organization
  readonly request: ChangeRequest
  readonly params: { readonly org_id: string; readonly request_id: string }
}

/** Finds the request of a number, such as `12` or `#12`, or an id. @throws {CliError} `request_not_found` */
export async function findRequest(session: Session, reference: string): Promise<FoundRequest> {
  const { api, organization } = await openOrganization(session)
  const params = { org_id: organization.id, request_id: reference.replace(/^#/, '') }
  try {
    const request = await api.call('getChangeRequest', { params })
    return { api, organization, request, params: { ...params, request_id: request.id } }
  } catch (error) {
    if (!(error instanceof ApiError) || (error.status !== 404 && error.status !== 422)) throw error
    throw new CliError('failure', 'request_not_found', `There is no request "${reference}".`, {
      advice: 'Name it by its number, which is in the list: signalbox requests',
    })
  }
}
