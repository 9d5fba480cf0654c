import type { ConfigValue } from '@signalbox/contract'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { emptyCurrentValues, type CurrentValues } from './current-values.ts'
import type { KeyRule } from './definition.ts'
import { toTree, type EnvironmentNode } from './environment-tree.ts'
import { resolveChanged, resolveValues, type ConfigState } from './resolve-values.ts'
import { fuzzSeed } from '../configs/testing/fuzz-seed.ts'

const standard = { inheritedSecrets: null, isArchived: false } as const

const author = { type: 'system', id: null, name: 'test' } as const
const rule = (more: Partial<KeyRule> = {}): KeyRule => ({
  type: 'number',
  tier: 'public',
  required: true,
  hasDefault: false,
  ...more,
})
const valuesIn = (
  environmentId: string,
  open: Record<string, ConfigValue>,
  secret: Record<string, string> = {},
): CurrentValues => ({
  ...emptyCurrentValues(environmentId),
  openValues: Object.fromEntries(
    Object.entries(open).map(([key, value]) => [key, { value, updatedAt: 0, updatedBy: author }]),
  ),
  secretValues: Object.fromEntries(
    Object.entries(secret).map(([key, sealed]) => [
      key,
      { sealed, type: 'number', updatedAt: 0, updatedBy: author },
    ]),
  ),
})

function build(
  rules: Record<string, KeyRule>,
  nodes: readonly EnvironmentNode[],
  currentValues: readonly CurrentValues[],
  secretDefaults: Record<string, string> = {},
): ConfigState {
  const definition = new Map(Object.entries(rules))
  return {
    schema: { id: 'sch_1', name: 'web', revision: 1, definition, secretDefaults },
    tree: toTree(nodes),
    currentValues: new Map(currentValues.map((one) => [one.environmentId, one])),
  }
}

const chain: EnvironmentNode[] = [
  { id: 'root', name: 'root', parentId: null, ...standard },
  { id: 'mid', name: 'mid', parentId: 'root', ...standard },
  { id: 'leaf', name: 'leaf', parentId: 'mid', ...standard },
]

describe('resolveValues', () => {
  it.each([
    ['those that are named', ['named'], ['named', 'own']],
    ['none', [], ['own']],
    ['all', null, ['named', 'other', 'own', 'preset']],
    ['none where a statement forgets which', undefined, ['own']],
  ] as const)('inherits of secrets %s, from no parent and no default', (_, names, expected) => {
    const secret = rule({ tier: 'secret' })
    const rules = { named: secret, other: secret, own: secret, preset: secret, open: rule() }
    const preview = { id: 'pr', name: 'pr-7', parentId: 'leaf', isArchived: false }
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as a row that lacks the column would be
    const node = { ...preview, inheritedSecrets: names } as EnvironmentNode
    const values = [
      valuesIn('root', { open: 1 }, { named: 'a', other: 'b' }),
      valuesIn('pr', {}, { own: 'c' }),
    ]
    const resolved = resolveValues(build(rules, [...chain, node], values, { preset: 'd' }), 'pr')
    const found = [...resolved].filter(([, { sealed }]) => sealed !== undefined)
    expect(found.map(([key]) => key).toSorted()).toEqual(expected)
    expect(resolved.get('open')?.value).toBe(1)
  })

  it('takes its own value, else the nearest above, else the default, else none', () => {
    const rules = {
      own: rule(),
      above: rule(),
      preset: rule({ default: 9, hasDefault: true }),
      none: rule(),
    }
    const currentValues = [
      valuesIn('root', { own: 1, above: 1 }),
      valuesIn('mid', { above: 2 }),
      valuesIn('leaf', { own: 3 }),
    ]
    const resolved = resolveValues(build(rules, chain, currentValues), 'leaf')
    expect(resolved.get('own')).toMatchObject({ source: 'set', value: 3, environmentId: 'leaf' })
    expect(resolved.get('above')).toMatchObject({
      source: 'inherited',
      value: 2,
      environmentId: 'mid',
    })
    expect(resolved.get('preset')).toEqual({ source: 'default', value: 9 })
    expect(resolved.get('none')).toEqual({ source: 'missing' })
  })

  it('takes a secret from where secrets are stored and from nowhere else', () => {
    const rules = { token: rule({ tier: 'secret' }), open: rule() }
    const currentValues = [valuesIn('root', { token: 1 }, { open: 'b64' })]
    const resolved = resolveValues(build(rules, chain, currentValues, { token: 'preset' }), 'root')
    expect(resolved.get('token')).toEqual({ source: 'default', sealed: 'preset' })
    expect(resolved.get('open')).toEqual({ source: 'missing' })
  })

  it('passes over a stored value of another type', () => {
    const rules = { n: rule({ default: 4, hasDefault: true }) }
    const currentValues = [valuesIn('root', { n: 7 }), valuesIn('mid', { n: 'seven' })]
    expect(resolveValues(build(rules, chain, currentValues), 'mid').get('n')).toMatchObject({
      source: 'inherited',
      value: 7,
    })
  })

  it('agrees with a plain walk for every tree, circle, override and deletion', () => {
    const names = ['a', 'b', 'c', 'd', 'e']
    const keys = ['k1', 'k2', 'k3']
    const parents = fc.tuple(...names.map(() => fc.option(fc.constantFrom(...names))))
    const write = fc.record({
      environment: fc.constantFrom(...names),
      key: fc.constantFrom(...keys),
      value: fc.option(fc.integer()),
    })
    fc.assert(
      fc.property(parents, fc.array(write, { maxLength: 30 }), (of, writes) => {
        const nodes = names.map((id, i) => ({ id, name: id, parentId: of[i] ?? null, ...standard }))
        const stored = new Map(names.map((name) => [name, new Map<string, number>()]))
        for (const { environment, key, value } of writes) {
          if (value === null) stored.get(environment)?.delete(key)
          else stored.get(environment)?.set(key, value)
        }
        const rules = {
          k1: rule(),
          k2: rule({ default: -1, hasDefault: true }),
          k3: rule(),
        }
        const currentValues = names.map((name) =>
          valuesIn(name, Object.fromEntries(stored.get(name) ?? [])),
        )
        const state = build(rules, nodes, currentValues)
        for (const name of names) {
          const resolved = resolveValues(state, name)
          for (const key of keys) {
            expect(resolved.get(key)?.value).toBe(walk(nodes, stored, name, key))
          }
        }
      }),
      { numRuns: 300, seed: fuzzSeed },
    )
  })
})

