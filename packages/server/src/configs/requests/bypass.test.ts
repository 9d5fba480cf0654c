import { endpoints, isWrite, type EndpointShape } from '@signalbox/contract/rest'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { everyWrite, makeWritable, writes, type Writable } from '../testing/every-write.ts'
import { addMember } from '../testing/add-member.ts'
import { buildKey, openConfigApp, type ConfigApp } from '../testing/open-config-app.ts'

let opened: ConfigApp
let app: ConfigApp
beforeAll(async () => {
  opened = await openConfigApp()
})
beforeEach(async () => {
  app = await opened.another()
  await addMember(app, 'one')
  await addMember(app, 'two')
  app.setActor('service', buildKey(app.orgId, 'm2m'))
})
afterAll(() => opened.close())

/** Every kind of caller that writes. Each has the rights for it, and none the approval. */
const callers = ['owner', 'admin', 'developer', 'm2m', 'service', 'bootstrap'] as const

/** A new default is free, so the schema changes one that readers have. */
const bodies: Partial<Record<keyof typeof writes, object>> = {
  replaceConfigSchema: {
    schema: {
      a: { type: 'string', tier: 'public' },
      flag: {
        type: 'boolean',
        variants: [
          { name: 'on', on: true },
          { name: 'off', on: false },
        ],
      },
    },
  },
}

/** Returns what is published in an environment. */
async function published({ environmentId }: Writable): Promise<string> {
  const rows = await app.test.asOwner(
    `select schema_id, version, etag, schema_name, environment_name, body is null as gone from server_snapshots
      where org_id = $1 and environment_id = $2 order by schema_id, version`,
    [app.orgId, environmentId],
  )
  return JSON.stringify(rows)
}

const mayLack = new Set(['deleteConfigSchema', 'deleteEnvironment'])

describe('an environment that needs one approval', () => {
  it.each(everyWrite)('is changed by nobody through %s', async (name) => {
    const fixture = await makeWritable(app, name)
    await app.ok('admin', `PATCH /environments/${fixture.environmentId}`, {
      body: { protection: { approvals: 1 } },
    })
    const before = await published(fixture)
    const write: { request: (of: Writable) => string; body?: (of: Writable) => object } =
      writes[name]
    for (const as of callers) {
      for (const headers of [{}, { prefer: 'respond-async' }]) {
        const body = bodies[name] ?? write.body?.(fixture)
        const answer = await app.call(as, write.request(fixture), {
          ...(body !== undefined && { body }),
          headers,
        })
        const outcome = answer.status === 202 ? '202' : `${answer.status} ${answer.body?.code}`
        const expected = 'prefer' in headers ? '202' : '409 approval_required'
        const isLess = as === 'developer' && mayLack.has(name)
        expect([as, outcome]).toEqual([as, isLess ? '403 role_forbidden' : expected])
        expect(await published(fixture)).toBe(before)
      }
    }
  })

  it('control: is changed by each of them where it needs none', async () => {
    for (const name of everyWrite) {
      const fixture = await makeWritable(app, name)
      const before = await published(fixture)
      const write: { request: (of: Writable) => string; body?: (of: Writable) => object } =
        writes[name]
      const body = bodies[name] ?? write.body?.(fixture)
      await app.ok('admin', write.request(fixture), { ...(body !== undefined && { body }) })
      expect([name, (await published(fixture)) === before]).toEqual([name, false])
    }
  })
})

/** The writes that change nothing that readers get, each with the reason. */
const harmless: Readonly<Record<string, string>> = {
  createEnvironment: 'nobody has read it',
  createConfigSchema: 'nobody has read it',
  createSegment: 'no flag uses it',
  deleteSegment: 'one that a flag uses is not deleted',
  createRolloutPlan: 'its first and last step ask, tested in plans/plan-guards.test.ts',
  resumeRolloutPlan: 'needs the approvals of its plan, tested there',
  advanceRolloutPlan: 'needs the approvals of its plan, tested there',
  returnRolloutPlan: 'needs the approvals of its plan, tested there',
  restoreRolloutPlan: 'needs the approvals of its plan, tested there',
  pauseRolloutPlan: 'writes nothing',
  stopRolloutPlan: 'writes nothing',
  createReleaseTemplate: 'steps under a name',
  deleteReleaseTemplate: 'steps under a name',
  importConfig: 'declares and sets by replaceConfigSchema and changeConfig, tested below',
}

describe('every endpoint that writes configuration', () => {
  it('is in a list: it asks for approvals, or says why it needs none', () => {
    const tags = new Set([
      'Environments',
      'Schemas',
      'Values',
      'Versions',
      'Segments',
      'Rollout plans',
    ])
    const declared = (Object.values(endpoints) as readonly EndpointShape[])
      .filter((endpoint) => tags.has(endpoint.tag) && isWrite(endpoint))
      .map(({ operationId }) => operationId)
    expect([...everyWrite, ...Object.keys(harmless)].toSorted()).toEqual(declared.toSorted())
  })

  it('asks also when an import does it', async () => {
    const fixture = await makeWritable(app, 'imported')
    await app.ok('admin', `PATCH /environments/${fixture.environmentId}`, {
      body: { protection: { approvals: 1 } },
    })
    const before = await published(fixture)
    const document = {
      format: 'signalbox-import/1',
      source: 'dotenv',
      keys: ['a', 'added'].map((key) => ({
        key,
        from: key,
        type: 'string',
        tier: 'public',
        verdict: 'exact',
        values: [{ environment: 'imported', value: 'imported' }],
        issues: [],
      })),
      leftOut: [],
    }
    const refused = await app.call('admin', 'POST /config-imports', {
      body: { schema: 'imported', document, update: ['a'] },
    })
    expect(refused.body).toMatchObject({
      code: 'approval_required',
      request: { operation: { kind: 'import' } },
    })
    expect(await published(fixture)).toBe(before)
    // Not even its keys are declared.
    const { schema } = (await app.ok('viewer', `GET /config-schemas/${fixture.schemaId}`)).body
    expect(Object.keys(schema)).toEqual(['a', 'flag'])
  })

  it('asks also where the environment only inherits what is changed', async () => {
    const fixture = await makeWritable(app, 'above')
    const child = await app.addEnvironment('below', fixture.environmentId)
    await app.ok('admin', `PATCH /environments/${child}`, {
      body: { protection: { approvals: 1 } },
    })
    const { schemaId, environmentId } = fixture
    const write = (values: object) =>
      app.call('admin', 'PUT /config-values', { body: { schemaId, environmentId, values } })
    expect((await write({ a: 'changed' })).body).toMatchObject({
      code: 'approval_required',
      requires: [{ environmentId: child, reasons: ['a'] }],
    })
    const move = (parentId: string | null) =>
      app.call('admin', `PATCH /environments/${child}`, { body: { parentId } })
    expect((await move(null)).body.code).toBe('approval_required')
    // Also where no value differs: whoever writes to the parent from then on would change it.
    await app.test.asOwner('update environments set parent_id = null where id = $1', [child])
    expect((await move(await app.addEnvironment('empty'))).body.code).toBe('approval_required')
  })
})
