import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { withRealServer } from '../../testing/with-server.ts'

vi.setConfig({ testTimeout: 90_000 })

const { server, place } = withRealServer()

beforeAll(async () => {
  const flag = { type: 'boolean', tier: 'featureFlags', default: false }
  const { id: schemaId } = await server.call<{ id: string }>('POST', '/config-schemas', {
    name: 'rolled',
    schema: { first: flag, second: flag, third: flag },
  })
  const { items } = await server.call<{ items: { id: string; name: string }[] }>(
    'GET',
    '/environments',
  )
  const environmentId = items.find(({ name }) => name === 'development')?.id
  const values = { first: false, second: false, third: false }
  await server.call('PUT', '/config-values', { schemaId, environmentId, values })
})

beforeEach(() => {
  writeFileSync(join(place.directory, '.signalbox.json'), '{ "schema": "rolled" }')
})

const run = (...args: string[]) => place.run([...args, '--yes'])
const rollout = (...args: string[]) => run('rollout', ...args, '--env', 'development')

it('a flag is rolled out step by step, and waiting for it ends with 0 once it is finished', async () => {
  const { code, stdout } = await rollout('first', '--steps', '5,25%,100', '--wait', '80s', '--json')
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({
    plan: { state: 'finished', flag: 'first', steps: [{ percent: 5 }, { percent: 25 }, {}] },
  })
})

it('a rollout is listed, shown and pressed, and a wait for one that somebody stops fails', async () => {
  const begun = await rollout('second', '--steps', '5,25,50,100', '--hold', '1d', '--json')
  const { plan } = JSON.parse(begun.stdout)
  expect(plan.steps[0]).toMatchObject({ holdMinutes: 1440 })
  expect((await run('rollouts')).stdout).toContain(`${plan.id}  second of rolled in development`)
  expect((await run('rollouts', 'next', plan.id)).stdout).toContain('running, step 2 of 4: 25%')
  expect((await run('rollouts', 'back', plan.id)).stdout).toContain('paused, step 1 of 4: 5%')
  expect((await run('rollouts', 'resume', plan.id)).stdout).toContain('running, step 1 of 4')
  expect((await run('rollouts', 'pause', plan.id, '--dry-run')).stdout).toContain('Would pause')
  expect((await run('rollouts', 'show', plan.id)).stdout).toContain('▸ 5%, held for 1440 min')
  expect((await run('rollouts', 'restore', plan.id)).stdout).toContain('restored')
  expect((await run('rollouts', 'next', plan.id)).code).toBe(6)
  expect((await run('rollouts')).stdout).toContain('There are no such rollouts')
})

it('each step is watched as the flags say', async () => {
  await server.call('POST', '/signals', { name: 'errors', spec: { kind: 'alert' } })
  const watched = ['--prove', '15m', '--signal', 'errors', '--json']
  const begun = await rollout('second', '--steps', '5,100', '--hold', '1h', ...watched)
  const { plan } = JSON.parse(begun.stdout)
  expect(plan).toMatchObject({ prove: { minutes: 15 } })
  const shown = await run('rollouts', 'show', plan.id)
  expect(shown.stdout).toContain('▸ 5%, held for 60 min, proof watching')
  await run('rollouts', 'stop', plan.id)
})

it('steps are of a template or given, with the first one needing nobody', async () => {
  expect((await rollout('third')).code).toBe(2)
  expect((await rollout('third', '--steps', 'five')).code).toBe(2)
  expect(await rollout('third', '--template', 'gentle')).toMatchObject({ code: 1 })
  expect(await rollout('third', '--steps', '5,10', '--approve-step', '1')).toMatchObject({
    code: 5,
  })
  const steps = ['--steps', '5,25', '--approve-step', '2']
  expect((await run('rollouts', 'save-template', 'Gentle', ...steps)).code).toBe(0)
  expect((await run('rollouts', 'templates')).stdout).toContain('Gentle  5%, 25% once approved')
  const waiting = await rollout('third', '--template', 'gentle', '--wait', '60s')
  expect(waiting.code).toBe(9)
  expect(waiting.stderr).toContain('waiting, step 1 of 2: 5%')
  expect((await run('rollouts', 'delete-template', 'gentle')).stdout).toContain('Gentle')
  expect((await run('rollouts', 'delete-template', 'gentle')).code).toBe(1)
})
