import type { ConfigApp } from './open-config-app.ts'

const key = { type: 'string', tier: 'public' } as const
const flag = { type: 'boolean' } as const

const segmentOf = (plan: string) => [
  { when: [{ attribute: 'plan', operator: 'equals', value: plan }] },
]

/** Makes everything that a write needs: an environment that has been written to three times, and what it inherits nothing of. */
export async function makeWritable(app: ConfigApp, name: string) {
  const environmentId = await app.addEnvironment(name)
  const source = await app.addEnvironment(`${name}-source`)
  const schemaId = await app.addSchema(name, { a: key, flag })
  const body = { name: `of-${name}`, anyOf: segmentOf('staff') }
  await app.ok('developer', 'POST /segments', { body })
  const rule = { when: [{ operator: 'segment', segment: `of-${name}` }], serve: true }
  await app.ok('m2m', 'PUT /config-values', {
    body: { schemaId, environmentId, values: { flag: false }, rules: { flag: [rule] } },
  })
  const set = (target: string, a: string) =>
    app.ok('m2m', 'PUT /config-values', {
      body: { schemaId, environmentId: target, values: { a } },
    })
  await set(environmentId, 'first')
  await set(environmentId, 'second')
  await set(source, 'other')
  const query = `schemaId=${schemaId}&environmentId=${environmentId}`
  const { items } = (await app.ok('viewer', `GET /config-versions?${query}`)).body
  return { name, environmentId, source, schemaId, query, versionId: items[1].id }
}

export type Writable = Awaited<ReturnType<typeof makeWritable>>

export interface Write {
  readonly request: (fixture: Writable) => string
  readonly body?: (fixture: Writable) => object
}

/** Every way to change what clients read in an environment, by its operation. */
export const writes = {
  updateEnvironment: {
    request: ({ environmentId }) => `PATCH /environments/${environmentId}`,
    body: ({ name }) => ({ name: `${name}-renamed` }),
  },
  deleteEnvironment: {
    request: ({ environmentId }) => `DELETE /environments/${environmentId}?force=true`,
  },
  replaceConfigSchema: {
    request: ({ schemaId }) => `PUT /config-schemas/${schemaId}`,
    body: () => ({ schema: { a: key, b: { ...key, default: 'new' }, flag } }),
  },
  updateConfigSchema: {
    request: ({ schemaId }) => `PATCH /config-schemas/${schemaId}`,
    body: ({ name }) => ({ name: `${name}-renamed` }),
  },
  deleteConfigSchema: {
    request: ({ schemaId }) => `DELETE /config-schemas/${schemaId}?force=true`,
  },
  setConfigValues: {
    request: () => 'PUT /config-values',
    body: ({ schemaId, environmentId }) => ({ schemaId, environmentId, values: { a: 'changed' } }),
  },
  deleteConfigValues: { request: ({ query }) => `DELETE /config-values?${query}&key=a` },
  promoteConfigValues: {
    request: () => 'POST /config-values/promote',
    body: ({ schemaId, environmentId, source }) => ({
      schemaId,
      fromEnvironmentId: source,
      toEnvironmentId: environmentId,
    }),
  },
  restoreConfigVersion: {
    request: ({ versionId }) => `POST /config-versions/${versionId}/restore`,
    body: () => ({}),
  },
  restoreConfigVersions: {
    request: () => 'POST /config-versions/restore',
    body: ({ versionId }) => ({ restores: [{ versionId }] }),
  },
  changeConfig: {
    request: () => 'POST /config-changes',
    body: ({ schemaId, environmentId }) => ({
      schemaId,
      changes: [{ environmentId, set: { a: 'changed' } }],
    }),
  },
  replaceSegment: {
    request: ({ name }) => `PUT /segments/of-${name}`,
    body: () => ({ anyOf: segmentOf('changed') }),
  },
} as const satisfies Record<string, Write>

export const everyWrite = Object.keys(writes).filter(
  (name): name is keyof typeof writes => name in writes,
)
