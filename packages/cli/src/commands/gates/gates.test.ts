import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { MemberBrowser } from '../../testing/real-server.ts'
import { withRealServer } from '../../testing/with-server.ts'

const { server, place } = withRealServer()
let ada: MemberBrowser
let environment: string
let environmentId: string
let run: number
let count = 0
const sha = '4f1c2aa'.padEnd(40, '0')

interface Decision {
  readonly id: string
  readonly state: string
}

beforeAll(async () => {
  ada = await server.openBrowser('admin')
})

/** Each test has an environment and a run of its own. */
beforeEach(async () => {
  count += 1
  run = count
  environment = `live${count}`
  const made = await server.call<{ id: string }>('POST', '/environments', { name: environment })
  environmentId = made.id
})

const pipeline = () => ({
  GITHUB_ACTIONS: 'true',
  GITHUB_REPOSITORY: 'acme/shop',
  GITHUB_SHA: sha,
  GITHUB_REF_NAME: 'main',
  GITHUB_RUN_ID: `${run}`,
  GITHUB_RUN_ATTEMPT: '1',
  GITHUB_SERVER_URL: 'https://github.com',
})
const ask = (...args: readonly string[]) =>
  place.run(['gate', '--environment', environment, ...args], { env: pipeline() })
const addGate = (rule: object, mode = 'enforce') =>
  server.call('POST', '/gates', {
    name: `Gate of ${environment}`,
    environmentIds: [environmentId],
    repositories: [],
    mode,
    rules: [rule],
  })
const people = { rule: 'approvals', count: 1, members: [] }
const findWaiting = async () => {
  const query = `environmentId=${environmentId}&state=waiting`
  const { items } = await server.call<{ items: Decision[] }>('GET', `/gate-decisions?${query}`)
  return items[0]
}
const getWaiting = async () => {
  await expect.poll(findWaiting, { timeout: 10_000 }).toMatchObject({ state: 'waiting' })
  return (await findWaiting())?.id ?? ''
}

describe('gate', () => {
  it('lets a deployment go on that no gate covers, and says so', async () => {
    const result = await ask()
    expect(result).toMatchObject({ code: 0 })
    expect(result.stdout).toContain(`✓ The deployment of 4f1c2aa to ${environment} may go on`)
    expect(result.stdout).toContain(`No gate covers deployments to ${environment}.`)
  })

  it('warns of an environment that nobody knows, because its name may be misspelled', async () => {
    const result = await place.run(['gate', '--environment', 'prodution'], { env: pipeline() })
    expect(result.code).toBe(0)
    expect(result.stderr).toContain('so no gate covers it. Map it')
  })

  it('ends with 9 while a deployment waits, with what for and where, and with 0 once a person approved it', async () => {
    await addGate(people)
    const waiting = await ask()
    expect(waiting.code).toBe(9)
    expect(waiting.stderr).toContain(`The deployment of 4f1c2aa to ${environment} waits.`)
    expect(waiting.stderr).toContain('Waits for 1 approval.')
    const id = await getWaiting()
    expect(waiting.stderr).toContain(`${server.url}/${server.slug}/gates/${id}`)
    await ada.decide(id, 'approve')
    expect(await ask()).toMatchObject({ code: 0 })
  })

  it('waits until somebody lets the deployment go on, and names them with their reason', async () => {
    await addGate(people)
    const waiting = ask('--wait', '1m')
    await ada.decide(await getWaiting(), 'override', 'payments are down')
    const { code, stdout, stderr } = await waiting
    expect(code).toBe(0)
    expect(stdout).toContain('may go on: Ada let it: payments are down')
    expect(stderr.match(/Waits for 1 approval/g)).toHaveLength(1)
  })

  it('ends with 1 when somebody refused the deployment, and asking again changes nothing', async () => {
    await addGate(people)
    await ask()
    await ada.decide(await getWaiting(), 'refuse', 'not on a Friday')
    for (const flags of [[], ['--wait', '1m']]) {
      const result = await ask(...flags)
      expect(result.code).toBe(1)
      expect(result.stderr).toContain('is refused: Ada refused it: not on a Friday')
    }
  })

  it('is not held up by a gate that only watches, and says what it would have waited for', async () => {
    await addGate(people, 'watch')
    const result = await ask()
    expect(result.code).toBe(0)
    expect(result.stdout).toContain('only watched: Waits for 1 approval.')
  })

  it('asks nothing with --dry-run, and says what of a run nobody has named', async () => {
    const result = await place.run(['gate', '--environment', environment, '--sha', sha])
    expect(result.code).toBe(2)
    expect(result.stderr).toContain('--repository is missing.')
    const named = ['--sha', sha, '--repository', 'acme/shop']
    const nameless = await place.run(['gate', '--environment', environment, ...named])
    expect(nameless.stderr).toContain('--run is missing.')
    expect((await place.run(['gate'])).stderr).toContain('--environment is missing.')
    const planned = await ask('--dry-run')
    expect(planned.stdout).toContain(
      `Would ask whether the deployment to ${environment} may go on.`,
    )
    expect(await findWaiting()).toBeUndefined()
  })
})

