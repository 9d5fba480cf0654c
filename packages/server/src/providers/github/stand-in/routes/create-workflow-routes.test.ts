import { describe, expect, it } from 'vitest'
import { openRepository } from '../testing/open-repository.ts'
import type { NewWorkflow } from '../activity/create-run-activity.ts'

async function openWorkflow(more: Partial<NewWorkflow> = {}) {
  const opened = await openRepository()
  const workflow = opened.activity.addWorkflow(opened.repository, {
    name: 'E2E',
    file: 'e2e.yml',
    inputs: ['deployment'],
    ...more,
  })
  const dispatch = (body: object) =>
    opened.ask('POST /actions/workflows/e2e.yml/dispatches', { body })
  return { ...opened, workflow, dispatch }
}

describe('workflows', () => {
  it('are listed with their state', async () => {
    const { ask, api, web, workflow } = await openWorkflow({ state: 'disabled_manually' })
    expect((await ask('GET /actions/workflows')).body).toMatchObject({
      total_count: 1,
      workflows: [
        {
          id: workflow.id,
          name: 'E2E',
          path: '.github/workflows/e2e.yml',
          state: 'disabled_manually',
          url: `${api}/repos/acme/shop/actions/workflows/${workflow.id}`,
          html_url: `${web}/acme/shop/blob/main/.github/workflows/e2e.yml`,
          badge_url: `${web}/acme/shop/workflows/E2E/badge.svg`,
        },
      ],
    })
  })

  it('are found by id and by file', async () => {
    const { ask, workflow } = await openWorkflow()
    for (const name of [workflow.id, 'e2e.yml']) {
      expect((await ask(`GET /actions/workflows/${name}`)).body).toMatchObject({ id: workflow.id })
    }
  })

  it.each(['1', 'none.yml', '2e.yml'])('404 for %s', async (name) => {
    const { ask } = await openWorkflow()
    expect((await ask(`GET /actions/workflows/${name}`)).status).toBe(404)
  })
})

describe('a dispatch', () => {
  it('answers 204 with nothing, and the run is told of', async () => {
    const { dispatch, sent, first } = await openWorkflow({
      runName: 'E2E ${{ inputs.deployment }}',
    })
    const answer = await dispatch({ ref: 'main', inputs: { deployment: '42' } })
    expect(answer.status).toBe(204)
    expect(answer.body).toBe('')
    expect(await sent('workflow_run')).toMatchObject([
      {
        action: 'requested',
        workflow_run: {
          event: 'workflow_dispatch',
          status: 'queued',
          display_title: 'E2E 42',
          head_branch: 'main',
          head_sha: first,
          actor: { login: 'signalbox-sandbox[bot]' },
        },
      },
    ])
  })

  it('answers 200 with the run when its details are asked for', async () => {
    const { dispatch, repository, api, web } = await openWorkflow()
    const { status, body } = await dispatch({ ref: 'main', return_run_details: true })
    const [run] = repository.runs.values()
    expect(status).toBe(200)
    expect(body).toEqual({
      workflow_run_id: run?.id,
      run_url: `${api}/repos/acme/shop/actions/runs/${run?.id}`,
      html_url: `${web}/acme/shop/actions/runs/${run?.id}`,
    })
  })

  it('takes a tag, which is then the head branch', async () => {
    const { activity, repository, ada, dispatch, first } = await openWorkflow()
    activity.push(repository, { ref: 'refs/tags/v1', pusher: ada, to: first })
    expect((await dispatch({ ref: 'v1' })).status).toBe(204)
    expect([...repository.runs.values()]).toMatchObject([{ headBranch: 'v1', headSha: first }])
  })

  it('takes inputs that are no text as JSON', async () => {
    const { dispatch, repository } = await openWorkflow()
    await dispatch({ ref: 'main', inputs: { deployment: 42 } })
    expect([...repository.runs.values()]).toMatchObject([{ inputs: { deployment: '42' } }])
  })

  it('goes through the whole run where the workflow does', async () => {
    const { dispatch, sent } = await openWorkflow({ autoRun: { conclusion: 'success' } })
    await dispatch({ ref: 'main' })
    await expect
      .poll(() => sent('workflow_run'))
      .toMatchObject([
        { action: 'requested' },
        { action: 'in_progress' },
        { action: 'completed', workflow_run: { conclusion: 'success' } },
      ])
  })
})

