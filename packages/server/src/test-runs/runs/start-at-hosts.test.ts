import type { Sandbox } from '@signalbox/sandbox'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { CodehostApi } from '../../providers/codehost.ts'
import { openForgejo, type OpenForgejo } from '../../providers/forgejo/testing/open-forgejo.ts'
import { openGitlab, type OpenGitlab } from '../../providers/gitlab/testing/open-gitlab.ts'
import { openTestRuns, type TestRunApp } from '../testing/open-test-runs.ts'
import { createCodehostRunner } from './codehost-runner.ts'

let app: TestRunApp
let gitlab: OpenGitlab
let forgejo: OpenForgejo
beforeAll(async () => {
  ;[app, gitlab, forgejo] = await Promise.all([openTestRuns(), openGitlab(), openForgejo()])
})
afterAll(() => Promise.all([app.close(), gitlab.close(), forgejo.close()]))
beforeEach(async () => {
  for (const table of ['test_runs', 'deployments', 'pending_jobs', 'test_run_events']) {
    await app.test.asOwner(`delete from ${table}`)
  }
})

/** Holds a pretended code host with a workflow that tests, and what it has started. */
interface Host {
  readonly sandbox: Sandbox
  readonly api: CodehostApi
  readonly repositoryId: string
  readonly workflowId: string
  /** The request that starts, as the faults name it. */
  readonly start: string
  readonly countRuns: () => number
}

/** `shows`: its runs show the id that they were started with. */
const hosts: Readonly<Record<'gitlab' | 'forgejo', (shows: boolean) => Host>> = {
  gitlab(shows) {
    const { sandbox } = gitlab
    sandbox.reset()
    const { project, id } = gitlab.addShop()
    gitlab.gitlab.activity.setCi(project, {
      inputs: [{ name: 'test_run_id', default: '' }],
      workflowName: shows ? 'E2E $[[ inputs.test_run_id ]]' : 'E2E',
    })
    return {
      sandbox,
      api: gitlab.apiWith(['api']),
      repositoryId: id,
      workflowId: 'pipeline',
      start: `POST /projects/${project.id}/pipeline`,
      countRuns: () => project.pipelines.size,
    }
  },
  forgejo(shows) {
    const { sandbox } = forgejo
    sandbox.reset()
    // Forgejo itself shows every input. Gitea shows the title alone.
    if (!shows) Object.assign(sandbox.forgejo.settings, { product: 'gitea' })
    const { repository, id } = forgejo.addShop()
    forgejo.forgejo.activity.setWorkflow(repository, {
      file: 'e2e.yml',
      name: 'E2E',
      inputs: [{ name: 'test_run_id' }],
    })
    return {
      sandbox,
      api: forgejo.apiWith(['write:repository', 'read:repository', 'read:user']),
      repositoryId: id,
      workflowId: 'e2e.yml',
      start: 'POST /repos/acme/shop/actions/workflows/',
      countRuns: () => repository.runs.size,
    }
  },
}

/** Dies at the first start, before it is sent or after it was. */
function dieOnce(api: CodehostApi, when: 'before' | 'after'): CodehostApi {
  let isDead = false
  return {
    ...api,
    workflows: {
      ...api.workflows,
      async start(...of) {
        const isNow = !isDead
        isDead = true
        if (isNow && when === 'before') throw new Error('killed')
        const started = await api.workflows.start(...of)
        if (isNow) throw new Error('killed')
        return started
      },
    },
  }
}

/** Deploys once at a host, with its clock at ours, and works until nothing is due. */
async function deployAndWork({ sandbox, api, repositoryId, workflowId }: Host) {
  app.clock = sandbox.clock.now()
  await app.test.asOwner('update repositories set external_id = $1', [repositoryId])
  await app.test.asOwner('update integrations set settings = $1', [
    { testWorkflows: [{ workflowId }] },
  ])
  const runner = createCodehostRunner(() => {
    sandbox.clock.advance(Math.max(0, app.clock.getTime() - sandbox.clock.now().getTime()))
    return Promise.resolve(api)
  })
  Object.assign(app.deps, { runner })
  await app.deploy()
  await app.work()
  return app.runs()
}

const names = ['gitlab', 'forgejo'] as const

describe('a test run whose start is lost', () => {
  it.each(names.flatMap((name) => (['cut', 'drop'] as const).map((kind) => ({ name, kind }))))(
    'is one run at $name, where the connection is $kind',
    async ({ name, kind }) => {
      const host = hosts[name](true)
      host.sandbox.faults.add({ provider: name, request: host.start, fault: { kind } })
      expect(await deployAndWork(host)).toMatchObject([{ externalId: expect.any(String) }])
      expect(host.sandbox.faults.list()).toEqual([])
      expect(host.countRuns()).toBe(1)
    },
  )

  it.each(names.flatMap((name) => (['before', 'after'] as const).map((when) => ({ name, when }))))(
    'is one run at $name, where the worker dies $when it',
    async ({ name, when }) => {
      const host = hosts[name](true)
      const api = dieOnce(host.api, when)
      expect(await deployAndWork({ ...host, api })).toMatchObject([
        { externalId: expect.any(String) },
      ])
      expect(host.countRuns()).toBe(1)
    },
  )

  it.each(names)('control: is none at %s, where runs do not show the id', async (name) => {
    const host = hosts[name](false)
    const runs = await deployAndWork({ ...host, api: dieOnce(host.api, 'before') })
    expect(runs).toMatchObject([{ state: 'unknown', externalId: null }])
    expect(host.countRuns()).toBe(0)
  })

  it.each(names)('control: is two at %s, where nobody looks for the first', async (name) => {
    const host = hosts[name](true)
    const nothing = () => Promise.resolve({ runs: [], isComplete: true })
    const { workflows, ...rest } = dieOnce(host.api, 'after')
    const api = { ...rest, workflows: { ...workflows, listRequestedRuns: nothing } }
    await deployAndWork({ ...host, api })
    expect(host.countRuns()).toBe(2)
  })
})
