import type { Api } from '../api/api.ts'
import type { Session } from '../session.ts'
import { openOrganization } from '../target.ts'
import { CliError } from '../terminal/cli-error.ts'
import { askPipelineToken, hasPipelineToken } from './pipeline-token.ts'

/** Describes how a command of a pipeline reaches the server. */
export interface Sender {
  /** Says that it sends the token of the job, which names repository, commit and run by itself. */
  readonly isPipeline: boolean
  /** Holds the id or the slug of the organization. */
  readonly orgRef: string
  readonly serverUrl: string
  /** Returns a client with a token that is valid now. */
  readonly api: () => Promise<Api>
}

/** Returns whether a command has no token but that of its job. */
export async function sendsAsPipeline(session: Session): Promise<boolean> {
  return hasPipelineToken(session.env) && (await session.findToken()) === undefined
}

/**
 * Returns how to reach the server: with the token of the job where there is no other, else as every command.
 *
 * @throws {CliError} `organization_required`, `no_token`, `no_pipeline_token`
 */
export async function openSender(session: Session): Promise<Sender> {
  if (await sendsAsPipeline(session)) return openPipeline(session)
  const { api, organization } = await openOrganization(session)
  return {
    isPipeline: false,
    orgRef: organization.slug,
    serverUrl: api.serverUrl,
    api: () => Promise.resolve(api),
  }
}

/** Limits how old a token gets before the next call asks for another one. GitHub's are valid for five minutes. */
const renewAfterMs = 2 * 60_000

/**
 * Returns how to reach the server with the token of the job.
 *
 * @throws {CliError} `organization_required`
 */
export async function openPipeline(session: Session): Promise<Sender> {
  const { env } = session
  const orgRef = env['SIGNALBOX_ORGANIZATION'] || (await session.project())?.project.organization
  if (orgRef === undefined) {
    throw new CliError('usage', 'organization_required', 'The organization is missing.', {
      advice: 'Set SIGNALBOX_ORGANIZATION, or name it as "organization" in .signalbox.json.',
    })
  }
  const { url: serverUrl } = await session.server()
  let current: { readonly api: Api; readonly since: number } | undefined
  const renew = async () => {
    current = {
      api: await session.apiWith(await askPipelineToken(env, serverUrl), { isOfJob: true }),
      since: Date.now(),
    }
    return current.api
  }
  const api = async () => {
    if (current === undefined) return renew()
    const { api: last, since } = current
    // The server says if the last one is no longer valid.
    return Date.now() - since < renewAfterMs ? last : renew().catch(() => last)
  }
  return { isPipeline: true, orgRef, serverUrl, api }
}