describe('gates', () => {
  it('lists each gate with its rules in words, the deployments that wait, and one with its page', async () => {
    await addGate({ rule: 'soak', environmentId, minutes: 30 })
    const gates = await place.run(['gates'])
    expect(gates.stdout).toMatch(
      new RegExp(
        `Gate of ${environment} +${environment} +holds up +live in ${environment} for 30 min`,
      ),
    )
    const { stderr } = await ask()
    expect(stderr).toContain(`Deploy 4f1c2aa to ${environment}.`)
    const id = await getWaiting()
    const listed = await place.run(['gates', 'decisions', '--environment', environment])
    expect(listed.stdout).toContain(`4f1c2aa to ${environment}`)
    expect(listed.stdout).toContain(id)
    const refused = ['gates', 'decisions', '--environment', environment, '--state', 'refused']
    expect((await place.run(refused)).stdout).toContain('There are no such deployments.')
    const one = await place.run(['gates', 'show', id])
    expect(one.stdout).toContain(`4f1c2aa to ${environment}, acme/shop: waits`)
    const page = await place.run(['gates', 'open', id])
    expect(page.stdout.trim()).toBe(`${server.url}/${server.slug}/gates/${id}`)
  })
})

describe('freeze', () => {
  const asOperator = (...args: readonly string[]) => place.run(args, { env: server.asOperator })

  it('holds every deployment up until its time, with the reason, or until somebody ends it', async () => {
    const frozen = await asOperator('freeze', environment, '--for', '2h', '--reason', 'Sale')
    expect(frozen).toMatchObject({ code: 0 })
    expect(frozen.stdout).toContain(`To end it: signalbox unfreeze ${environment}`)
    expect((await asOperator('freeze')).stdout).toMatch(
      new RegExp(`${environment} +until .* +Sale`),
    )
    const waiting = await ask()
    expect(waiting.code).toBe(9)
    expect(waiting.stderr).toMatch(/is frozen until .* UTC: Sale/)
    const goingOn = ask('--wait', '1m')
    expect(await asOperator('unfreeze', environment)).toMatchObject({ code: 0 })
    expect(await goingOn).toMatchObject({ code: 0 })
    expect((await asOperator('freeze')).stdout).not.toContain(environment)
  })

  it('says which end and which reason are missing, and does nothing with --dry-run', async () => {
    const endless = await asOperator('freeze', environment, '--reason', 'Sale')
    expect(endless).toMatchObject({ code: 2 })
    expect(endless.stderr).toContain('Use either --for or --until.')
    const silent = await asOperator('freeze', environment, '--for', '2h')
    expect(silent.stderr).toContain('--reason is missing.')
    const args = ['--for', '2h', '--reason', 'Sale', '--dry-run']
    expect((await asOperator('freeze', environment, ...args)).stdout).toContain('Would freeze')
    expect(await ask()).toMatchObject({ code: 0 })
  })
})
