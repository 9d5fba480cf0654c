import { randomBytes } from 'node:crypto'
import type { Clock } from '../../../../../sandbox/src/clock.ts'
import type { PlayedProvider } from '../../../../../sandbox/src/models/stand-in.ts'
import { createAuthorizationCodes } from '../../../../../sandbox/src/oauth/authorization-codes.ts'
import { createApi, unknownRoute } from './access.ts'
import { createActivity, getUser, type GitlabActivity } from './activity/create-activity.ts'
import { createCodeHost, type GitlabCodeHost } from './create-code-host.ts'
import { createHooks, type GitlabHooks } from './hooks/create-hooks.ts'
import { issueJobToken, issuerRoutes, type JobIdentity } from './job-identity.ts'
import { oauthRoutes } from './oauth.ts'
import { createGitlabTokens, type GitlabGrant } from './tokens.ts'
import type { GitlabParts } from './parts.ts'
import { createRateLimits } from './rate-limits.ts'
import { commitRoutes } from './routes/commit-routes.ts'
import { deploymentRoutes } from './routes/deployment-routes.ts'
import { graphqlRoute } from './routes/graphql-route.ts'
import { hookRoutes } from './routes/hook-routes.ts'
import { issueRoutes } from './routes/issue-routes.ts'
import { mergeRequestRoutes } from './routes/merge-request-routes.ts'
import { pipelineRoutes } from './routes/pipeline-routes.ts'
import { projectRoutes } from './routes/project-routes.ts'
import { statusRoutes } from './routes/status-routes.ts'
import { createApplication, seedUsers } from './seed.ts'
import {
  createGitlabState,
  defaultSettings,
  findProject,
  type GitlabApplication,
  type GitlabSettings,
  type GitlabState,
  type GitlabPipeline,
  type GitlabProject,
  type GitlabUser,
} from './state.ts'
import type { Answer, Route } from '../../../../../sandbox/src/http/route.ts'
import {
  codePages,
  noPage,
  type CodePagesSettings,
} from '../../../../../sandbox/src/models/code-pages.ts'

/** Describes the pretended GitLab: an instance below a path, as a self-managed one may be. */
export interface Gitlab extends PlayedProvider {
  readonly name: 'gitlab'
  readonly state: GitlabState
  /** Holds the application that stands for the product. Its registration survives a reset. */
  readonly app: GitlabApplication
  /** Holds the switches of the instance: its version, what it knows, what it refuses. */
  readonly settings: GitlabSettings
  readonly hooks: GitlabHooks
  /** Performs the actions of people and runners. */
  readonly activity: GitlabActivity
  /** Pushes, deploys and tests for the stage. */
  readonly codeHost: GitlabCodeHost
  /** Creates a personal access token. Example: `createAccessToken('ada', ['api'])`. */
  createAccessToken(username: string, scopes: readonly string[]): string
  /** Returns the OIDC token of a pipeline's job. */
  issueJobToken(of: Omit<JobIdentity, 'state'>): string
  /** Lets every access token of OAuth expire now. */
  expireTokens(): void
  /** Ends all tokens of the application, as when the person revokes it in the preferences. */
  revokeGrants(): void
}

/** Holds the path of the instance. Everything of it is below. */
export const gitlabPath = '/gitlab'

/** Creates GitLab with its seeded people, and without projects. */
export function createGitlab({ clock }: { readonly clock: Clock }): Gitlab {
  const state = createGitlabState(clock, createApplication())
  const tokens = createGitlabTokens(clock)
  const codes = createAuthorizationCodes<GitlabGrant>(clock)
  const hooks = createHooks(state)
  const limits = createRateLimits(clock, state.settings)
  const activity = createActivity({ state, hooks })
  const parts = { state, tokens, codes, hooks, limits }
  seedUsers(state)
  return {
    name: 'gitlab',
    state,
    app: state.application,
    settings: state.settings,
    hooks,
    activity,
    codeHost: createCodeHost({
      state,
      activity,
      hooks,
      isConnected: () => tokens.has(({ clientId }) => clientId !== undefined),
    }),
    createAccessToken(username, scopes) {
      const token = `glpat-${randomBytes(15).toString('base64url')}`
      const user = getUser(state, username)
      tokens.add({ user, scopes, clientId: undefined, redirectUri: undefined }, token)
      return token
    },
    issueJobToken: (of) => issueJobToken({ ...of, state }),
    listenAt: (origin) => void (state.baseUrl = `${origin}${gitlabPath}`),
    expireTokens: () => tokens.expireAll(),
    skipId: () => void state.nextId(),
    revokeGrants: () => void tokens.revoke(({ grant }) => grant.clientId !== undefined),
    mounts: createMounts(parts, activity),
    reset() {
      for (const part of [tokens, codes, hooks, limits]) part.reset()
      Object.assign(state.settings, defaultSettings())
      for (const part of [state.projects, state.users, state.formerPaths]) part.clear()
      seedUsers(state)
    },
  }
}

function createMounts(parts: GitlabParts, activity: GitlabActivity): Gitlab['mounts'] {
  const { state } = parts
  const api = createApi(parts)
  return [
    {
      prefix: gitlabPath,
      routes: [...oauthRoutes(parts), ...issuerRoutes(state), ...createPages(state)],
      unknown: noSuchPage,
    },
    {
      prefix: `${gitlabPath}/api/v4`,
      routes: [
        ...projectRoutes(parts, api),
        ...hookRoutes(parts, api),
        ...deploymentRoutes(parts, api),
        ...commitRoutes(parts, api),
        ...pipelineRoutes(parts, api, activity),
        ...issueRoutes(parts, api),
        ...mergeRequestRoutes(parts, api),
        ...statusRoutes(parts, api),
      ],
      unknown: unknownRoute,
    },
    { prefix: `${gitlabPath}/api`, routes: [graphqlRoute(parts, api)], unknown: unknownRoute },
  ]
}

/** Returns GitLab's page of an address that does not exist. */
const noSuchPage = (): Answer => noPage('404: Page not found')

/** Creates the pages that links to GitLab open: commits, pipelines, the pipelines of jobs, and issues. */
function createPages(state: GitlabState): Route[] {
  const pages: Omit<CodePagesSettings<GitlabUser, GitlabProject>, 'runs' | 'run'> = {
    path: '/:owner/:repo/-',
    find: (name) => findProject(state, name),
    urlOf: ({ fullPath }) => `/gitlab/${fullPath}/-`,
    nameOf: ({ name }) => name,
    issue: ({ issues }, number) => issues.get(number),
    noSuchPage,
  }
  return [
    ...codePages({
      ...pages,
      runs: 'pipelines',
      run: ({ pipelines }, id) => toRun(pipelines.get(id)),
    }),
    ...codePages({ ...pages, runs: 'jobs', run: (project, id) => toRun(ofJob(project, id)) }),
  ]
}

/** A job that deploys is known by its deployment. */
function ofJob({ pipelines, deployments }: GitlabProject, id: number): GitlabPipeline | undefined {
  const deployment = [...deployments.values()].find(({ job }) => job?.id === id)
  if (deployment?.job !== undefined) return pipelines.get(deployment.job.pipelineId)
  return [...pipelines.values()].find(({ jobs }) => jobs.some((job) => job.id === id))
}

function toRun(pipeline: GitlabPipeline | undefined) {
  return (
    pipeline && {
      ...pipeline,
      title: pipeline.name ?? `Pipeline ${pipeline.id}`,
      attempts: [pipeline.status],
    }
  )
}
