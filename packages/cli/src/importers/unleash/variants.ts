import {
  findVariantViolations,
  parseJsonText,
  type FlagVariant,
  type ServedVariant,
} from '@signalbox/contract'
import { all, divide, type Alternatives, type Step } from '../alternatives.ts'
import type { VariantContent } from '../content-key.ts'
import { leaveOut, type Issues } from '../issues.ts'
import {
  isObject,
  readList,
  readNumber,
  readText,
  requireObject,
  type JsonObject,
} from '../read-json.ts'
import { readConstraints, toAttribute } from './constraints.ts'
import type { UnleashEnvironment } from './feature-model.ts'

/** Names a flag that is off as the SDKs do. */
const disabled: FlagVariant = { name: 'disabled', on: false }
/** Names a flag that is on by a strategy without variants. SDKs say `disabled` there too. */
const enabled: FlagVariant = { name: 'enabled', on: true }

interface VariantList {
  readonly variants: readonly JsonObject[]
  readonly path: string
}

/** Returns the variants that a flag has in all environments. `undefined`: it has none, or none that a flag here can have. */
export function readVariants(
  name: string,
  environments: readonly UnleashEnvironment[],
  issues: Issues,
): readonly FlagVariant[] | undefined {
  const lists = environments.flatMap(({ features }) => {
    const feature = features.get(name)
    return feature === undefined ? [] : listVariants(name, feature)
  })
  const all = lists.flatMap(({ variants, path }) => variants.map((one) => ({ one, path })))
  if (all.length === 0) return undefined
  const names = new Set(all.map(({ one, path }) => readText(one['name'], `${path}.name`)))
  const own = [...names].map((each) => ({ name: each, on: true }))
  const isPart = lists.some(({ variants }) => variants.length === 0)
  const variants = [...(isPart ? [enabled] : []), ...own, disabled]
  const [violation] = findVariantViolations(variants)
  const why = all.some(({ one }) => one['stickiness'] === 'random')
    ? 'chance decides between them'
    : violation?.detail
  if (why !== undefined) {
    const cause = `The flag has variants that can’t be those of a flag here: ${why}`
    issues.high('UN-T020', cause, 'Whether it is on is imported. The variants are not.')
    return undefined
  }
  if (isPart) {
    const cause = 'A strategy has no variants: there the flag is on, and its variant is “disabled”.'
    issues.medium('UN-T026', cause, 'The variant is “enabled” there.')
  }
  return variants
}

/** Lists the payloads that the variants of a flag have. One of JSON is parsed, as applications do. */
export function listPayloads(
  name: string,
  environments: readonly UnleashEnvironment[],
): readonly VariantContent[] {
  return environments.flatMap(({ name: environment, features }) => {
    const feature = features.get(name)
    const lists = feature === undefined ? [] : listVariants(name, feature)
    return lists.flatMap(({ variants }) =>
      variants.flatMap(({ name: variant, payload }) =>
        isObject(payload)
          ? [{ environment, variant: String(variant), content: readPayload(payload) }]
          : [],
      ),
    )
  })
}

function readPayload({ type, value }: JsonObject): unknown {
  if (typeof value !== 'string') return value ?? null
  if (type === 'number') return Number.isFinite(Number(value)) ? Number(value) : value
  const parsed = type === 'json' ? parseJsonText(value) : undefined
  return parsed !== undefined && 'value' in parsed ? parsed.value : value
}

/** Lists the variants for each way in which a flag is on: those of the strategy, or else those of the flag. */
function listVariants(name: string, feature: JsonObject): VariantList[] {
  const path = `features.${name}`
  const strategies = readList(feature['strategies'], `${path}.strategies`)
  if (strategies.length === 0) return [findVariants(undefined, feature, path)]
  return strategies.map((strategy, index) => {
    const own = `${path}.strategies[${index}]`
    return findVariants(requireObject(strategy, own), feature, own)
  })
}

