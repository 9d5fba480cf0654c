import {
  defaultProof,
  failuresPattern,
  isAnyId,
  limits,
  type ProofTerms,
} from '@signalbox/contract'
import type { Environment } from '../../api/operations.ts'
import { isRole, listApprovers, mixedApprovers, toApprovers } from '../../changes/approvers.ts'
import { isRecord } from '../../project/json.ts'
import { environmentName, objectOf, type JsonSchema } from '../json-schema.ts'
import type { Declared, Fields, Kind, KindPlan, Step, Writing } from '../kind.ts'
import { listDifferences } from '../plan.ts'
import type { Violation } from '../violation.ts'
import { findUnknownEnvironments, textsOf, type World } from '../world.ts'

const overrides = ['admin', 'owner', 'nobody'] as const
const killSwitchRules = ['free', 'approved'] as const
const noDataRules = ['hold', 'pass'] as const
const onFailureRules = ['restore', 'tell'] as const

const schema: JsonSchema = {
  type: 'object',
  description: 'Environments by their names.',
  propertyNames: environmentName,
  additionalProperties: {
    ...objectOf({
      description: { type: 'string', description: 'What the environment is for.', maxLength: 1000 },
      production: {
        type: 'boolean',
        description: 'Clients ask for a confirmation before they change it.',
      },
      parent: {
        ...environmentName,
        type: ['string', 'null'],
        description: 'Environment that it inherits values from. null: none.',
      },
      protection: {
        ...objectOf({
          confirm: { type: 'boolean', description: 'Every change names the environment.' },
          comment: { type: 'boolean', description: 'Every change has a comment.' },
          approvals: {
            type: 'integer',
            description: 'Counts the people besides the author who approve a change. 0: nobody.',
            minimum: 0,
            maximum: 3,
          },
          approvers: {
            type: 'array',
            description:
              'Who may approve: roles (owner, admin, developer, viewer), or members by their email addresses or ids.',
            items: { type: 'string', minLength: 1, maxLength: 320 },
            minItems: 1,
            maxItems: 100,
          },
          declineBlocks: {
            type: 'boolean',
            description: 'One decline holds a change up until it is taken back.',
          },
          override: {
            type: 'string',
            description: 'Who may apply a change without its approvals in an emergency.',
            enum: overrides,
          },
          killSwitches: {
            type: 'string',
            description:
              'Says whether turning off a flag with a kill switch waits for approvals too.',
            enum: killSwitchRules,
          },
          prove: {
            ...objectOf({
              signals: {
                type: 'array',
                description: 'The names of the signals.',
                items: { type: 'string', minLength: 1, maxLength: 100 },
                minItems: 1,
                maxItems: limits.signalsPerProof,
              },
              minutes: {
                type: 'integer',
                description: 'For how long each change is watched.',
                minimum: 1,
                maximum: 1440,
              },
              failures: {
                type: 'string',
                description:
                  'How many of the last readings of a signal are bad when a change fails: 3 of 5.',
                pattern: failuresPattern.source,
              },
              noData: {
                type: 'string',
                description:
                  'Whether a signal without data leaves the change undecided (hold), or is left out (pass).',
                enum: noDataRules,
              },
              onFailure: {
                type: 'string',
                description:
                  'Whether a change that fails is taken back (restore), or people are only told (tell).',
                enum: onFailureRules,
              },
            }),
            type: ['object', 'null'],
            description: 'How every change that goes live here is watched. null: it is not.',
          },
        }),
        description: 'What every change of its values needs, from every client.',
      },
    }),
    type: ['object', 'null'],
  },
}

