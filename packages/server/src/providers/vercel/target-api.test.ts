import { expect, it } from 'vitest'
import { createProjectTarget } from './target-api.ts'

/** A project with one variable, and every request that writes. */
function openProject(type: string, environment = 'production') {
  const writes: { readonly method: string; readonly json: unknown }[] = []
  const envs = [{ id: 'env_1', key: 'STRIPE_KEY', type, target: [environment] }]
  const target = createProjectTarget(
    (method, _path, { json } = {}) => {
      if (method !== 'GET') writes.push({ method, json })
      const body = Buffer.from(JSON.stringify({ envs }))
      return Promise.resolve({ status: 200, headers: {}, body })
    },
    { projectId: 'prj_1', environment },
  )
  return { target, writes }
}

const secret = { store: 'secret', name: 'STRIPE_KEY', value: 'sk_live_1' } as const

it.each([
  ['plain', 'production'],
  // Members of the team read an encrypted variable back.
  ['encrypted', 'production'],
  ['encrypted', 'preview'],
])(
  'writes a secret over a variable of type %s in %s as a sensitive one',
  async (type, environment) => {
    const { target, writes } = openProject(type, environment)
    const [known] = await target.list()
    await target.put(secret, known)
    expect(writes).toEqual([
      { method: 'DELETE', json: undefined },
      {
        method: 'POST',
        json: { key: 'STRIPE_KEY', value: 'sk_live_1', type: 'sensitive', target: [environment] },
      },
    ])
  },
)

it.each([
  ['sensitive', 'production'],
  // Development has no sensitive variables.
  ['encrypted', 'development'],
])('changes a secret of type %s in %s in place', async (type, environment) => {
  const { target, writes } = openProject(type, environment)
  const [known] = await target.list()
  await target.put(secret, known)
  expect(writes).toEqual([{ method: 'PATCH', json: { value: 'sk_live_1' } }])
})
