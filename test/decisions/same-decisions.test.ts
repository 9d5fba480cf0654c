import {
  createFlagEvaluator,
  divideServe,
  nameServed,
  sameValue,
  type ConfigValue,
  type EvaluationContext,
  type FlagEvaluation,
} from '@signalbox/contract'
import { ErrorCode } from '@openfeature/core'
import { FlagdCore, MemoryStorage } from '@openfeature/flagd-core'
import { describe, expect, inject, it } from 'vitest'
import { createConfigClient } from '../../packages/config/src/client/node.ts'
import { renderDefinition } from '../../packages/server/src/delivery/flagd/render-definition.ts'
import { createFlagSet } from '../../packages/server/src/delivery/ofrep/flag-set.ts'
import { createChance, drawContext, drawKey, type DrawnKey } from './draw-decisions.ts'

/** Decisions that are compared: all of the proof at a scale of its own, and some with every check. */
const total = inject('scale') > 1 ? 240_000 * inject('scale') : 20_000
/** As many of each kind. */
const keysPerSet = 42
const contextsPerSet = 100
const schemaId = 'sch_01jd2m4x9k0000000000000000'
const environmentId = 'env_01jd2m4x9k0000000000000000'

const names = { schemaId, schema: 'web', environment: 'production', version: 1 }

const isFlag = ({ kind }: DrawnKey) => kind === 'flag' || kind === 'variants'

/** Returns a snapshot as it is published: the rules of a plain flag as a list, and everything else as a `Targeting`. */
function toSnapshot(drawn: readonly DrawnKey[]) {
  const valuesOf = (keys: readonly DrawnKey[]) =>
    Object.fromEntries(keys.map(({ key, value }) => [key, value]))
  return {
    ...names,
    flagSources: Object.fromEntries(drawn.map(({ key }) => [key, 'set' as const])),
    flagRules: Object.fromEntries(
      drawn.map(({ key, kind, rules, variants: declared }) => [
        key,
        JSON.stringify(kind === 'flag' ? rules : { rules, variants: declared }),
      ]),
    ),
    flagVersions: {},
    featureFlags: valuesOf(drawn.filter(isFlag)) as Record<string, boolean>,
    values: valuesOf(drawn.filter((key) => !isFlag(key))),
  }
}

type Snapshot = ReturnType<typeof toSnapshot>

/** Returns the body that a server key reads. */
function toServerBody({ featureFlags, values, flagRules }: Snapshot): string {
  const rules = Object.entries(flagRules).map(([key, text]) => [key, JSON.parse(text)] as const)
  return JSON.stringify({
    format: 1,
    ...names,
    environmentId,
    public: values,
    featureFlags,
    secret: {},
    flagRules: Object.fromEntries(rules.filter(([, read]) => Array.isArray(read))),
    targeting: Object.fromEntries(rules.filter(([, read]) => !Array.isArray(read))),
  })
}

/** Opens a client for Node, which gets `body` from its server. */
async function openNode(body: string) {
  const client = createConfigClient({
    serverUrl: 'http://127.0.0.1',
    token: 'sbx_m2m_of-the-proof',
    schemaId,
    environmentId,
    refresh: false,
    fetch: async () => new Response(body, { headers: { etag: '"1"' } }),
  })
  await client.ready()
  client.close()
  expect(client.status.source).toBe('network')
  return client.snapshot()
}

type NodeSnapshot = Awaited<ReturnType<typeof openNode>>

function decideInNode(node: NodeSnapshot, drawn: DrawnKey, context: EvaluationContext) {
  const { key } = drawn
  return isFlag(drawn)
    ? { value: node.flag(key, context), variant: node.variant(key, context) }
    : { value: node.value(key, context) }
}

/** Asks flagd's evaluator, with a default that is no value of the key. */
function resolveFlagd(core: FlagdCore, { key, kind }: DrawnKey, context: Record<string, string>) {
  if (kind === 'number') return core.resolveNumberEvaluation(key, -1, context)
  if (kind === 'string') return core.resolveStringEvaluation(key, 'none', context)
  if (kind === 'json' || kind === 'list') {
    return core.resolveObjectEvaluation(key, { none: true }, context)
  }
  return core.resolveBooleanEvaluation(key, false, context)
}