/** Declares environments with their parents and their protection. */
export const environmentsKind: Kind = {
  member: 'environments',
  noun: 'environment',
  schema,
  async read(world) {
    const environments = await world.environments()
    return Promise.all(
      environments.map(async ({ name, description, production, parentId, protection }) => ({
        key: name,
        fields: {
          description,
          production,
          parent: parentId === null ? null : await world.nameOf(parentId),
          protection: await showProtection(world, protection),
        },
      })),
    )
  },
  async normalize(world, fields) {
    const { protection } = fields
    const approvers = approversOf(fields)
    if (!approvers.some(isAddress)) return fields
    const members = await world.api.members(world.orgId)
    const idOf = (name: string) =>
      members.find(({ email }) => email === name.toLowerCase())?.userId ?? name
    return {
      ...fields,
      protection: { ...(isRecord(protection) && protection), approvers: approvers.map(idOf) },
    }
  },
  async findViolations(world, declared) {
    const unknown = await findUnknownEnvironments(
      world,
      declared.flatMap(({ path, fields: { parent } }) =>
        typeof parent === 'string' ? [{ path: [...path, 'parent'], name: parent }] : [],
      ),
    )
    return [...unknown, ...declared.flatMap(findWrongApprovers)]
  },
  async write(writing, { steps }) {
    const written = steps.filter((step) => step.change !== 'delete')
    for (const step of parentsFirst(written)) {
      if (await writeEnvironment(writing, step)) writing.done(step)
    }
  },
  async remove(writing, plan) {
    for (const step of await childrenFirst(writing.world, plan)) {
      if (await removeEnvironment(writing, step.key)) writing.done(step)
    }
  },
}

/** Returns a protection in the form of the file. A server of an earlier release knows no approvals. */
async function showProtection(
  world: World,
  protection: Environment['protection'],
): Promise<Fields> {
  if (!('approvers' in protection)) return protection
  const { approvers, prove } = protection
  const names = prove && (await listSignalNames(world, prove.signals))
  return {
    ...protection,
    approvers: listApprovers(approvers),
    ...('prove' in protection && { prove: prove && { ...prove, signals: names } }),
  }
}

async function listSignals({ api, orgId }: World) {
  const params = { org_id: orgId }
  return (await api.call('listSignals', { params, query: { limit: 100 } })).items
}

async function listSignalNames(world: World, ids: readonly string[]): Promise<string[]> {
  const signals = await listSignals(world)
  return ids.map((id) => signals.find((signal) => signal.id === id)?.name ?? id)
}

/** Returns the terms that the file declares. Left out, a member is as where nothing else is said. */
async function toProve(world: World, fields: Fields): Promise<ProofTerms> {
  const signals = await listSignals(world)
  const idOf = (name: string) =>
    signals.find((signal) => signal.name.toLowerCase() === name.toLowerCase())?.id ?? name
  const { minutes, failures } = fields
  return {
    signals: textsOf(fields['signals']).map(idOf),
    minutes: typeof minutes === 'number' ? minutes : defaultProof.minutes,
    failures: typeof failures === 'string' ? failures : defaultProof.failures,
    noData: noDataRules.find((each) => each === fields['noData']) ?? defaultProof.noData,
    onFailure:
      onFailureRules.find((each) => each === fields['onFailure']) ?? defaultProof.onFailure,
  }
}

function approversOf({ protection }: Fields): readonly string[] {
  return isRecord(protection) ? textsOf(protection['approvers']) : []
}

function isAddress(name: string): boolean {
  return name.includes('@')
}

/** Returns a violation for roles beside members, and for each name that is neither a role nor the id of a member. */
function findWrongApprovers({ path, fields }: Declared): Violation[] {
  const names = approversOf(fields)
  const field = [...path, 'protection', 'approvers']
  if (names.some(isRole) && !names.every(isRole)) return [{ path: field, message: mixedApprovers }]
  return names.flatMap((name, at) => {
    if (isRole(name) || isAnyId(name)) return []
    const message = isAddress(name)
      ? `There is no member "${name}".`
      : `"${name}" is no role. Name a member by the email address.`
    return [{ path: [...field, at], message }]
  })
}

type Written = Exclude<Step, { readonly change: 'delete' }>

/** Orders steps so that a parent is there before its children are created. */
function parentsFirst(steps: readonly Written[]): readonly Written[] {
  const ordered = new Set<Written>()
  const add = (step: Written, above: readonly string[]) => {
    // A circle of parents is refused by the server, which says so.
    if (ordered.has(step) || above.includes(step.key)) return
    const parent = steps.find(({ key }) => key === step.after['parent'])
    if (parent !== undefined) add(parent, [...above, step.key])
    ordered.add(step)
  }
  for (const step of steps) add(step, [])
  return [...ordered]
}

