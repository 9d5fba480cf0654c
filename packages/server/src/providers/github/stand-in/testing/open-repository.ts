import { onTestFinished } from 'vitest'
import { startSandbox } from '../../../../../../sandbox/src/start-sandbox.ts'
import { findAccount } from '../state.ts'
import { createGithubClient, type GithubAnswer } from './github-client.ts'

export interface Question {
  readonly body?: unknown
  /** Holds what the installation's token may do. Default everything that is asked for here. */
  readonly permissions?: Readonly<Record<string, 'read' | 'write'>>
}

/** The body is what the test says that it is. */
export interface Answered<Body> extends Omit<GithubAnswer, 'body'> {
  readonly body: Body
}

const everything = {
  contents: 'read',
  deployments: 'write',
  actions: 'write',
  administration: 'write',
} as const

/** A sandbox with a private repository `acme/shop` that the app is installed on. It is closed with the test. */
export async function openRepository() {
  const sandbox = await startSandbox()
  onTestFinished(() => sandbox.close())
  const { github, addresses } = sandbox
  const { activity, app, hooks, state, tokens } = github
  const acme = findAccount(state, 'acme')
  const ada = findAccount(state, 'ada')
  if (acme === undefined || ada === undefined) throw new Error('The seed has lost its accounts.')
  const repository = activity.addRepository({ owner: acme, name: 'shop' })
  const { id: installationId } = github.install({ account: 'acme' })
  const client = createGithubClient(sandbox)
  const tokenFor = (permissions: Question['permissions'] = everything) =>
    tokens.ofInstallations.issue({
      appId: app.id,
      installationId,
      repositories: 'all',
      permissions,
    }).accessToken
  const askAt = async <Body>(
    request: string,
    { body, permissions }: Question = {},
  ): Promise<Answered<Body>> => {
    const answer = await client.api(request, { token: tokenFor(permissions), body })
    return { ...answer, body: answer.body as Body }
  }
  return {
    sandbox,
    activity,
    repository,
    ada,
    api: addresses.githubApi,
    web: addresses.githubWeb,
    first: repository.branches.get('main') ?? '',
    /** A token of the installation. */
    tokenFor,
    askAt,
    /** Below the repository. Example: `GET /deployments`. */
    ask: <Body = unknown>(request: string, question?: Question): Promise<Answered<Body>> =>
      askAt<Body>(request.replace(' ', ' /repos/acme/shop'), question),
    /** The bodies that the app was sent, oldest first. */
    sent: async (event: string): Promise<readonly unknown[]> => {
      await hooks.settled()
      const deliveries = hooks.deliveries.list(app.id).toReversed()
      return deliveries
        .filter((delivery) => delivery.event === event)
        .map(({ json }): unknown => JSON.parse(json))
    },
  }
}

/** The address that a `Link` header has for a relation. Example: `next`. */
export function linkTo(headers: Headers, rel: string): string | undefined {
  const link = (headers.get('link') ?? '').split(', ').find((part) => part.endsWith(`rel="${rel}"`))
  return link?.slice(1, link.indexOf('>'))
}