/** Changes what one of them reads, for a control. */
interface Changes {
  readonly definition?: (text: string) => string
  readonly node?: (body: string) => string
  readonly ofrep?: (snapshot: Snapshot) => Snapshot
}

interface Decision {
  readonly ours: FlagEvaluation<ConfigValue>
  readonly theirs: ReturnType<typeof resolveFlagd>
  readonly inNode: ReturnType<typeof decideInNode>
  readonly answered: Readonly<Record<string, unknown>>
}

/** Returns whether a key may have a list as its value. flagd has none, so its definition is without the key. */
function mayBeList({ value, rules }: DrawnKey): boolean {
  const served = rules.flatMap(({ serve }) => divideServe(serve).shares)
  return [{ value }, ...served.map((share) => share.served)].some(
    (one) => typeof one === 'object' && 'value' in one && Array.isArray(one.value),
  )
}

function isByFlagd(key: DrawnKey, { ours: { value, variant }, theirs }: Decision): boolean {
  if (mayBeList(key)) return theirs.errorCode === ErrorCode.FLAG_NOT_FOUND
  return (
    theirs.reason !== 'ERROR' &&
    sameValue(theirs.value, value) &&
    theirs.variant === (variant ?? theirs.variant)
  )
}

function isByNode({ ours: { value, variant }, inNode }: Decision): boolean {
  return sameValue(inNode.value, value) && inNode.variant === variant
}

function isByOfrep({ ours: { value, variant, reason }, answered }: Decision): boolean {
  if (reason === 'unknown') return answered['errorCode'] === 'TARGETING_KEY_MISSING'
  return (
    sameValue(answered['value'], value) && answered['variant'] === (variant ?? nameServed(value))
  )
}

/** Counts what was compared, for the sentence of the proof. */
interface Counts {
  lists: number
  leftOut: number
}

/** Compares decisions about random rules and contexts; returns those that differ, with their rules. */
async function compare(count: number, changes: Changes = {}, counts?: Counts) {
  const chance = createChance(20_261_126)
  const differing: object[] = []
  let compared = 0
  while (compared < count) {
    const drawn = Array.from({ length: keysPerSet }, (_, index) => drawKey(chance, index))
    const snapshot = toSnapshot(drawn)
    const text = renderDefinition(snapshot)
    const core = openCore(changes.definition?.(text) ?? text)
    const body = toServerBody(snapshot)
    const node = await openNode(changes.node?.(body) ?? body)
    const ofrep = createFlagSet(changes.ofrep?.(snapshot) ?? snapshot)
    const contexts = Array.from({ length: contextsPerSet }, () => drawContext(chance))
    compared += drawn.length * contexts.length
    for (const key of drawn) {
      const evaluate = createFlagEvaluator<ConfigValue>({ schemaId, ...key })
      const decisions = contexts.map((context) => ({
        context,
        ours: evaluate(context),
        theirs: resolveFlagd(core, key, context),
        inNode: decideInNode(node, key, context),
        answered: JSON.parse(ofrep.decide(key.key, context)?.text ?? '{}'),
      }))
      const others = decisions.filter(
        (decision) => !isByFlagd(key, decision) || !isByNode(decision) || !isByOfrep(decision),
      )
      differing.push(...others.map((decision) => ({ ...key, ...decision })))
      if (counts === undefined) continue
      counts.lists += decisions.filter(({ ours }) => Array.isArray(ours.value)).length
      counts.leftOut += mayBeList(key) ? decisions.length : 0
    }
  }
  return differing
}

const silent = { error() {}, warn() {}, info() {}, debug() {} }

/** An evaluator of flagd; throws when the definition is not valid by the published JSON schemas. */
function openCore(definition: string): FlagdCore {
  const storage = new MemoryStorage(silent)
  storage.setConfigurations(definition, true)
  return new FlagdCore(storage, silent)
}