function findVariants(
  strategy: JsonObject | undefined,
  feature: JsonObject,
  path: string,
): VariantList {
  const own = readList(strategy?.['variants'], `${path}.variants`)
  const list = own.length > 0 ? own : readList(feature['variants'], `${path}.variants`)
  const variants = list.map((one, index) => requireObject(one, `${path}.variants[${index}]`))
  const hasWeight = variants.some(({ weight }) => weight !== 0)
  return { variants: hasWeight ? variants : [], path: `${path}.variants` }
}

/** Holds what is divided among variants. */
export interface VariantContext {
  readonly name: string
  readonly feature: JsonObject
  /** Absent: the flag has no strategies. */
  readonly strategy?: JsonObject
  readonly path: string
  readonly test: Alternatives
  readonly description?: string | undefined
  readonly issues: Issues
}

/** Returns who gets which variant of those for whom the flag is on. @throws {LeftOut} */
export function toVariantSteps({
  name,
  feature,
  strategy,
  path,
  test,
  description,
  issues,
}: VariantContext): Step<boolean | ServedVariant>[] {
  const { variants } = findVariants(strategy, feature, path)
  const overridden = variants.flatMap((one) => readOverrides(one, { test, path, issues }))
  const [last, ...others] = variants.filter(({ weight }) => weight !== 0).toReversed()
  if (last === undefined) return [{ test, serve: true, description }]
  const rest = { test, serve: serveOf(last), description }
  if (others.length === 0) return [...overridden, rest]
  const isOfFlag = readList(strategy?.['variants'], path).length === 0
  const parameters = isObject(strategy?.['parameters']) ? strategy['parameters'] : {}
  const groupId = isOfFlag ? name : readText(parameters['groupId'], `${path}.parameters.groupId`)
  if (groupId === '') {
    const cause = 'A strategy divides users among variants, and has no group id.'
    const action = 'The flag is left out. Give the strategy a group id, then import again.'
    throw leaveOut('UN-T017', cause, action)
  }
  const weights = variants.map((one) => readNumber(one['weight'], `${path}.variants`))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  if (total !== 1000) {
    const cause = `The weights of the variants add up to ${total} in place of 1000.`
    issues.medium('UN-T027', cause, 'The shares are kept. Some users get another variant.')
  }
  const parts = variants.map((one, index) => ({
    serve: serveOf(one),
    percent: ((weights[index] ?? 0) / total) * 100,
  }))
  const by = stickinessOf(variants[0], isOfFlag ? undefined : parameters)
  const fields = by === 'default' ? ['userId', 'sessionId'] : [by]
  const cause =
    by === 'default'
      ? 'Variants go by the user, else by the session, else by chance.'
      : `Variants go by ${by}, else by chance.`
  issues.medium(`UN-T028 ${by}`, cause, 'Who would get a variant by chance gets the last one.')
  return [
    ...overridden,
    ...fields.flatMap((field) =>
      divide(parts, {
        test,
        attribute: toAttribute(field),
        deal: { as: 'unleash-variant', key: groupId },
        description,
      }),
    ),
    rest,
  ]
}

function stickinessOf(first: JsonObject | undefined, parameters: JsonObject = {}): string {
  return (
    readText(first?.['stickiness'], 'stickiness') ||
    readText(parameters['stickiness'], 'stickiness') ||
    'default'
  )
}

function serveOf(variant: JsonObject): ServedVariant {
  return { variant: readText(variant['name'], 'variants') }
}

/** Returns for whom a variant is set by hand. */
function readOverrides(
  variant: JsonObject,
  { test, path, issues }: Pick<VariantContext, 'test' | 'path' | 'issues'>,
): Step<ServedVariant>[] {
  return readList(variant['overrides'], `${path}.overrides`).map((override) => {
    const isListed = readConstraints(
      [{ ...requireObject(override, `${path}.overrides`), operator: 'IN' }],
      `${path}.overrides`,
      issues,
    )
    return { test: all([test, isListed]), serve: serveOf(variant) }
  })
}
