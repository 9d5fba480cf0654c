import type { StandardSchemaV1 } from '@standard-schema/spec'
import { memberOf } from '../standard-schema.ts'

/** Describes the rules that a library leaves out of its JSON Schema. */
export interface OpaqueRules {
  /** Lists the rules that the JSON Schema does not contain. Example: `refine`. */
  readonly rules: readonly string[]
  /** Says whether the patterns in the JSON Schema mean something else, because their flags are missing. */
  readonly patternsDiffer: boolean
}

const depthMax = 8
const none: OpaqueRules = { rules: [], patternsDiffer: false }
const flagged: OpaqueRules = { rules: ['a pattern with flags'], patternsDiffer: true }

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

function combineRules(all: readonly OpaqueRules[]): OpaqueRules {
  return {
    rules: [...new Set(all.flatMap(({ rules }) => rules))],
    patternsDiffer: all.some(({ patternsDiffer }) => patternsDiffer),
  }
}

/** Returns whether a regular expression, or its text, has flags without which it means something else. */
function hasFlags(pattern: unknown): boolean {
  const flags = pattern instanceof RegExp ? pattern.flags : /\/([a-z]*)$/.exec(String(pattern))?.[1]
  return /[imsvy]/.test(flags ?? '')
}

function zodRule(definition: unknown): OpaqueRules {
  const kind = memberOf(definition, 'check') ?? memberOf(definition, 'type')
  if (kind === 'custom') return { rules: ['refine'], patternsDiffer: false }
  if (kind === 'overwrite') return { rules: ['trim or the like'], patternsDiffer: false }
  if (hasFlags(memberOf(definition, 'pattern'))) return flagged
  const rules = ['protocol', 'hostname'].filter((part) => memberOf(definition, part) !== undefined)
  return { rules, patternsDiffer: false }
}

/** Names the members of a definition of zod that hold the parts of a value. */
const zodParts = [
  'innerType',
  'in',
  'out',
  'element',
  'items',
  'rest',
  'options',
  'left',
  'right',
  'keyType',
  'valueType',
]

function zodRules(schema: unknown, depth = 0): OpaqueRules {
  const definition = memberOf(memberOf(schema, '_zod'), 'def')
  if (definition === undefined || depth > depthMax) return none
  const checks = listOf(memberOf(definition, 'checks'))
  return combineRules([
    zodRule(definition),
    ...checks.map((check) => zodRule(memberOf(memberOf(check, '_zod'), 'def'))),
    ...zodParts
      .flatMap((part) => memberOf(definition, part))
      .concat(Object.values(Object(memberOf(definition, 'shape'))))
      .map((part) => zodRules(part, depth + 1)),
  ])
}

/** Searches the description of an arktype for custom predicates. */
function arktypeRules(json: unknown, depth = 0): OpaqueRules {
  if (typeof json !== 'object' || json === null || depth > depthMax) return none
  const own = Object.entries(json).flatMap(([name, value]) => {
    if (name === 'predicate') return listOf(value).filter((each) => !isUrlPredicate(each))
    return []
  })
  const flags = memberOf(json, 'flags')
  if (typeof flags === 'string' && hasFlags(`/${flags}`)) return flagged
  return combineRules([
    own.length > 0 ? { rules: ['narrow'], patternsDiffer: false } : none,
    ...Object.values(json).map((value: unknown) => arktypeRules(value, depth + 1)),
  ])
}

/** Returns whether a predicate is that of `string.url`, which JSON Schema writes as a format. */
const isUrlPredicate = (predicate: unknown) =>
  [predicate, memberOf(predicate, 'predicate')].includes('$ark.isParsableUrl')

function effectRules(check: unknown, depth = 0): OpaqueRules {
  if (depth > depthMax) return none
  const annotations = memberOf(check, 'annotations')
  const payload = memberOf(memberOf(annotations, 'representation'), 'payload')
  const parts = listOf(memberOf(check, 'checks'))
  if (parts.length > 0) return combineRules(parts.map((part) => effectRules(part, depth + 1)))
  if (memberOf(annotations, 'toJsonSchema') === undefined) {
    return { rules: ['a filter'], patternsDiffer: false }
  }
  // effect writes a pattern only with the flag `u`.
  const unwritten = memberOf(payload, 'source') !== undefined && memberOf(payload, 'flags') !== 'u'
  return unwritten ? { rules: ['a pattern without the flag u'], patternsDiffer: false } : none
}

/** Lists the rules of joi that its JSON Schema contains entirely. */
const writtenByJoi = new Set<unknown>([
  'min',
  'max',
  'length',
  'integer',
  'sign',
  'multiple',
  'greater',
  'less',
  'port',
  'guid',
  'isoDate',
  'hostname',
])

function joiRule(rule: unknown): OpaqueRules {
  const name = memberOf(rule, 'name')
  const options = memberOf(rule, 'args')
  const plain = Object.keys(Object(memberOf(options, 'options'))).length === 0
  if (name === 'pattern') {
    const inverted = memberOf(memberOf(options, 'options'), 'invert') === true
    return inverted || hasFlags(memberOf(options, 'regex')) ? flagged : none
  }
  if (writtenByJoi.has(name) || (['email', 'uri'].includes(String(name)) && plain)) return none
  return { rules: [String(name)], patternsDiffer: false }
}

function joiRules(schema: unknown): OpaqueRules {
  const describe = memberOf(schema, 'describe')
  if (typeof describe !== 'function') return none
  const description: unknown = Reflect.apply(describe, schema, [])
  const others = ['externals', 'invalid', 'whens', 'replacements', 'truthy', 'falsy']
  return combineRules([
    ...listOf(memberOf(description, 'rules')).map(joiRule),
    {
      rules: others.filter((name) => memberOf(description, name) !== undefined),
      patternsDiffer: false,
    },
  ])
}

/**
 * Returns the refinements of a sury schema, and patterns that it writes without their flags. sury reports that there is one, but not which. One beside its own rules
 * is called by `existingRefiner`.
 */
function suryRules(schema: unknown): OpaqueRules {
  const branches = [schema, ...listOf(memberOf(schema, 'anyOf'))]
  const refined = branches.some((branch) => {
    const refiner = memberOf(branch, 'refiner')
    if (typeof refiner !== 'function') return false
    const written = ['bounds', 'pattern', 'format'].some(
      (rule) => memberOf(branch, rule) !== undefined,
    )
    return !written || /\bexistingRefiner\b/.test(String(refiner))
  })
  return combineRules([
    refined ? { rules: ['refine, or rules that look like it'], patternsDiffer: false } : none,
    branches.some((branch) => hasFlags(memberOf(branch, 'pattern'))) ? flagged : none,
  ])
}

const readers: ReadonlyMap<string, (schema: unknown) => OpaqueRules> = new Map([
  ['signalbox', () => none],
  // Its converter names what it cannot write.
  ['valibot', () => none],
  ['zod', (schema) => zodRules(schema)],
  ['arktype', (schema) => arktypeRules(memberOf(schema, 'json'))],
  [
    'effect',
    (schema) =>
      combineRules(
        listOf(memberOf(memberOf(schema, 'ast'), 'checks')).map((check) => effectRules(check)),
      ),
  ],
  ['joi', joiRules],
  ['sury', suryRules],
])

/**
 * Returns the rules of a validator that JSON Schema cannot express. For an unknown library it can only say that there
 * may be some.
 */
export function readOpaqueRules(schema: StandardSchemaV1): OpaqueRules {
  const { vendor } = schema['~standard']
  const read = readers.get(vendor)
  return read ? read(schema) : { rules: [`other checks of ${vendor}`], patternsDiffer: false }
}
