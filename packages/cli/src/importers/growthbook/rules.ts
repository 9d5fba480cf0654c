import { createFlagEvaluator, type Dealing } from '@signalbox/contract'
import { all, always, negate, never, one, type Alternatives, type Step } from '../alternatives.ts'
import { Issues, leaveOut } from '../issues.ts'
import {
  isObject,
  readList,
  readNumber,
  readText,
  requireObject,
  type JsonObject,
} from '../read-json.ts'
import { readCondition, toAttribute, type ConditionContext } from './conditions.ts'

/** Holds what rules are read with. */
export interface RuleContext extends ConditionContext {
  readonly key: string
  readonly features: JsonObject
}

/** Returns the steps of a feature. @throws {LeftOut} @throws {ExportError} */
export function readRules(value: unknown, path: string, context: RuleContext): Step[] {
  const steps: Step[] = []
  for (const [index, entry] of readList(value, path).entries()) {
    const own = `${path}[${index}]`
    const rule = requireObject(entry, own)
    const parents = readParents(rule, own, context)
    if (parents === 'closed') return [...steps, { test: always, serve: null }]
    if (parents === 'skipped') continue
    const step = readRule(rule, own, context)
    if (step !== undefined) steps.push(step)
  }
  return steps
}

function readRule(rule: JsonObject, path: string, context: RuleContext): Step | undefined {
  if (Array.isArray(rule['filters']) && rule['filters'].length > 0) {
    throw leaveOut('GB-T016', 'A rule is limited to a namespace.')
  }
  if (!Object.hasOwn(rule, 'force')) {
    if (rule['variations'] === undefined && rule['contextualVariations'] === undefined) return
    const done = 'The flag is left out. Stop the experiment, then import again.'
    throw leaveOut('GB-T015', 'An experiment runs.', done)
  }
  const condition = isObject(rule['condition'])
    ? readCondition(rule['condition'], `${path}.condition`, context)
    : always
  return { test: all([condition, readShare(rule, path, context)]), serve: rule['force'] }
}

const dealings: Readonly<Record<number, { readonly as: Dealing; readonly buckets: number }>> = {
  1: { as: 'growthbook-v1', buckets: 1000 },
  2: { as: 'growthbook-v2', buckets: 10_000 },
}

/** Returns the test of the share of a rule: its coverage, or its range. */
function readShare(rule: JsonObject, path: string, context: RuleContext): Alternatives {
  const { coverage, range } = rule
  if (coverage === undefined && range === undefined) return always
  const dealing = dealings[Number(rule['hashVersion'] ?? 1)]
  if (dealing === undefined) return never
  const name = readText(rule['hashAttribute'], `${path}.hashAttribute`)
  const attribute = toAttribute(name === '' ? 'id' : name, context)
  const seed = readText(rule['seed'], `${path}.seed`)
  const deal = { as: dealing.as, key: seed === '' ? context.key : seed }
  if (isSticky(rule)) noteFallback(rule, context)
  const share = (isIn: (bucket: number) => boolean, exact: number): Alternatives => {
    const percent = toPercent(isIn, { exact, buckets: dealing.buckets })
    return percent === undefined ? never : one({ attribute, operator: 'share', percent, deal })
  }
  if (range === undefined) {
    const part = readNumber(coverage, `${path}.coverage`)
    return part === 0 ? never : share((bucket) => bucket / dealing.buckets <= part, part)
  }
  const [from, to] = readList(range, `${path}.range`).map((bound, index) =>
    readNumber(bound, `${path}.range[${index}]`),
  )
  if (from === undefined || to === undefined) return never
  return all([
    share((bucket) => bucket / dealing.buckets < to, to),
    negate(share((bucket) => bucket / dealing.buckets < from, from)),
  ])
}

function isSticky(rule: JsonObject): boolean {
  return typeof rule['fallbackAttribute'] === 'string' && rule['disableStickyBucketing'] !== true
}

function noteFallback(rule: JsonObject, { issues }: RuleContext): void {
  const cause = `A share goes by ${String(rule['fallbackAttribute'])} for users without its attribute, where sticky bucketing is on.`
  issues.medium('GB-T017', cause, 'They are outside of the share.')
}

/**
 * Returns the percentage that has the same buckets in it: as it is written, or else one between two buckets. `undefined`:
 * none is in.
 */
function toPercent(
  isIn: (bucket: number) => boolean,
  { exact, buckets }: { readonly exact: number; readonly buckets: number },
): number | undefined {
  let count = 0
  while (count < buckets && isIn(count)) count += 1
  if (count === 0) return undefined
  if (count === buckets) return 100
  const asWritten = Math.round(exact * 100_000) / 1000
  const hasBucket = (bucket: number) => bucket / buckets <= asWritten / 100
  if (hasBucket(count - 1) && !hasBucket(count)) return asWritten
  return Math.round(((count - 0.5) * 100_000) / buckets) / 1000
}

/** Says what the prerequisites of a rule mean: `closed` ends the feature without a value. */
function readParents(
  rule: JsonObject,
  path: string,
  context: RuleContext,
): 'met' | 'skipped' | 'closed' {
  const parents = readList(rule['parentConditions'], `${path}.parentConditions`)
  for (const [index, entry] of parents.entries()) {
    const own = `${path}.parentConditions[${index}]`
    const parent = requireObject(entry, own)
    const id = readText(parent['id'], `${own}.id`)
    const value = findConstant(id, context)
    const cause = `A rule needs the feature ${id}, which is the same for everyone.`
    const action =
      'What that means today is imported. Later changes of that feature do not reach this one.'
    context.issues.medium(`GB-T014 ${id}`, cause, action)
    const inner = { ...context, issues: new Issues() }
    const test = readCondition(parent['condition'] ?? {}, `${own}.condition`, inner)
    if (!holdsFor(test, value)) return parent['gate'] === true ? 'closed' : 'skipped'
  }
  return 'met'
}

/** Returns the value that a feature has for everyone. One that is not there has none. @throws {LeftOut} */
function findConstant(id: string, { features }: RuleContext): unknown {
  const feature = Object.hasOwn(features, id) ? features[id] : undefined
  if (!isObject(feature)) return null
  if (Array.isArray(feature['rules']) && feature['rules'].length > 0) {
    throw leaveOut('GB-T013', `A rule needs the feature ${id}, which has rules of its own.`)
  }
  return feature['defaultValue'] ?? null
}

function holdsFor(test: Alternatives, value: unknown): boolean {
  const rules = test.map((when) => ({ when, serve: true }))
  const decide = createFlagEvaluator({ schemaId: '', key: '', value: false, rules })
  return decide(value === null ? {} : { value }).value
}
