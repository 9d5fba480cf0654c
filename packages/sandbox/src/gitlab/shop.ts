import { getUser, type GitlabActivity } from './activity/create-activity.ts'
import { findProject, type GitlabProject, type GitlabState, type GitlabUser } from './state.ts'

/** Describes the project `acme/shop`, and who pushes to it. */
export interface GitlabShop {
  readonly project: GitlabProject
  readonly ada: GitlabUser
}

/** Holds what the shop needs. */
export interface ShopDeps {
  readonly state: GitlabState
  readonly activity: GitlabActivity
  /** Returns the course of a pipeline that the product starts. */
  readonly autoRun: NonNullable<GitlabProject['autoRun']>
}

/** Opens the shop with the history that it has at every code host. Returns the same one until a reset. */
export function createShop({ state, activity, autoRun }: ShopDeps): () => GitlabShop {
  let open: GitlabShop | undefined
  return () => {
    const ada = getUser(state, 'ada')
    if (open !== undefined && state.projects.has(open.project.id)) return open
    const existing = findProject(state, 'acme/shop')
    const project = existing ?? activity.addProject({ fullPath: 'acme/shop' })
    open = { project, ada }
    project.autoRun = autoRun
    const names = ['deployment_id', 'test_run_id', 'environment', 'environment_url', 'sha']
    activity.setCi(project, {
      inputs: names.map((name) => ({ name, default: '' })),
      workflowName: 'E2E $[[ inputs.test_run_id ]]',
      jobs: [{ name: 'e2e', stage: 'test', environment: undefined }],
    })
    addHistory(activity, open)
    return open
  }
}

/** Adds two releases, which both went to staging and production. */
function addHistory(activity: GitlabActivity, { project, ada: user }: GitlabShop): void {
  for (const [message, path] of [
    ['ABC-3 Add the new checkout', 'src/checkout/new.ts'],
    ['ABC-1 Count baskets', 'src/basket/count.ts'],
  ] as const) {
    const commits = [{ message, modified: [path] }]
    const { id: sha } = activity.push(project, { branch: 'main', user, commits })
    for (const environment of ['staging', 'production']) {
      const pipeline = activity.startPipeline(project, {
        ref: 'main',
        user,
        jobs: [{ name: `deploy-${environment}`, stage: 'deploy', environment }],
      })
      const made = { ref: 'main', sha, user, environment, pipeline }
      activity.deploy(project, { ...made, status: 'success' })
      activity.setPipelineStatus(project, pipeline, 'success')
    }
  }
}
