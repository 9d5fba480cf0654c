import { z } from 'zod'
import type { OutboundAnswer } from '../../egress/create-egress.ts'
import { callProvider, readProviderJson, type ProviderCall } from '../call-provider.ts'
import { ProviderError } from '../provider-error.ts'
import type { RemoteName, TargetApi, TargetAddress, TargetSettings } from '../target.ts'

/** Calls Vercel's REST API with a token. */
export interface VercelRequests {
  (
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    path: string,
    options?: { readonly json?: unknown; readonly accept?: readonly number[] },
  ): Promise<OutboundAnswer>
}

/** Creates what sends requests with a token. */
export function createVercelRequests({
  call,
  apiUrl,
  token,
}: {
  readonly call: ProviderCall
  readonly apiUrl: string
  readonly token: string
}): VercelRequests {
  return (method, path, options) =>
    callProvider(call, {
      ...options,
      method,
      url: `${apiUrl}${path}`,
      headers: { authorization: `Bearer ${token}` },
    })
}

const project = z.object({ id: z.string(), name: z.string(), accountId: z.string() })
const variable = z.object({
  id: z.string(),
  key: z.string(),
  type: z.string(),
  target: z.union([z.array(z.string()), z.string()]).nullish(),
  gitBranch: z.string().nullish(),
  customEnvironmentIds: z.array(z.string()).nullish(),
})
const page = z.object({
  envs: z.array(z.unknown()),
  pagination: z.object({ next: z.number().nullish() }).nullish(),
})
const pagesMax = 50

/** Finds the project that the settings name. @throws {ProviderError} */
export async function locateProject(
  request: VercelRequests,
  { project: idOrName = '', team = '', environment = '' }: TargetSettings,
  webUrl: string,
): Promise<TargetAddress> {
  const answer = await request(
    'GET',
    `/v9/projects/${encodeURIComponent(idOrName)}${teamQuery(team)}`,
  )
  const { id, name, accountId } = read(answer, project)
  const owner = team.startsWith('team_') ? '' : team
  return {
    id: `vercel:${id}:${environment}`,
    name: `${name}, ${environment}`,
    url:
      owner === ''
        ? webUrl
        : `${webUrl}/${owner}/${encodeURIComponent(name)}/settings/environment-variables`,
    data: { projectId: id, team: accountId.startsWith('team_') ? accountId : team, environment },
  }
}

/**
 * Calls the environment variables of a project, as far as they are of one environment of Vercel.
 *
 * @see https://vercel.com/docs/rest-api/projects/create-one-or-more-environment-variables
 */
export function createProjectTarget(
  request: VercelRequests,
  { projectId = '', team = '', environment = '' }: TargetAddress['data'],
): TargetApi {
  const path = (version: 'v9' | 'v10', id?: string) =>
    `/${version}/projects/${encodeURIComponent(projectId)}/env${id === undefined ? '' : `/${encodeURIComponent(id)}`}`
  const create = async ({
    name,
    value,
    store,
  }: {
    name: string
    value: string
    store: RemoteName['store']
  }) => {
    const json = { key: name, value, type: typeOf(store, environment), target: [environment] }
    await request('POST', `${path('v10')}${teamQuery(team)}`, { json })
  }
  const remove = async ({ id = '' }: RemoteName) => {
    await request('DELETE', `${path('v9', id)}${teamQuery(team)}`, { accept: [404] })
  }
  return {
    list: () => listVariables(request, path('v10'), { team, environment }),
    async put(written, known) {
      if (known === undefined) return create(written)
      // A sensitive variable never becomes a readable one.
      if (known.store !== written.store) {
        await remove(known)
        return create(written)
      }
      await request('PATCH', `${path('v9', known.id)}${teamQuery(team)}`, {
        json: { value: written.value },
      })
    },
    remove,
  }
}

async function listVariables(
  request: VercelRequests,
  path: string,
  { team, environment }: { readonly team: string; readonly environment: string },
): Promise<RemoteName[]> {
  const names: RemoteName[] = []
  let until: number | undefined
  for (let pages = 0; pages < pagesMax; pages += 1) {
    const more = until === undefined ? {} : { until: String(until) }
    const answer = read(await request('GET', `${path}${teamQuery(team, more)}`), page)
    for (const item of answer.envs) {
      const { success, data } = variable.safeParse(item)
      // A variable of another environment or branch is another variable, even under the same name.
      if (success && isOf(data, environment)) names.push(toRemoteName(data, environment))
    }
    until = answer.pagination?.next ?? undefined
    if (until === undefined) return names
  }
  throw new ProviderError({ provider: 'vercel', failure: 'unavailable', code: 'too_many_names' })
}

function isOf({ target, gitBranch }: z.output<typeof variable>, environment: string): boolean {
  if (gitBranch !== null && gitBranch !== undefined && gitBranch !== '') return false
  return environmentsOf(target).includes(environment)
}

function toRemoteName(entry: z.output<typeof variable>, environment: string): RemoteName {
  const { id, key, type, target, customEnvironmentIds } = entry
  const isShared = environmentsOf(target).length > 1 || (customEnvironmentIds ?? []).length > 0
  return {
    id,
    name: key,
    // Members of the team read an encrypted variable back: a secret does not stay in one.
    store: type === typeOf('secret', environment) ? 'secret' : 'variable',
    ...(isShared && {
      unadoptable:
        'The variable belongs to other environments of the project too. Divide it on Vercel first.',
    }),
  }
}

function environmentsOf(target: z.output<typeof variable>['target']): readonly string[] {
  if (target === null || target === undefined) return []
  return typeof target === 'string' ? [target] : target
}

/** Development has no sensitive variables. */
function typeOf(store: RemoteName['store'], environment: string): string {
  if (store === 'variable') return 'plain'
  return environment === 'development' ? 'encrypted' : 'sensitive'
}

function teamQuery(team: string, more: Readonly<Record<string, string>> = {}): string {
  const owner: Record<string, string> =
    team === '' ? {} : team.startsWith('team_') ? { teamId: team } : { slug: team }
  const query = new URLSearchParams({ ...owner, ...more }).toString()
  return query === '' ? '' : `?${query}`
}

function read<Shape extends z.ZodType>(answer: OutboundAnswer, shape: Shape): z.output<Shape> {
  const { data, error } = shape.safeParse(readProviderJson('vercel', answer))
  if (error === undefined) return data
  throw new ProviderError({ provider: 'vercel', failure: 'unavailable', code: 'unexpected_answer' })
}
