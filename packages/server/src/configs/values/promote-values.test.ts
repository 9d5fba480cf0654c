import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openConfigApp, type ConfigApp } from '../testing/open-config-app.ts'

let app: ConfigApp
beforeAll(async () => {
  app = await openConfigApp()
})
afterAll(() => app.close())

const key = { type: 'string', tier: 'public' } as const

/** Returns how to set a value, and how to promote to another environment from one that inherits. */
async function makeFixture(name: string) {
  const parent = await app.addEnvironment(`${name}-parent`)
  const source = await app.addEnvironment(`${name}-source`, parent)
  const target = await app.addEnvironment(`${name}-target`)
  const schemaId = await app.addSchema(name, { own: key, inherited: key })
  const set = (environmentId: string, values: object) =>
    app.ok('m2m', 'PUT /config-values', { body: { schemaId, environmentId, values } })
  await set(parent, { inherited: 'a' })
  await set(source, { own: 'a' })
  const body = { schemaId, fromEnvironmentId: source, toEnvironmentId: target }
  const promote = (more: object) =>
    app.call('m2m', 'POST /config-values/promote', { body: { ...body, ...more } })
  return { parent, source, target, set, promote }
}

describe('a promotion on the values of its dry run', () => {
  it('copies what the dry run has shown', async () => {
    const { promote, target, set } = await makeFixture('unchanged')
    const { sourceVersion, currentVersion } = (await promote({ dryRun: true })).body
    await set(target, { own: 'other' })
    const promoted = await promote({ expectedSourceVersion: sourceVersion })
    expect(promoted.status).toBe(200)
    expect(promoted.body).toMatchObject({ sourceVersion, currentVersion: currentVersion + 2 })
  })

  it.each(['source', 'parent'] as const)(
    'is refused when somebody has changed a value of the %s since',
    async (changed) => {
      const fixture = await makeFixture(`changed-${changed}`)
      const { promote, set } = fixture
      const { sourceVersion, currentVersion } = (await promote({ dryRun: true })).body
      await set(fixture[changed], changed === 'source' ? { own: 'b' } : { inherited: 'b' })
      const refused = await promote({ expectedSourceVersion: sourceVersion })
      expect(refused.body).toMatchObject({ status: 412, code: 'revision_mismatch' })
      expect(refused.body.detail).toContain(`changed-${changed}-source`)
      const again = (await promote({ dryRun: true })).body
      expect(again.currentVersion).toBe(currentVersion)
      const promoted = await promote({ expectedSourceVersion: again.sourceVersion })
      expect(promoted.status).toBe(200)
    },
  )
})
