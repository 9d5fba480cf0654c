import { empty } from '../../../../../../sandbox/src/http/answers.ts'
import type { Answer, Route } from '../../../../../../sandbox/src/http/route.ts'
import { botLoginOf } from '../create-app.ts'
import { notFound, refuse } from '../errors.ts'
import { createInput } from '../routes/create-input.ts'
import {
  toRoute,
  type RepositoryParts,
  type RepositoryRequest,
} from '../routes/repository-route.ts'
import { latestAttemptOf } from '../run-parts.ts'
import type { GithubRepository, GithubRun, GithubState, GithubWait } from '../state.ts'

const commentsMax = 10
const commentMax = 1_024

/**
 * Creates the route by which an app answers a run that its deployment protection rule holds: by comments first, and then once for all.
 *
 * @see https://docs.github.com/en/rest/actions/workflow-runs#review-custom-deployment-protection-rules-for-a-workflow-run
 */
export function createWaitRoutes(deps: RepositoryParts): Route[] {
  const path = '/actions/runs/:run/deployment_protection_rule'
  return [
    toRoute(deps, `POST ${path}`, ['deployments', 'write'], (request) => review(deps, request)),
  ]
}

function review(deps: RepositoryParts, request: RepositoryRequest): Answer {
  const { repository, params } = request
  const run = repository.runs.get(Number(params['run']))
  if (run === undefined) return notFound()
  const input = createInput(request)
  const environment = input.requiredText('environment_name')
  const state = input.text('state')
  const comment = input.text('comment') ?? ''
  const refused = input.rejection()
  if (refused !== undefined) return refused
  if (state !== undefined && state !== 'approved' && state !== 'rejected') {
    return refuse(422, `Invalid request.\n\n${state} is not a member of approved, rejected.`)
  }
  if (state === undefined && comment === '') return refuse(422, 'A comment is required.')
  if (comment.length > commentMax) {
    return refuse(422, `comment is too long (maximum is ${commentMax} characters)`)
  }
  const wait = findWait(deps.state, request, { run, environment })
  if (wait === undefined) return refuse(422, `No pending deployment for ${environment}.`)
  if (state === undefined) return report(wait, comment)
  wait.answer = { state, comment }
  goOn(deps, repository, run)
  return empty()
}

function report({ comments }: GithubWait, comment: string): Answer {
  if (comments.length >= commentsMax) {
    return refuse(422, `A deployment takes ${commentsMax} status reports at most.`)
  }
  comments.push(comment)
  return empty()
}

/** Returns what waits for the app that asks, and has no answer. */
function findWait(
  { apps }: GithubState,
  { repository, actor }: RepositoryRequest,
  { run, environment }: { readonly run: GithubRun; readonly environment: string },
): GithubWait | undefined {
  const app = [...apps.values()].find((one) => botLoginOf(one) === actor.login)
  return repository.waits.find(
    (wait) =>
      wait.appId === app?.id &&
      wait.runId === run.id &&
      wait.attempt === latestAttemptOf(run).number &&
      wait.environment.toLowerCase() === environment.toLowerCase() &&
      wait.answer === undefined,
  )
}

/** Lets the attempt go on once nothing waits, and ends it at the first rejection. */
function goOn({ activity }: RepositoryParts, repository: GithubRepository, run: GithubRun): void {
  const attempt = latestAttemptOf(run)
  const own = repository.waits.filter(
    (wait) => wait.runId === run.id && wait.attempt === attempt.number,
  )
  if (attempt.status !== 'waiting') return
  if (own.some(({ answer }) => answer?.state === 'rejected')) {
    activity.finishRun(repository, run, 'failure')
  } else if (own.every(({ answer }) => answer?.state === 'approved')) {
    attempt.status = 'queued'
  }
}
