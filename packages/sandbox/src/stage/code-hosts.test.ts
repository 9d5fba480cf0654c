import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { connect as connectForgejo } from '../../../server/src/providers/forgejo/stand-in/testing/connect.ts'
import { connect } from '../../../server/src/providers/gitlab/stand-in/testing/connect.ts'
import { openShop } from '../../../server/src/providers/gitlab/stand-in/testing/open-shop.ts'
import { openSandbox } from '../testing/open-sandbox.ts'
import { stateOf } from './push.ts'
import { scenarios, type ScenarioName } from './scenarios.ts'

const sandbox = await openSandbox()

const connectors = {
  github: () => {
    sandbox.stage.open()
    sandbox.github.install({ account: 'acme' })
  },
  gitlab: () => connect(sandbox),
  forgejo: () => connectForgejo(sandbox),
} as const
type HostName = keyof typeof connectors

/** Returns the address of the shop's pages at each host, and the path of a run below it. */
const pagesOf: Readonly<Record<HostName, () => { readonly shop: string; readonly run: string }>> = {
  github() {
    const { repository } = sandbox.github.codeHost.shop()
    const [run] = repository.runs.keys()
    return { shop: `${sandbox.addresses.githubWeb}/acme/shop`, run: `actions/runs/${run}` }
  },
  gitlab() {
    const { project } = sandbox.gitlab.codeHost.shop()
    const job = [...project.deployments.values()].at(-1)?.job?.id
    return { shop: `${sandbox.addresses.gitlab}/acme/shop/-`, run: `jobs/${job}` }
  },
  forgejo() {
    const [run] = sandbox.forgejo.codeHost.shop().runs.values()
    return { shop: `${sandbox.addresses.forgejo}/acme/shop`, run: `actions/runs/${run?.index}` }
  },
}