describe("flagd's evaluator, the Node client, OFREP and the one evaluator", () => {
  it(`decide alike, and the definition is valid by flagd's schemas: ${total} decisions`, async () => {
    const counts = { lists: 0, leftOut: 0 }
    const differing = await compare(total, {}, counts)
    expect(differing.slice(0, 3).map((each) => JSON.stringify(each))).toEqual([])
    expect(counts.lists).toBeGreaterThan(total / 20)
    // flagd decides all the others.
    expect(counts.leftOut).toBeLessThan(total / 5)
  })

  it.each([
    ['that an attribute is a text', (text: string) => replace(text, isText, 'true')],
    ['that an attribute is a number', (text: string) => replace(text, isNumber, 'true')],
    ['that a text is not empty', (text: string) => replace(text, isNotEmpty, 'true')],
    ['that a number is a whole one', (text: string) => replace(text, isWhole, 'true')],
    ['that a version has no v', (text: string) => replace(text, hasNoV, 'true')],
    ['that buckets are those of the key', (text: string) => replace(text, isOfKey, '"cat":[""')],
    ['that a variant is the first one', (text: string) => replace(text, isFirst, '"off"')],
  ])('control: flagd differs when nothing guards %s', async (_, definition) => {
    expect((await compare(12_000, { definition })).length).toBeGreaterThan(0)
  })

  it.each([
    ['plain rules', '['],
    ['rules with values, and variants', '{'],
  ])('control: OFREP differs when it reads no %s', async (_, begin) => {
    const ofrep = (snapshot: Snapshot) => ({
      ...snapshot,
      flagRules: Object.fromEntries(
        Object.entries(snapshot.flagRules).filter(([, text]) => !text.startsWith(begin)),
      ),
    })
    expect((await compare(12_000, { ofrep })).length).toBeGreaterThan(0)
  })

  it.each([
    ['plain rules', '"flagRules"'],
    ['rules with values, and variants', '"targeting"'],
  ])('control: the Node client differs when it gets no %s', async (_, member) => {
    const node = (body: string) => replace(body, new RegExp(member, 'g'), '"others"')
    expect((await compare(12_000, { node })).length).toBeGreaterThan(0)
  })

  it("control: a list is no value by flagd's schemas", () => {
    const key = { key: 'texts', kind: 'json', value: { a: 1 }, rules: [] } as const
    const text = renderDefinition(toSnapshot([key]))
    expect(() => openCore(text)).not.toThrow()
    expect(() => openCore(replace(text, /\{"a":1\}/g, '[1]'))).toThrow('invalid flagd')
  })

  it('control: a definition that is not valid is refused', () => {
    const text = renderDefinition({ ...toSnapshot([]), featureFlags: { on: true } })
    expect(() => openCore(text)).not.toThrow()
    expect(() => openCore(text.replace('ENABLED', 'SOMETIMES'))).toThrow('invalid flagd')
  })
})

const name = String.raw`\{"var":"(?:[^"\\]|\\.)*"\}`
const isText = new RegExp(String.raw`\{"===":\[\{"cat":\[${name}\]\},${name}\]\}`, 'g')
const isNumber = new RegExp(String.raw`\{"===":\[\{"\*":\[${name},1\]\},${name}\]\}`, 'g')
const isNotEmpty = new RegExp(String.raw`\{"!==":\[${name},""\]\}`, 'g')
const isWhole = new RegExp(String.raw`\{"===":\[\{"%":\[${name},1\]\},0\]\}`, 'g')
const isOfKey = new RegExp(`"cat":\\["${schemaId}/key\\d+/"`, 'g')
const isFirst = /(?<="defaultVariant":)"control"/g
const hasNoV = new RegExp(String.raw`\{"!":\[\{"starts_with":\[${name},"v"\]\}\]\}`, 'g')

function replace(text: string, guard: RegExp, by: string): string {
  const replaced = text.replace(guard, by)
  if (replaced === text) throw new Error('The guard is not in the definition')
  return replaced
}
