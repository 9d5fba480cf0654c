import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { connectAll } from './testing/connect-organization.ts'
import { openConnected, type Connected } from './testing/open-connected.ts'
import { openShop, type Shop } from './testing/play-push.ts'

let service: Connected
let shop: Shop
let pushes = 0
/** Each test deploys to an environment of its own, so that none of them is the newest one of another's. */
let environment: string

beforeAll(async () => {
  service = await openConnected({ initialHoldMs: 300 })
  shop = openShop(service.sandbox)
  await connectAll(service)
  await service.ask('PATCH /integrations/chat', {
    defaultChannelId: service.sandbox.slack.channelId('deployments'),
  })
  await service.ask('PATCH /integrations/codehost', {
    testWorkflows: [{ workflowId: 'e2e.yml', debounceSeconds: 0 }],
  })
})
afterAll(() => service.close())
beforeEach(() => {
  environment = `preview-${(pushes += 1)}`
})

const messages = () => service.sandbox.slack.messages('deployments')
/** Lists the messages about deployments of a commit. */
const messagesOf = (sha: string) =>
  messages()
    .map((message) => JSON.stringify(message))
    .filter((text) => text.includes(`\`${sha.slice(0, 8)}\` · by ada`))

/** The one message of a deployment, once it says how the tests went. */
async function waitForResult(sha: string): Promise<string> {
  await expect
    .poll(() => messagesOf(sha).join('\n'), { timeout: 40_000, interval: 100 })
    .toContain('passed')
  const [text = '', ...more] = messagesOf(sha)
  expect(more).toEqual([])
  return text
}

const named = ['The basket forgets its currency', 'Show the delivery date'] as const
/** Lists the issues that a message names. `UTF-8` only looks like one. */
const issuesIn = (text: string) => [...named, 'UTF-8'].filter((title) => text.includes(title))

const commits = [
  'ABC-1 Keep the currency',
  'Show the date\n\nABC-2, and UTF-8 while at it',
] as const
const states = ['queued', 'in_progress', 'success'] as const

describe('a push whose commits name issues', () => {
  // First, while no other message could take its fault.
  it('control: becomes two where the workspace does not know a repeated post', async () => {
    const { faults, slack } = service.sandbox
    slack.clientMsgIdWindowMs = 0
    faults.add({ provider: 'slack', request: 'POST /chat.postMessage', fault: { kind: 'cut' } })
    const sha = shop.push(...commits)
    shop.deploy(environment, states)
    await expect.poll(() => messagesOf(sha).length, { timeout: 40_000, interval: 100 }).toBe(2)
    slack.clientMsgIdWindowMs = 60_000
  })

  it('becomes one message and one test run, although two jobs deploy it, its commits hold what PostgreSQL refuses, webhooks come twice and in any order, and the providers are in trouble', async () => {
    const { faults, github } = service.sandbox
    shop.deploy(environment, ['success'])
    await github.hooks.settled()
    faults.add({ provider: 'jira', fault: { kind: 'answer', status: 503 } })
    faults.add({ provider: 'github', request: 'GET /repo', fault: { kind: 'drop' } })
    // The post arrives, and nobody learns it.
    faults.add({ provider: 'slack', request: 'POST /chat.postMessage', fault: { kind: 'cut' } })
    faults.add({
      provider: 'slack',
      request: 'POST /chat.update',
      fault: { kind: 'answer', status: 429, headers: { 'retry-after': '1' } },
    })
    github.hooks.faults.hold()
    // Holds a character that PostgreSQL refuses, and one that a cut would halve.
    const faces = '\u{1F600}'.repeat(90)
    const sha = shop.push(
      'ABC-1 Keep\0 the \uD83Dcurrency',
      `Show the date \0\n\nABC-2, and UTF-8 while at it ${faces} \uDE00`,
    )
    const run = shop.requestRun()
    const jobs = [shop.beginDeploy(environment, run), shop.beginDeploy(environment, run)]
    for (const job of jobs) for (const state of states) job.moveTo(state)
    const held = github.hooks.faults.held().length
    github.hooks.faults.repeatNext(held)
    await github.hooks.faults.release([...Array.from({ length: held }).keys()].toReversed())
    expect(issuesIn(await waitForResult(sha))).toEqual(named)
    // Both commits were compared, and none of what they name is lost.
    const rows = await service.asOwner<Record<'state' | 'jobs' | 'tests' | 'commits', string>>(
      `select d.state, (select count(*) from deployment_jobs j where j.deployment_id = d.id)::text as jobs,
         (select count(*) from test_runs t where t.deployment_id = d.id)::text as tests,
         (select count(*) from deployment_commits c where c.deployment_id = d.id)::text as commits,
         (select string_agg(i.evidence #>> '{0,text}', '|') from deployment_issues i where i.deployment_id = d.id) as evidence
       from deployments d where d.sha = $1`,
      [sha],
    )
    const evidence = expect.stringContaining('Keep\uFFFD the')
    expect(rows).toEqual([{ state: 'success', jobs: '1', tests: '1', commits: '2', evidence }])
  })
})