async function childrenFirst(world: World, { steps }: KindPlan): Promise<readonly Step[]> {
  const environments = await world.environments()
  const depthOf = (name: string | null, levels = 0): number => {
    const environment = environments.find((each) => each.name === name)
    const parent = environments.find(({ id }) => id === environment?.parentId)
    return parent === undefined || levels > environments.length
      ? 0
      : 1 + depthOf(parent.name, levels + 1)
  }
  return steps
    .filter(({ change }) => change === 'delete')
    .toSorted((one, other) => depthOf(other.key) - depthOf(one.key))
}

/** Returns whether it is done. */
async function writeEnvironment({ world, send }: Writing, step: Written): Promise<boolean> {
  const { api, orgId } = world
  const body = await toBody(world, step.change === 'create' ? step.after : changedFields(step))
  if (step.change === 'create') {
    await api.call('createEnvironment', {
      params: { org_id: orgId },
      body: { name: step.key, ...body },
    })
    world.forgetEnvironments()
    return true
  }
  const { id } = await api.environment(orgId, step.key)
  const isDone = await send({
    call: (confirmation) =>
      api.callPlainly('updateEnvironment', {
        params: { org_id: orgId, environment_id: id },
        body: { ...body, ...confirmation },
      }),
    toOperation: (confirmation) => ({
      kind: 'environment',
      environmentId: id,
      body: { ...body, ...confirmation },
    }),
  })
  world.forgetEnvironments()
  return isDone
}

/** Returns only the members that change, so that what somebody else changes meanwhile stays. */
function changedFields({ before, after }: Extract<Step, { readonly change: 'change' }>): Fields {
  const changed = new Set(
    listDifferences(before, after).map(({ member }) => member.split('.', 1)[0]),
  )
  return Object.fromEntries(Object.entries(after).filter(([name]) => changed.has(name)))
}

async function toBody(world: World, { description, production, parent, protection }: Fields) {
  return {
    ...(typeof description === 'string' && { description }),
    ...(typeof production === 'boolean' && { production }),
    ...(parent !== undefined && {
      parentId: typeof parent === 'string' ? await world.idOf(parent) : null,
    }),
    ...(isRecord(protection) && { protection: await toProtection(world, protection) }),
  }
}

/** Returns the members that the schema has checked. Those that the file leaves out stay as they are. */
async function toProtection(world: World, fields: Fields) {
  const { confirm, comment, approvals, declineBlocks, prove } = fields
  const approvers = textsOf(fields['approvers'])
  const override = overrides.find((each) => each === fields['override'])
  const killSwitches = killSwitchRules.find((each) => each === fields['killSwitches'])
  return {
    ...(typeof confirm === 'boolean' && { confirm }),
    ...(typeof comment === 'boolean' && { comment }),
    ...(typeof approvals === 'number' && { approvals }),
    ...(approvers.length > 0 && { approvers: await toApprovers(approvers, (id) => id) }),
    ...(typeof declineBlocks === 'boolean' && { declineBlocks }),
    ...(override !== undefined && { override }),
    ...(killSwitches !== undefined && { killSwitches }),
    ...(prove !== undefined && { prove: isRecord(prove) ? await toProve(world, prove) : null }),
  }
}

/** Returns whether it is done. */
async function removeEnvironment({ world, send }: Writing, name: string): Promise<boolean> {
  const { api, orgId } = world
  const { id } = await api.environment(orgId, name)
  const isDone = await send({
    call: (confirmation) =>
      api.callPlainly('deleteEnvironment', {
        params: { org_id: orgId, environment_id: id },
        query: confirmation,
      }),
    toOperation: (confirmation) => ({
      kind: 'delete',
      path: `/environments/${id}`,
      ...confirmation,
    }),
  })
  world.forgetEnvironments()
  return isDone
}
