import { describe, expect, it } from 'vitest'
import type { NewDeploymentStatus } from './create-deployment-activity.ts'
import { ada, recordActivity } from '../testing/record-activity.ts'

function record() {
  const recorded = recordActivity()
  const { activity, repository, events } = recorded
  const deploy = (environment: string, more = {}) =>
    activity.deploy(repository, { ref: 'main', creator: ada, environment, ...more })
  const setStatus = (
    deployment: ReturnType<typeof deploy>,
    status: Omit<NewDeploymentStatus, 'creator'>,
  ) => activity.setDeploymentStatus(repository, deployment, { creator: ada, ...status })
  const statusEvents = () => events.filter(({ name }) => name === 'deployment_status')
  return { ...recorded, deploy, setStatus, statusEvents }
}

type Record = ReturnType<typeof record>
const stateOf = (deployment: ReturnType<Record['deploy']>) => deployment.statuses.at(-1)?.state

describe('deploy', () => {
  it('tells of a deployment that no run made', () => {
    const { repository, events, deploy } = record()
    const deployment = deploy('staging')
    expect(events).toMatchObject([
      {
        name: 'deployment',
        action: 'created',
        payload: {
          action: 'created',
          deployment: {
            id: deployment.id,
            ref: 'main',
            sha: repository.branches.get('main'),
            task: 'deploy',
            payload: {},
            environment: 'staging',
            original_environment: 'staging',
            production_environment: false,
          },
          workflow: null,
          workflow_run: null,
          sender: { login: 'ada' },
        },
      },
    ])
  })

  it('tells of the run that made it, without its commit', () => {
    const { activity, repository, events, deploy } = record()
    const workflow = activity.addWorkflow(repository, { name: 'Deploy', file: 'deploy.yml' })
    const run = activity.requestRun(repository, {
      workflow,
      event: 'push',
      ref: 'main',
      actor: ada,
    })
    deploy('staging', { run })
    expect(events.at(-1)?.payload).toMatchObject({
      workflow: { id: workflow.id, path: '.github/workflows/deploy.yml' },
      workflow_run: { id: run.id, head_branch: 'main', run_attempt: 1, head_commit: null },
    })
  })

  it('makes an environment that is not there, and not a second one for other letters', () => {
    const { repository, deploy } = record()
    deploy('Staging')
    deploy('staging')
    expect([...repository.environments.values()].map(({ name }) => name)).toEqual(['Staging'])
  })

  it('takes production for a production environment', () => {
    const { deploy } = record()
    expect(deploy('production').productionEnvironment).toBe(true)
    expect(deploy('live', { productionEnvironment: true }).productionEnvironment).toBe(true)
  })
})

describe('setDeploymentStatus', () => {
  it('tells of it', () => {
    const { deploy, setStatus, statusEvents } = record()
    const deployment = deploy('staging')
    const status = setStatus(deployment, { state: 'success', logUrl: 'https://ci.test/1' })
    expect(statusEvents()).toMatchObject([
      {
        action: 'created',
        payload: {
          deployment_status: {
            id: status.id,
            state: 'success',
            environment: 'staging',
            log_url: 'https://ci.test/1',
            target_url: 'https://ci.test/1',
          },
          deployment: { id: deployment.id },
          workflow_run: null,
        },
      },
    ])
  })

  it('moves the deployment to another environment, where later statuses stay', () => {
    const { repository, deploy, setStatus } = record()
    const deployment = deploy('staging')
    setStatus(deployment, { state: 'in_progress', environment: 'eu/live' })
    const later = setStatus(deployment, { state: 'success' })
    expect(deployment).toMatchObject({ environment: 'eu/live', originalEnvironment: 'staging' })
    expect(later.environment).toBe('eu/live')
    expect(repository.environments.has('eu/live')).toBe(true)
  })

  it('ends earlier successes of the environment, and tells nobody', () => {
    const { deploy, setStatus, statusEvents } = record()
    const earlier = deploy('staging')
    setStatus(earlier, { state: 'success' })
    setStatus(deploy('staging'), { state: 'success' })
    expect(stateOf(earlier)).toBe('inactive')
    expect(statusEvents()).toHaveLength(2)
  })

  it.each([
    ['transient', 'staging', { transientEnvironment: true }],
    ['production', 'production', {}],
  ])('leaves a %s deployment as it is', (_, environment, more) => {
    const { deploy, setStatus } = record()
    const earlier = deploy(environment, more)
    setStatus(earlier, { state: 'success' })
    setStatus(deploy(environment), { state: 'success' })
    expect(stateOf(earlier)).toBe('success')
  })

  it('leaves alone what did not succeed, what is elsewhere, and what is later', () => {
    const { deploy, setStatus } = record()
    const failed = deploy('staging')
    setStatus(failed, { state: 'failure' })
    const elsewhere = deploy('preview')
    setStatus(elsewhere, { state: 'success' })
    const deployment = deploy('staging')
    const later = deploy('staging')
    setStatus(later, { state: 'success' })
    setStatus(deployment, { state: 'success' })
    expect([failed, elsewhere, later].map(stateOf)).toEqual(['failure', 'success', 'success'])
  })

  it('ends nothing when it is not to, and when it is no success', () => {
    const { deploy, setStatus } = record()
    const earlier = deploy('staging')
    setStatus(earlier, { state: 'success' })
    const deployment = deploy('staging')
    setStatus(deployment, { state: 'in_progress' })
    setStatus(deployment, { state: 'success', autoInactive: false })
    expect(stateOf(earlier)).toBe('success')
  })

  it('tells nobody of inactive', () => {
    const { deploy, setStatus, statusEvents } = record()
    setStatus(deploy('staging'), { state: 'inactive' })
    expect(statusEvents()).toEqual([])
  })
})
