import type { IdKind } from '@signalbox/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { newId } from '../crypto/ids.ts'
import { openConfigApp, type ConfigApp } from './testing/open-config-app.ts'

let app: ConfigApp
const ids: Record<string, string> = {}

/** All that is stored of configuration. */
const stored = async () => [
  await app.test.asOwner('select * from current_values order by 1, 2, 3'),
  await app.test.asOwner('select * from config_schemas order by 1, 2'),
  await app.test.asOwner('select * from segments order by 1, 2'),
]

beforeAll(async () => {
  app = await openConfigApp()
  ids['one'] = await app.addEnvironment('one')
  ids['two'] = await app.addEnvironment('two')
  ids['web'] = await app.addSchema('web', {
    limit: { type: 'number', tier: 'public', default: 1 },
    on: { type: 'boolean', tier: 'featureFlags', default: false },
    off: { type: 'boolean', tier: 'featureFlags', default: false },
    note: { type: 'string', tier: 'public', default: '' },
  })
  const list = `GET /config-versions?schemaId=${ids['web']}&environmentId=${ids['one']}`
  ids['version'] = (await app.ok('viewer', list)).body.items[0].id
})
afterAll(() => app.close())

/** Returns ids of nothing. */
const absent = (kind: IdKind) => [newId(kind, new Date()), newId(kind, new Date())]

const plan = (operator: string) => ({ attribute: 'plan', operator, values: ['pro'] })
const rule = (segment: string) => [{ when: [{ operator: 'segment', segment }], serve: true }]

/** Lists each endpoint that takes several things, with a good part, bad parts, and the places of all bad ones. */
const cases: readonly [string, string, () => object, readonly string[]][] = [
  [
    'values of an environment',
    'PUT /config-values',
    () => ({
      schemaId: ids['web'],
      environmentId: ids['one'],
      values: { note: 'good', limit: 'x', on: 1, none: 1 },
    }),
    ['/values/limit', '/values/none', '/values/on'],
  ],
  [
    'changes of several environments',
    'POST /config-changes',
    () => ({
      schemaId: ids['web'],
      changes: [
        { environmentId: ids['one'], set: { note: 'good', limit: 'x', none: 1 } },
        { environmentId: ids['two'], set: { limit: 'y' } },
      ],
    }),
    ['/changes/0/set/limit', '/changes/0/set/none', '/changes/1/set/limit'],
  ],
  [
    'environments that are named twice',
    'POST /config-changes',
    () => ({
      schemaId: ids['web'],
      changes: [ids['one'], ids['one'], ids['one']].map((environmentId) => ({
        environmentId,
        set: { note: 'good' },
      })),
    }),
    ['/changes/1/environmentId', '/changes/2/environmentId'],
  ],
  [
    'rules that name segments',
    'POST /config-changes',
    () => ({
      schemaId: ids['web'],
      changes: [
        {
          environmentId: ids['one'],
          set: { note: 'good' },
          rules: { on: rule('nobody'), off: rule('nothing') },
        },
      ],
    }),
    ['/changes/0/rules/off', '/changes/0/rules/on'],
  ],
  [
    'keys of a new schema',
    'POST /config-schemas',
    () => ({
      name: 'other',
      schema: {
        good: { type: 'number' },
        bad: { type: 'number', default: 'x' },
        worse: { type: 'boolean', default: 'x' },
      },
    }),
    ['/schema/bad/default', '/schema/worse/default'],
  ],
  [
    'keys of a schema and values for them',
    'PUT /config-schemas/web',
    () => ({
      schema: {
        note: { type: 'string', tier: 'public', default: '' },
        limit: { type: 'nothing' },
        more: { type: 'nothing' },
      },
    }),
    ['/schema/limit/type', '/schema/more/type'],
  ],
  [
    'groups of a segment',
    'POST /segments',
    () => ({
      name: 'beta',
      anyOf: [{ when: [plan('in')] }, { when: [plan('near')] }, { when: [plan('far')] }],
    }),
    ['/anyOf/1/when/0/operator', '/anyOf/2/when/0/operator'],
  ],
  [
    'versions to restore',
    'POST /config-versions/restore',
    () => ({ restores: [{ versionId: 'x' }, { versionId: 'y' }] }),
    ['/restores/0/versionId', '/restores/1/versionId'],
  ],
  [
    'environments that are not there',
    'POST /config-changes',
    () => ({
      schemaId: ids['web'],
      changes: [ids['one'], ...absent('env')].map((environmentId) => ({
        environmentId,
        set: { note: 'good' },
      })),
    }),
    ['/changes/1/environmentId', '/changes/2/environmentId'],
  ],
  [
    'environments of values that are not there',
    'PUT /config-schemas/web',
    () => ({
      schema: { note: { type: 'string', tier: 'public', default: '' } },
      force: true,
      values: [ids['one'], ...absent('env')].map((environmentId) => ({
        environmentId,
        set: { note: 'good' },
      })),
    }),
    ['/values/1/environmentId', '/values/2/environmentId'],
  ],
  [
    'environments of values that are named twice',
    'PUT /config-schemas/web',
    () => ({
      schema: { note: { type: 'string', tier: 'public', default: '' } },
      force: true,
      values: [ids['one'], ids['one'], ids['one']].map((environmentId) => ({
        environmentId,
        set: { note: 'good' },
      })),
    }),
    ['/values/1/environmentId', '/values/2/environmentId'],
  ],
  [
    'versions to restore that are not there',
    'POST /config-versions/restore',
    () => ({ restores: [ids['version'], ...absent('ver')].map((versionId) => ({ versionId })) }),
    ['/restores/1/versionId', '/restores/2/versionId'],
  ],
  [
    'versions to restore of one environment',
    'POST /config-versions/restore',
    () => ({ restores: [1, 2, 3].map(() => ({ versionId: ids['version'] })) }),
    ['/restores/1/versionId', '/restores/2/versionId'],
  ],
  [
    'keys to promote',
    'POST /config-values/promote',
    () => ({
      schemaId: ids['web'],
      fromEnvironmentId: ids['one'],
      toEnvironmentId: ids['two'],
      keys: ['limit', 'none', 'nothing'],
    }),
    ['/keys/0', '/keys/1', '/keys/2'],
  ],
]

it.each(cases)(
  'of %s (%s) are all named, and nothing is stored',
  async (_, request, body, places) => {
    const before = await stored()
    const answer = await app.call('admin', request, { body: body() })
    const errors: readonly { pointer: string }[] = answer.body.errors ?? []
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(errors.map(({ pointer }) => pointer).toSorted()).toEqual([...places].toSorted())
    expect(await stored()).toEqual(before)
  },
)
