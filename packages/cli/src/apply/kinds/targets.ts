import type { Answer } from '../../api/operations.ts'
import { displayName, environmentName, objectOf } from '../json-schema.ts'
import type { Violation } from '../violation.ts'
import type { Declared, Fields, Kind, Step, Writing } from '../kind.ts'
import { listDifferences } from '../plan.ts'
import {
  findUnknownEnvironments,
  findUnknownSchemas,
  textOf,
  textsOf,
  type World,
} from '../world.ts'
import { listNamed } from './codehost-names.ts'

type Target = Answer<'listTargets'>['items'][number]

const tiers = ['public', 'secret', 'featureFlags'] as const satisfies Target['tiers']
/** Lists the members that stay as they are: another target is created for another destination. */
const fixed = ['schema', 'environment', 'provider', 'destination'] as const

/** Declares where the values of environments are written to. The tokens of providers are not in the file. */
export const targetsKind: Kind = {
  member: 'targets',
  noun: 'target',
  schema: {
    type: 'object',
    description:
      'Targets by their names. A new one writes nothing before somebody has read its plan and run it.',
    propertyNames: displayName,
    additionalProperties: objectOf(
      {
        schema: { type: 'string', description: 'Schema whose keys are written.', minLength: 1 },
        environment: {
          ...environmentName,
          description: 'Environment whose values are written.',
        },
        provider: {
          type: 'string',
          description: 'Where values are written, such as github.',
          pattern: '^[a-z][a-z0-9]{1,20}$',
        },
        destination: {
          type: 'object',
          description: "Fields of the provider's destination, such as repository and environment.",
          additionalProperties: { type: 'string', maxLength: 500 },
        },
        tiers: {
          type: 'array',
          description: 'Tiers whose keys are written.',
          items: { type: 'string', enum: tiers },
          maxItems: tiers.length,
        },
        keys: {
          type: 'array',
          description: 'Further keys that are written.',
          items: { type: 'string', minLength: 1, maxLength: 128 },
        },
        prefix: {
          type: 'string',
          description: 'Text before every name, such as SHOP_.',
          pattern: '^(?:[A-Z][A-Z0-9_]{0,39})?$',
        },
      },
      ['schema', 'environment', 'provider', 'destination'],
    ),
  },
  async read({ api, orgId }) {
    return (await api.targets(orgId)).map((target) => ({
      key: target.name,
      fields: toFields(target),
      remarks: { provider: target.providerName },
    }))
  },
  async findViolations(world, declared) {
    return [
      ...(await findUnknownSchemas(world, listNamed(declared, 'schema'))),
      ...(await findUnknownEnvironments(world, listNamed(declared, 'environment'))),
      ...(await findImpossible(world, declared)),
    ]
  },
  async write(writing, { steps }) {
    for (const step of steps) {
      if (step.change === 'delete') continue
      await writeTarget(writing, step)
      writing.done(step)
    }
  },
  async remove({ world: { api, orgId }, done }, { steps }) {
    for (const step of steps) {
      if (step.change !== 'delete') continue
      await api.call('deleteTarget', {
        params: { org_id: orgId, target_id: await idOf({ api, orgId }, step.key) },
        query: { names: 'keep' },
      })
      done(step)
    }
  },
  adviseOnCreated: (key) =>
    `${key} writes nothing yet: open it in the dashboard under Targets, read its plan and run it.`,
}

function toFields(target: Target): Fields {
  return {
    // Where a schema or an environment was deleted, its id says so.
    schema: target.schema ?? target.schemaId,
    environment: target.environment ?? target.environmentId,
    provider: target.provider,
    destination: target.destination,
    tiers: target.tiers,
    keys: target.keys,
    prefix: target.prefix,
  }
}

async function findImpossible(
  { api, orgId }: World,
  declared: readonly Declared[],
): Promise<Violation[]> {
  if (declared.length === 0) return []
  const stored = new Map((await api.targets(orgId)).map((each) => [each.name, toFields(each)]))
  const { items: providers } = await api.call('listTargetProviders', { params: { org_id: orgId } })
  return declared.flatMap(({ key, path, fields }): Violation[] => {
    const before = stored.get(key)
    if (before !== undefined) {
      return listDifferences(before, pickFixed(fields)).map(({ member }) => ({
        path: [...path, ...member.split('.')],
        message: `The ${member} of a target can't be changed. Declare another target, and delete this one.`,
      }))
    }
    const provider = providers.find((each) => each.provider === fields['provider'])
    if (provider === undefined) {
      const known = providers.map((each) => each.provider).join(', ')
      return [{ path: [...path, 'provider'], message: `Choose one of ${known}.` }]
    }
    if (provider.access === 'token') {
      const message = `Create it in the dashboard: it needs a token of ${provider.displayName}, which is not in this file.`
      return [{ path: [...path, 'provider'], message }]
    }
    const isEmpty = textsOf(fields['tiers']).length + textsOf(fields['keys']).length === 0
    return isEmpty ? [{ path, message: 'Choose at least one of tiers or one of keys.' }] : []
  })
}

function pickFixed(fields: Fields): Fields {
  return Object.fromEntries(
    fixed.flatMap((name) => (name in fields ? [[name, fields[name]] as const] : [])),
  )
}

async function writeTarget(
  { world: { api, orgId, idOf: environmentIdOf } }: Writing,
  step: Exclude<Step, { readonly change: 'delete' }>,
): Promise<void> {
  const { after } = step
  const selection = {
    tiers: tiers.filter((tier) => textsOf(after['tiers']).includes(tier)),
    keys: textsOf(after['keys']),
    prefix: textOf(after['prefix']),
  }
  if (step.change === 'change') {
    const params = { org_id: orgId, target_id: await idOf({ api, orgId }, step.key) }
    await api.call('updateTarget', { params, body: selection })
    return
  }
  const schema = await api.findSchema(orgId, textOf(after['schema']))
  await api.call('createTarget', {
    params: { org_id: orgId },
    body: {
      name: step.key,
      schemaId: schema?.id ?? '',
      environmentId: await environmentIdOf(textOf(after['environment'])),
      provider: textOf(after['provider']),
      destination: textMapOf(after['destination']),
      ...selection,
    },
  })
}

function textMapOf(value: unknown): Record<string, string> {
  return Object.fromEntries(Object.entries(value ?? {}).map(([name, text]) => [name, String(text)]))
}

async function idOf({ api, orgId }: Pick<World, 'api' | 'orgId'>, name: string): Promise<string> {
  return (await api.targets(orgId)).find((each) => each.name === name)?.id ?? name
}
