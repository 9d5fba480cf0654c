import { all, always, any, divide, isOneOf, type Alternatives, type Step } from '../alternatives.ts'
import { ExportError } from '../importer.ts'
import { done, leaveOut, type Issues } from '../issues.ts'
import {
  isObject,
  readList,
  readNumber,
  readText,
  requireObject,
  type JsonObject,
} from '../read-json.ts'
import { isWithoutBucket, readClauses, toAttribute, type ClauseContext } from './clauses.ts'
import type { TargetedEnvironment, TargetedFlag } from './flag-model.ts'

/** Describes which variation a flag serves: the first step whose test holds, else the rest. */
export interface Targeting {
  readonly steps: readonly Step<number>[]
  readonly rest: number
}

/** Returns what a flag serves in an environment. @throws {LeftOut} @throws {ExportError} */
export function readTargeting(
  flag: TargetedFlag,
  environment: TargetedEnvironment,
  issues: Issues,
): Targeting {
  const { content, path } = flag
  const context = { environment, issues }
  if (content['on'] !== true || !areMet(flag, context, [])) {
    const off = content['offVariation']
    if (typeof off !== 'number') {
      const cause = `${environment.name} has the flag switched off without an off variation: each call of the SDK has its own default.`
      const action = 'The flag is left out. Give it an off variation, then import again.'
      throw leaveOut('LD-T002', cause, action)
    }
    if (hasTargeting(content)) {
      const cause = 'Targeting is switched off; its rules wait there.'
      const action = 'The value is that of the off variation. The rules are not imported.'
      issues.low(`LD-T003 ${environment.name}`, cause, action, environment.name)
    }
    return { steps: [], rest: off }
  }
  const targets = [
    ...readTargets(content['targets'], `${path}.targets`, context),
    ...readTargets(content['contextTargets'], `${path}.contextTargets`, context),
  ]
  const rules = readList(content['rules'], `${path}.rules`).flatMap((rule, index) => {
    const own = `${path}.rules[${index}]`
    const object = requireObject(rule, own)
    const test = readClauses(object['clauses'], `${own}.clauses`, context)
    return toSteps(flag, object, { test, context, path: own })
  })
  const last = toSteps(flag, requireObject(content['fallthrough'], `${path}.fallthrough`), {
    test: always,
    context,
    path: `${path}.fallthrough`,
  })
  const rest = last.at(-1)
  if (rest === undefined) throw new ExportError(`${path}.fallthrough serves nothing.`)
  return { steps: [...targets, ...rules, ...last.slice(0, -1)], rest: rest.serve }
}

function hasTargeting(content: JsonObject): boolean {
  return ['targets', 'contextTargets', 'rules'].some((name) => {
    const list = content[name]
    return Array.isArray(list) && list.length > 0
  })
}

/** Returns whether the prerequisites are met, where that is so for everyone or for no one. @throws {LeftOut} */
function areMet(
  { content, path, key }: TargetedFlag,
  context: ClauseContext,
  inside: readonly string[],
): boolean {
  const list = readList(content['prerequisites'], `${path}.prerequisites`).filter(isObject)
  for (const prerequisite of list) {
    const name = readText(prerequisite['key'], `${path}.prerequisites`)
    const other = context.environment.flags.get(name)
    const served =
      other === undefined || inside.includes(name)
        ? undefined
        : findConstant(other, context, [...inside, key])
    if (served === 'varies' || inside.includes(name)) {
      const cause = `The flag needs the flag ${name}, which is not the same for everyone in ${context.environment.name}.`
      throw leaveOut('LD-T013', cause, done.constantOnly)
    }
    const cause = `The flag needs the flag ${name}, which is the same for everyone.`
    context.issues.medium(`LD-T014 ${name}`, cause, done.prerequisite)
    if (served !== prerequisite['variation']) return false
  }
  return true
}

/** Returns the variation that a flag serves to everyone. `undefined`: it is off, which meets no prerequisite. */
function findConstant(
  flag: TargetedFlag,
  context: ClauseContext,
  inside: readonly string[],
): number | 'varies' | undefined {
  const { content } = flag
  if (content['on'] !== true) return undefined
  if (!areMet(flag, context, inside)) return undefined
  const fallthrough = isObject(content['fallthrough']) ? content['fallthrough'] : {}
  const { variation } = fallthrough
  return hasTargeting(content) || typeof variation !== 'number' ? 'varies' : variation
}

function readTargets(value: unknown, path: string, context: ClauseContext): Step<number>[] {
  return readList(value, path).flatMap((entry, index) => {
    const own = `${path}[${index}]`
    const target = requireObject(entry, own)
    const values = readList(target['values'], `${own}.values`).filter(
      (key) => typeof key === 'string',
    )
    // An entry of `contextTargets` for users only holds the place of the one in `targets`.
    if (values.length === 0) return []
    const attribute = toAttribute('key', readText(target['contextKind'], own), context)
    const serve = readNumber(target['variation'], `${own}.variation`)
    return [{ test: isOneOf(attribute, values), serve }]
  })
}

interface Serving {
  readonly test: Alternatives
  readonly context: ClauseContext
  readonly path: string
}

/** Returns the steps of a rule: one, or one for each variation of a rollout. */
function toSteps(
  { key, content }: TargetedFlag,
  rule: JsonObject,
  { test, context, path }: Serving,
): Step<number>[] {
  const description = readText(rule['description'], path)
  if (typeof rule['variation'] === 'number') {
    return [{ test, serve: rule['variation'], description }]
  }
  const rollout = requireObject(rule['rollout'], `${path}.rollout`)
  if (rollout['kind'] === 'experiment') {
    const cause = `An experiment runs in ${context.environment.name}.`
    throw leaveOut('LD-T015', cause, 'The flag is left out. End the experiment, then import again.')
  }
  const by = readText(rollout['bucketBy'], path)
  const kind = readText(rollout['contextKind'], path)
  const attribute = toAttribute(by === '' ? 'key' : by, kind, context)
  const { seed } = rollout
  const salt = readText(content['salt'], path)
  const deal = {
    as: 'launchdarkly',
    key: typeof seed === 'number' ? String(seed) : `${key}.${salt}`,
  } as const
  const parts = readList(rollout['variations'], `${path}.rollout.variations`).map((part, index) => {
    const own = requireObject(part, `${path}.rollout.variations[${index}]`)
    return {
      serve: readNumber(own['variation'], `${path}.rollout.variations[${index}].variation`),
      percent: readNumber(own['weight'], `${path}.rollout.variations[${index}].weight`) / 1000,
    }
  })
  const last = parts.at(-1)
  const first = parts.find(({ percent }) => percent > 0)
  if (last === undefined || first === undefined)
    throw new ExportError(`${path}.rollout has no variations.`)
  const hasNoBucket = attribute === 'targetingKey' ? [] : [isWithoutBucket(attribute, deal)]
  return [
    ...hasNoBucket.map((without) => ({
      test: all([test, without]),
      serve: first.serve,
      description: description === '' ? `Without ${attribute}` : description,
    })),
    ...divide(parts.slice(0, -1), { test, attribute, deal, description }),
    { test: any([test]), serve: last.serve, description },
  ]
}
