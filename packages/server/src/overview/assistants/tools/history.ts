import { changeEndpoints, changeKinds, type Change } from '@signalbox/contract/rest'
import { z } from 'zod'
import { defineTool } from '../tool.ts'
import { toUntrusted } from '../untrusted.ts'
import { environmentName, listEnvironments, findEnvironment } from './find-by-name.ts'
import { pageInput } from './page-input.ts'

/** Shows what changed, newest first. */
export const historyTool = defineTool({
  name: 'history',
  title: 'History',
  description:
    'The timeline: deployments, test runs, versions of configuration, flag flips and change requests, newest first, with author, reason and way back. Filter by environment, key, repository or time.',
  scope: 'read',
  input: z.object({
    environment: environmentName.optional(),
    key: z.string().max(128).optional(),
    repository: z.string().max(255).optional(),
    kinds: z.array(z.enum(changeKinds)).max(changeKinds.length).optional(),
    from: z.string().max(40).optional().describe('ISO 8601'),
    before: z.string().max(40).optional().describe('ISO 8601'),
    ...pageInput,
  }),
  async run(context, { environment, kinds, limit, ...filters }) {
    const { call } = context
    const environmentId =
      environment === undefined ? undefined : (await findEnvironment(context, environment)).id
    const [page, environments] = await Promise.all([
      call(changeEndpoints.listChanges, {
        query: { ...filters, environmentId, kinds: kinds?.join(','), limit: String(limit) },
      }),
      listEnvironments(context),
    ])
    const nameOf = new Map(environments.map(({ id, name }) => [id, name]))
    return {
      changes: page.items.map((change) => presentChange(change, nameOf)),
      nextCursor: page.nextCursor,
      link: context.linkTo({ page: 'timeline' }),
    }
  },
})

const mostKeys = 10

function presentChange(change: Change, nameOf: ReadonlyMap<string, string>) {
  const { kind, id, at, environmentId, state, reason, proof, wayBack, deployment } = change
  const { configuration, request } = change
  return {
    kind,
    id,
    at,
    environment: environmentId === null ? undefined : nameOf.get(environmentId),
    state,
    issues: reason.issueKeys,
    tests: proof?.state,
    wayBack: wayBack?.kind,
    ...(deployment && { repository: deployment.repository, sha: deployment.sha.slice(0, 12) }),
    ...(configuration && {
      schema: configuration.schema,
      version: configuration.version,
      keys: configuration.changes
        .slice(0, mostKeys)
        .map(({ key, tier, change: kindOf, before, after, text }) => ({
          key,
          change: kindOf,
          ...(tier !== 'secret' && { before, after, text }),
        })),
      moreKeys: Math.max(0, configuration.total - mostKeys),
    }),
    ...(request && {
      request: { number: request.number, state: request.state, overridden: request.overridden },
    }),
    ...toUntrusted({
      title: kind === 'deployment' || kind === 'test_run' ? change.title : request?.title,
      by: change.author?.name,
      comment: reason.comment,
      ref: deployment?.ref,
    }),
  }
}