const control = (path: string, body?: object) =>
  fetch(`${sandbox.origin}${path}`, {
    ...(body && {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  })

describe.each(Object.keys(connectors) as HostName[])('the stage at %s', (name) => {
  it('tells the same story as at every other code host', async () => {
    await connectors[name]()
    const told = (Object.keys(scenarios) as ScenarioName[]).map((scenario) => {
      const { host, ...push } = sandbox.stage.push({ scenario, spacing: 'none' })
      expect(host).toBe(name)
      return [scenario, push.environment, stateOf(push), push.messages.length]
    })
    expect(told).toEqual([
      ['feature', 'staging', 'success', 2],
      ['tests-fail', 'staging', 'success', 2],
      ['flaky', 'staging', 'success', 2],
      ['failing-deployment', 'staging', 'failure', 2],
      ['rollback', 'staging', 'success', 0],
      ['hotfix', 'production', 'success', 1],
    ])
  })

  it('has pages of its commits, comparisons, runs and issues, and of nothing else', async () => {
    await connectors[name]()
    const { codeHost } = sandbox[name]
    codeHost.openIssue('The basket forgets its currency')
    const before = codeHost.findLive('staging')?.sha
    const { sha } = sandbox.stage.push({ scenario: 'feature', spacing: 'none' })
    const pages = pagesOf[name]()
    const read = async (path: string) => {
      const answer = await fetch(`${pages.shop}/${path}`)
      return `${answer.status} ${await answer.text()}`
    }
    expect(await read(`commit/${sha}`)).toMatch(/^200 [^]*ABC-2 Show the delivery date/)
    expect(await read(`compare/${before}...${sha}`)).toMatch(/^200 [^]*ABC-1[^]*<\/ul>/)
    expect(await read(`issues/1`)).toMatch(/^200 [^]*The basket forgets/)
    expect(await read(pages.run)).toMatch(/^200 [^]*main/)
    for (const path of ['commit/0000000', 'compare/a...b', 'issues/9', 'wiki/1']) {
      expect(await read(path)).toMatch(/^404 /)
    }
  })

  it('goes back to older commits, and shows what is live', async () => {
    await connectors[name]()
    const live = sandbox.stage.push({ scenario: 'feature', spacing: 'none' })
    const shows = async () => (await control('/shop/staging')).text()
    expect(await shows()).toContain(live.sha.slice(0, 8))
    const back = sandbox.stage.push({ scenario: 'rollback', spacing: 'none' })
    expect(back.sha).not.toBe(live.sha)
    expect(await shows()).toContain(back.sha.slice(0, 8))
  })
})

describe('a push', () => {
  it('goes to the code host that is connected, and the page names what runs it', async () => {
    await connect(sandbox)
    const page = await (await control('/')).text()
    expect(page).toContain('GitLab CI')
    expect(page).not.toContain('GitHub Actions')
    expect(page).not.toContain('Where to?')
    const answer = await control('/control/push', { scenario: 'feature', spacing: 'none' })
    expect(await answer.json()).toMatchObject({ host: 'gitlab', state: 'success' })
    expect((await control('/control/push', { host: 'github' })).status).toBe(422)
  })

  it('goes where the page says when several are connected', async () => {
    for (const name of ['github', 'gitlab'] as const) await connectors[name]()
    const page = await (await control('/')).text()
    expect(page).toContain('Where to?')
    const push = async (body: object) =>
      (await control('/control/push', { scenario: 'feature', spacing: 'none', ...body })).json()
    expect(await push({})).toMatchObject({ host: 'github' })
    expect(await push({ host: 'gitlab' })).toMatchObject({ host: 'gitlab' })
  })
})

describe('tests at GitLab', () => {
  const start = async (sha: string) => {
    const token = sandbox.gitlab.createAccessToken('ada', ['api'])
    const answer = await fetch(`${sandbox.addresses.gitlab}/api/v4/projects/acme%2Fshop/pipeline`, {
      method: 'POST',
      headers: { 'private-token': token, 'content-type': 'application/json' },
      body: JSON.stringify({ ref: 'main', inputs: { sha, test_run_id: 'run_01' } }),
    })
    const { id } = await answer.json()
    const { project } = sandbox.gitlab.codeHost.shop()
    return () => project.pipelines.get(id)
  }

  it('are run again on the same pipeline when they are flaky, and report ready made', async () => {
    await connect(sandbox)
    const flaky = sandbox.stage.push({ scenario: 'flaky', spacing: 'none' })
    const pipeline = await start(flaky.sha)
    await expect.poll(() => pipeline()?.status).toBe('failed')
    expect(pipeline()?.tests?.map(({ status }) => status)).toContain('failed')
    expect(pipeline()?.name).toBe('E2E run_01')
    sandbox.scheduler.runAll()
    await expect.poll(() => flaky.tests).toEqual(['failure', 'success'])
    await expect.poll(() => pipeline()?.status).toBe('success')
    expect(pipeline()?.tests?.map(({ status }) => status)).not.toContain('failed')
  })

  it('leave another project alone', async () => {
    await connect(sandbox)
    const other = openShop(sandbox, 'acme/other')
    sandbox.stage.push({ scenario: 'feature', spacing: 'none' })
    expect(other.project.deployments.size).toBe(0)
  })
})

interface Received {
  readonly authorization: string
  readonly body: Readonly<Record<string, unknown>>
}

/** Starts what receives reports in place of a product. */
async function startProduct() {
  const received: Received[] = []
  const product = createServer((request, response) => {
    let text = ''
    request.on('data', (part: Buffer) => (text += part.toString()))
    request.on('end', () => {
      const { authorization = '' } = request.headers
      received.push({ authorization, body: JSON.parse(text) })
      response.writeHead(201).end('{}')
    })
  })
  await new Promise<void>((resolve) => product.listen(0, '127.0.0.1', resolve))
  const { port } = product.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`
  sandbox.stage.variables = { url, organization: 'org_1', token: 'key' }
  return {
    received,
    close: async () => {
      sandbox.stage.variables = undefined
      await new Promise((resolve) => product.close(resolve))
    },
  }
}

describe('a host without deployments', () => {
  it('has them reported by its pipeline, in their order and with one id', async () => {
    await connectForgejo(sandbox)
    const { received, close } = await startProduct()
    const push = sandbox.stage.push({ scenario: 'feature', spacing: 'none' })
    await expect.poll(() => received.length).toBe(4)
    await close()
    expect(received.map(({ body }) => body['state'])).toEqual([
      'queued',
      'pending',
      'in_progress',
      'success',
    ])
    expect(new Set(received.map(({ body }) => body['externalId'])).size).toBe(1)
    expect(received[0]).toMatchObject({
      authorization: 'Bearer key',
      body: { repository: 'acme/shop', sha: push.sha, ref: 'main', environment: 'staging' },
    })
  })

  it.each(Object.keys(connectors) as HostName[])(
    'has its releases reported on request, in their order; %s only if it has none itself',
    async (name) => {
      await connectors[name]()
      const { received, close } = await startProduct()
      expect((await control('/control/releases', {})).status).toBe(200)
      await close()
      const reported = received.map(({ body }) => [body['environment'], body['commitMessages']])
      const [first, second] = [['ABC-3 Add the new checkout'], ['ABC-1 Count baskets']]
      const releases = [
        ['staging', first],
        ['production', first],
        ['staging', second],
        ['production', second],
      ]
      expect(reported).toEqual(name === 'forgejo' ? releases : [])
      expect(new Set(received.map(({ body }) => body['externalId'])).size).toBe(received.length)
    },
  )
})
