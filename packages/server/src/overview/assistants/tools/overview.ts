import { isProtected, unprotected } from '@signalbox/contract'
import { overviewEndpoints, type Overview } from '@signalbox/contract/rest'
import { z } from 'zod'
import { defineTool } from '../tool.ts'
import { toUntrusted } from '../untrusted.ts'
import { listEnvironments } from './find-by-name.ts'

const mostRepositories = 30

/** Shows what is live where. */
export const overviewTool = defineTool({
  name: 'overview',
  title: 'Overview',
  description:
    'What is live in each environment, per repository: deployment, tests, missing keys, drift. Start here.',
  scope: 'read',
  input: z.object({}),
  async run(context) {
    const [overview, environments] = await Promise.all([
      context.call(overviewEndpoints.getOverview),
      listEnvironments(context),
    ])
    const nameOf = new Map(environments.map(({ id, name }) => [id, name]))
    return {
      environments: overview.environments.map(({ id, name, production, missingKeys, drift }) => ({
        name,
        production,
        protected: isProtected(
          environments.find((one) => one.id === id)?.protection ?? unprotected,
        ),
        missingKeys,
        ...(drift && {
          drift: { comparedWith: nameOf.get(drift.environmentId), keys: drift.keys },
        }),
      })),
      repositories: overview.repositories
        .slice(0, mostRepositories)
        .map(({ repository, targets }) => ({
          repository,
          targets: targets.map(({ environmentId, live, latest, tests }) => ({
            environment: nameOf.get(environmentId),
            live: live && presentDeployment(live),
            ...(latest.id !== live?.id && { latest: presentDeployment(latest) }),
            tests: tests?.state,
          })),
        })),
      hasMoreRepositories:
        overview.hasMoreRepositories || overview.repositories.length > mostRepositories,
      link: context.linkTo({ page: 'overview' }),
    }
  },
})

type Deployment = NonNullable<Overview['environments'][number]['latest']>

function presentDeployment({ id, state, sha, at, title, ref, creator }: Deployment) {
  return { id, state, sha: sha.slice(0, 12), at, ...toUntrusted({ title, ref, by: creator?.name }) }
}
