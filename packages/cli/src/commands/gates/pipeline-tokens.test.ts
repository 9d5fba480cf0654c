import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { issuePipelineToken } from '../../../../server/src/providers/github/stand-in/pipeline-identity.ts'
import {
  openConnected,
  type Connected,
} from '../../../../server/src/start/testing/open-connected.ts'
import { openShop, type Shop } from '../../../../server/src/start/testing/play-push.ts'
import { writeDefinition } from '../../testing/definition-files.ts'
import { createTestDirectory, type TestDirectory } from '../../testing/run-cli.ts'

vi.setConfig({ testTimeout: 90_000 })

let service: Connected
let shop: Shop
let place: TestDirectory
let actions: Server
/** The run whose job asks for a token. */
let current: ReturnType<Shop['requestRun']>

beforeAll(async () => {
  service = await openConnected()
  shop = openShop(service.sandbox)
  await service.connect('codehost', 'github')
  place = createTestDirectory(service.apiUrl, '')
  writeFileSync(join(place.directory, '.signalbox.json'), JSON.stringify({ schema: 'web' }))
  writeDefinition(place, `secret: { stripeKey: string() },`)
  actions = createServer(({ url = '' }, response) => {
    const audience = new URL(url, service.apiUrl).searchParams.get('audience') ?? ''
    const { state } = service.sandbox.github
    const { repository } = shop
    const value = issuePipelineToken({ state, repository, run: current, audience })
    response.end(JSON.stringify({ value }))
  })
  await new Promise<void>((resolve) => actions.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  actions.close()
  place.remove()
  await service.close()
})

/** Runs a command as a job of the current run does, without a key. */
const asJob = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  place.run(args, {
    env: {
      SIGNALBOX_ORGANIZATION: service.orgId,
      GITHUB_ACTIONS: 'true',
      GITHUB_REPOSITORY: 'acme/shop',
      ACTIONS_ID_TOKEN_REQUEST_URL: `http://127.0.0.1:${(actions.address() as AddressInfo).port}/`,
      ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'request',
      ...env,
    },
  })
const checkRuns = () =>
  [...shop.repository.checkRuns.values()].map(({ sha, conclusion, title }) => ({
    sha,
    conclusion,
    title,
  }))

it('a job of a pull request needs no key to upload, and its check stands beside the newest commit of the proposal', async () => {
  const { activity, state } = service.sandbox.github
  const ada = state.accounts.get('ada')
  if (ada === undefined) throw new Error('The seed has lost ada.')
  shop.push('ABC-1 Begin')
  const pull = activity.propose(shop.repository, { author: ada, branch: 'checkout' })
  const workflow = activity.addWorkflow(shop.repository, { name: 'CI', file: 'ci.yml' })
  const event = 'pull_request' as const
  const of = { workflow, event, ref: 'checkout', actor: ada, pullRequest: pull }
  current = activity.requestRun(shop.repository, of)
  const path = join(place.directory, 'event.json')
  const source = { sha: pull.headSha, ref: 'checkout', repo: { full_name: 'acme/shop' } }
  writeFileSync(path, JSON.stringify({ pull_request: { number: pull.number, head: source } }))
  const upload = () => asJob(['check', '--upload'], { GITHUB_EVENT_PATH: path })
  // Until the sync has found the repository.
  await expect.poll(async () => (await upload()).code, { timeout: 20_000 }).toBe(5)
  const result = await upload()
  expect(result.stdout).toContain(`acme/shop ${pull.headSha.slice(0, 7)}, pull request`)
  await expect.poll(checkRuns, { timeout: 20_000 }).toEqual([
    {
      sha: pull.headSha,
      conclusion: 'failure',
      title: expect.stringContaining('production lacks stripeKey'),
    },
  ])
})

it('a job of a push asks a gate without a key, which waits for the definition of its own commit and for its values', async () => {
  const { items } = await service.ask<{ items: { id: string; name: string }[] }>(
    'GET /environments',
  )
  const environmentIds = items.filter(({ name }) => name === 'production').map(({ id }) => id)
  const rules = [{ rule: 'configuration' }]
  const gate = { name: 'Production', environmentIds, repositories: [], mode: 'enforce', rules }
  await service.ask('POST /gates', gate)
  current = shop.requestRun()
  const short = current.headSha.slice(0, 7)
  const before = await asJob(['gate', '--environment', 'production'])
  expect(before.code).toBe(9)
  expect(before.stderr).toContain(`No definition of ${short} was uploaded.`)
  expect(await asJob(['check', '--upload', '--no-fail'])).toMatchObject({ code: 0 })
  const waiting = asJob(['gate', '--environment', 'production', '--wait', '1m'])
  const made = await service.ask<{ id: string }>('POST /config-schemas', {
    name: 'web',
    schema: { stripeKey: { type: 'string', tier: 'secret' } },
  })
  for (const environmentId of environmentIds)
    await service.ask('PUT /config-values', {
      schemaId: made.id,
      environmentId,
      values: { stripeKey: 'sk_test_1' },
    })
  // Compares immediately, which the server does half a minute after a change.
  expect(await asJob(['check', '--upload'])).toMatchObject({ code: 5 })
  const { code, stdout } = await waiting
  expect(code).toBe(0)
  expect(stdout).toContain(`The deployment of ${short} to production may go on`)
})
