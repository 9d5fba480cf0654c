import { expect, it } from 'vitest'
import type { Author } from '../../audit/audit-event.ts'
import type { Sealer } from '../../vault/organization-keys.ts'
import type { EnvironmentRow } from '../environments/environment-rows.ts'
import { toTree } from '../../config-model/environment-tree.ts'
import { parseDefinition } from '../../config-model/parse-definition.ts'
import { emptyCurrentValues } from '../../config-model/current-values.ts'
import type { ImportRequest } from './import-plan.ts'
import { planImport } from './plan-import.ts'

const author: Author = { type: 'user', id: 'usr_1', name: 'Ada' }
const sealer = {} as Sealer

it('does not read all keys and values of a schema again for each value that is imported', async () => {
  const names = Array.from({ length: 40 }, (_, n) => `key${n}`)
  const key = {
    type: 'boolean',
    tier: 'featureFlags',
    required: false,
    declaredIn: 'code',
  } as const
  const result = await parseDefinition(Object.fromEntries(names.map((name) => [name, key])))
  if ('violations' in result) throw new Error('The definition is wrong')
  let walks = 0
  class Walked<K, V> extends Map<K, V> {
    override [Symbol.iterator]() {
      walks += 1
      return super[Symbol.iterator]()
    }
  }
  const environments = ['one', 'two', 'three'].map(
    (name) => ({ id: `env_${name}`, name, parentId: null }) as EnvironmentRow,
  )
  const entry = { value: false, updatedAt: 1, updatedBy: author }
  const counted = () =>
    new Proxy(Object.fromEntries(names.map((name) => [name, entry])), {
      ownKeys(target) {
        walks += 1
        return Reflect.ownKeys(target)
      },
    })
  const values = environments.map(({ name: environment }) => ({ environment, value: true }))
  const keys = names.map((name) => ({ ...key, key: name, from: name, values, issues: [] }))
  const plan = await planImport(
    {
      orgId: 'org_1',
      author,
      sealer,
      now: new Date(),
      environments,
      tree: toTree(environments),
      schema: {
        id: 'sch_1',
        name: 'web',
        revision: 1,
        secretDefaults: {},
        definition: new Walked(result.parsed.definition),
      },
      currentValues: new Map(
        environments.map(({ id }) => [id, { ...emptyCurrentValues(id), openValues: counted() }]),
      ),
    },
    { schema: 'web', document: { keys, leftOut: [] } } as unknown as ImportRequest,
  )
  expect(plan.keys.map(({ action }) => action)).toEqual(names.map(() => 'skip'))
  expect(walks).toBeLessThan(names.length)
})
