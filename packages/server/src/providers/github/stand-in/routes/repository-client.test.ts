import { Octokit } from '@octokit/rest'
import { describe, expect, it } from 'vitest'
import { openRepository } from '../testing/open-repository.ts'

const quiet = { debug() {}, info() {}, warn() {}, error() {} }
const shop = { owner: 'acme', repo: 'shop' }

async function openClient() {
  const opened = await openRepository()
  const { rest, paginate } = new Octokit({
    auth: opened.tokenFor(),
    baseUrl: opened.api,
    log: quiet,
  })
  return { ...opened, rest, paginate }
}

describe('the official client', () => {
  it('pages through a comparison', async () => {
    const { activity, repository, ada, rest, first } = await openClient()
    const commits = Array.from({ length: 5 }, (_, index) => ({ message: `commit ${index}` }))
    activity.push(repository, { ref: 'feature/login', pusher: ada, commits })
    const basehead = `${first}...feature/login`
    const pages = await Promise.all(
      [1, 2, 3].map((page) =>
        rest.repos.compareCommitsWithBasehead({ ...shop, basehead, per_page: 2, page }),
      ),
    )
    const compared = pages.flatMap(({ data }) => data.commits)
    expect(compared.map(({ commit }) => commit.message)).toEqual(
      commits.map(({ message }) => message),
    )
  })

  it('lists deployments and statuses, and finds the environment by a name with a slash', async () => {
    const { activity, repository, ada, rest } = await openClient()
    const environment = 'eu/live'
    const { id } = activity.deploy(repository, { ref: 'main', creator: ada, environment })
    const listed = await rest.repos.listDeployments(shop)
    expect(listed.data).toMatchObject([{ id, environment }])
    const statuses = await rest.repos.listDeploymentStatuses({ ...shop, deployment_id: id })
    expect(statuses.data).toEqual([])
    const found = await rest.repos.getEnvironment({ ...shop, environment_name: environment })
    expect(found.data.name).toBe(environment)
  })

  it('starts a workflow and pages through its runs', async () => {
    const { activity, repository, rest, paginate } = await openClient()
    activity.addWorkflow(repository, { name: 'E2E', file: 'e2e.yml', inputs: ['deployment'] })
    const workflow = { ...shop, workflow_id: 'e2e.yml' }
    for (const deployment of ['1', '2', '3']) {
      const inputs = { deployment }
      const started = await rest.actions.createWorkflowDispatch({
        ...workflow,
        ref: 'main',
        inputs,
      })
      expect(started.status).toBe(204)
    }
    const runs = await paginate(rest.actions.listWorkflowRuns, { ...workflow, per_page: 2 })
    expect(runs.map(({ run_number: number }) => number)).toEqual([3, 2, 1])
  })

  it('follows a renamed repository', async () => {
    const { activity, repository, ada, rest } = await openClient()
    activity.renameRepository(repository, 'store', ada)
    const { data } = await rest.repos.get(shop)
    expect(data).toMatchObject({ id: repository.id, name: 'store' })
  })
})