describe('a dispatch is refused with 422', () => {
  it('for a SHA, and for a ref that is not there', async () => {
    const { dispatch, repository, first } = await openWorkflow()
    for (const ref of [first, 'none']) {
      const { status, body } = await dispatch({ ref })
      expect(status).toBe(422)
      expect(body).toMatchObject({ message: `No ref found for: ${ref}` })
    }
    expect(repository.runs.size).toBe(0)
  })

  it('without a ref', async () => {
    const { dispatch } = await openWorkflow()
    expect((await dispatch({})).status).toBe(422)
  })

  it('for an input that the workflow does not have', async () => {
    const { dispatch } = await openWorkflow()
    const { status, body } = await dispatch({ ref: 'main', inputs: { other: '1' } })
    expect(status).toBe(422)
    expect(body).toMatchObject({ message: 'Unexpected inputs provided: ["other"]' })
  })

  it('for a required input that is not given and has no default, and for none of the options', async () => {
    const { dispatch } = await openWorkflow({
      inputs: [
        { name: 'suite', required: true, options: ['smoke', 'all'] },
        { name: 'times', required: true, default: '1' },
      ],
    })
    const told = async (inputs: object) => (await dispatch({ ref: 'main', inputs })).body
    expect(await told({})).toMatchObject({ message: "Required input 'suite' not provided" })
    expect(await told({ suite: 'none' })).toMatchObject({
      message: "Provided value 'none' for input 'suite' not in the list of allowed values",
    })
    expect((await dispatch({ ref: 'main', inputs: { suite: 'all' } })).status).toBe(204)
  })

  it('for more than 25 inputs', async () => {
    const names = Array.from({ length: 26 }, (_, index) => `input-${index}`)
    const { dispatch } = await openWorkflow({ inputs: names })
    const inputsOf = (count: number) =>
      Object.fromEntries(names.slice(0, count).map((name) => [name, '1']))
    expect((await dispatch({ ref: 'main', inputs: inputsOf(26) })).status).toBe(422)
    expect((await dispatch({ ref: 'main', inputs: inputsOf(25) })).status).toBe(204)
  })

  it('for a workflow without the trigger', async () => {
    const { activity, repository, ask } = await openRepository()
    activity.addWorkflow(repository, { name: 'CI', file: 'ci.yml' })
    const request = 'POST /actions/workflows/ci.yml/dispatches'
    const { status, body } = await ask(request, { body: { ref: 'main' } })
    expect(status).toBe(422)
    expect(body).toMatchObject({ message: "Workflow does not have 'workflow_dispatch' trigger" })
  })

  it.each(['disabled_manually', 'disabled_inactivity', 'disabled_fork', 'deleted'] as const)(
    'for a workflow that is %s',
    async (state) => {
      const { dispatch } = await openWorkflow({ state })
      expect((await dispatch({ ref: 'main' })).status).toBe(422)
    },
  )
})

describe('a dispatch is refused', () => {
  it('with 404 for a workflow that is not there', async () => {
    const { ask } = await openWorkflow()
    const question = { body: { ref: 'main' } }
    expect((await ask('POST /actions/workflows/none.yml/dispatches', question)).status).toBe(404)
  })

  it('with 403 for who may only read', async () => {
    const { ask, repository } = await openWorkflow()
    const question = { body: { ref: 'main' }, permissions: { actions: 'read' } } as const
    expect((await ask('POST /actions/workflows/e2e.yml/dispatches', question)).status).toBe(403)
    expect(repository.runs.size).toBe(0)
  })
})