describe('resolveChanged', () => {
  const rules = {
    k1: rule(),
    k2: rule({ default: -1, hasDefault: true }),
    token: rule({ tier: 'secret' }),
  }
  const write = fc.record({
    environmentId: fc.constantFrom('root', 'mid', 'leaf'),
    key: fc.constantFrom('k1', 'k2', 'token', 'left'),
    value: fc.option(fc.integer({ max: 3 }), { nil: undefined }),
  })
  const parents = fc.tuple(...chain.map(() => fc.constantFrom(null, 'root', 'mid', 'leaf')))

  type Edit = typeof write extends fc.Arbitrary<infer E> ? E : never
  /** Edits one environment, as a write does: what it doesn't name keeps its object. */
  function edit(state: ConfigState, { environmentId, key, value }: Edit) {
    const current = state.currentValues.get(environmentId) ?? emptyCurrentValues(environmentId)
    const isSecret = key === 'token'
    const made = valuesIn('', isSecret ? {} : { [key]: value ?? 0 }, { [key]: `${value}` })
    const put = <E>(entries: Readonly<Record<string, E>>, entry: E | undefined) => {
      const { [key]: _, ...others } = entries
      return value === undefined || entry === undefined ? others : { ...others, [key]: entry }
    }
    const edited = isSecret
      ? { ...current, secretValues: put(current.secretValues, made.secretValues[key]) }
      : { ...current, openValues: put(current.openValues, made.openValues[key]) }
    return { ...state, currentValues: new Map(state.currentValues).set(environmentId, edited) }
  }

  it('agrees with resolveValues after any edits of any environment of the chain, and of the tree', () => {
    const edits = fc.array(write, { maxLength: 8 })
    fc.assert(
      fc.property(edits, edits, fc.option(parents), (first, then, of) => {
        const before = first.reduce(edit, build(rules, chain, []))
        const edited = then.reduce(edit, before)
        const nodes = chain.map((node, i) => ({ ...node, parentId: of?.[i] ?? null }))
        const after = of === null ? edited : { ...edited, tree: toTree(nodes) }
        for (const { id } of chain) {
          const resolved = resolveChanged(before, resolveValues(before, id), after, id)
          expect([...resolved]).toEqual([...resolveValues(after, id)])
        }
      }),
      { numRuns: 500, seed: fuzzSeed },
    )
  })

  it('keeps the objects of the keys that are not edited', () => {
    const before = build(rules, chain, [valuesIn('root', { k1: 1, k2: 2 })])
    const was = resolveValues(before, 'leaf')
    const after = edit(before, { environmentId: 'root', key: 'k1', value: 3 })
    const is = resolveChanged(before, was, after, 'leaf')
    expect(is.get('k1')).toMatchObject({ source: 'inherited', value: 3 })
    expect(is.get('k2')).toBe(was.get('k2'))
    expect(resolveChanged(before, was, { ...before }, 'leaf')).toBe(was)
  })

  it('resolves everything again with another schema', () => {
    const before = build(rules, chain, [valuesIn('root', { k1: 1 })])
    const schema = { ...before.schema, definition: new Map([['k1', rule({ type: 'string' })]]) }
    const is = resolveChanged(before, resolveValues(before, 'leaf'), { ...before, schema }, 'leaf')
    expect([...is]).toEqual([['k1', { source: 'missing' }]])
  })
})

/** The same by other means: follow parents for as many steps as there are environments. */
function walk(
  nodes: readonly EnvironmentNode[],
  stored: ReadonlyMap<string, ReadonlyMap<string, number>>,
  environment: string,
  key: string,
): number | undefined {
  let at: string | null = environment
  for (let steps = 0; at !== null && steps < nodes.length; steps++) {
    const value = stored.get(at)?.get(key)
    if (value !== undefined) return value
    const name: string = at
    at = nodes.find(({ id }) => id === name)?.parentId ?? null
  }
  return key === 'k2' ? -1 : undefined
}
