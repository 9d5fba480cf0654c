import type * as configPackage from '@signalbox/config'
import { type ConfigValue, keyNotes, type Tier, tiers } from '@signalbox/contract'
import type { PresentedKey } from '../api/operations.ts'

/** Describes a call that makes a validator: the function of `@signalbox/config`, and its arguments. */
interface ValidatorCall {
  readonly name: 'string' | 'number' | 'boolean' | 'oneOf' | 'fromJsonSchema' | 'flag.variants'
  readonly args: readonly unknown[]
}

type Package = typeof configPackage
type Schema = Readonly<Record<string, PresentedKey>>

const tierComments: Readonly<Record<Tier, string>> = {
  public: 'Anyone may read these, including browsers.',
  secret: 'Only servers read these.',
  featureFlags: 'Switches that change without a deployment.',
}

/**
 * Returns the definition file of a schema on the server, which a push finds no difference in. It holds no default of a
 * secret, even if the token may read it: the file says that the stored one is kept.
 */
export async function composeDefinition(schema: Schema): Promise<string> {
  const config = await import('@signalbox/config')
  const keys = Object.entries(schema).map(([key, stored]) => renderKey(config, key, stored))
  const used = new Set(['defineConfig', ...keys.flatMap(({ functions }) => functions)])
  const sections = tiers.flatMap((tier) => {
    const lines = keys.filter((each) => each.tier === tier).flatMap((each) => each.lines)
    if (lines.length === 0) return []
    return [
      `  // ${tierComments[tier]}`,
      `  ${tier}: {`,
      ...lines.map((line) => `    ${line}`),
      '  },',
    ]
  })
  return `import { ${[...used].toSorted().join(', ')} } from '@signalbox/config'

const config = defineConfig({
${sections.map((line) => `${line}\n`).join('')}})

export default config

declare module '@signalbox/config' {
  interface Register {
    config: typeof config
  }
}
`
}

interface RenderedKey {
  readonly tier: Tier
  readonly functions: readonly string[]
  readonly lines: readonly string[]
}

function renderKey(config: Package, key: string, stored: PresentedKey): RenderedKey {
  const known = call(stored)
  const isWritten = works(config, known)
  const { name, args } = isWritten ? known : withoutConstraints(stored)
  const wraps = wrappersOf(stored)
  const inner = `${name}(${args.map((each) => renderLiteral(each)).join(', ')})`
  const validator = wraps.reduce((inside, wrap) => `${wrap}(${inside})`, inner)
  const comments = [
    ...(stored.partial
      ? ['// The code that pushed this key checks more than the server can.']
      : []),
    ...(isWritten ? [] : ['// The constraints on the server have no validator here. Write one.']),
  ]
  return {
    tier: stored.tier,
    functions: [name.replace('.variants', ''), ...wraps],
    lines: [...comments, `${renderName(key)}: ${validator},`],
  }
}

function withoutConstraints(stored: PresentedKey): ValidatorCall {
  return stored.type === 'json'
    ? { name: 'fromJsonSchema', args: optionsOf(stored, anyJson) }
    : { name: stored.type, args: optionsOf(stored, {}) }
}

/** Describes any object and any list. */
const anyJson = { type: ['object', 'array'] }

/** Returns the functions around the validator, the innermost first. */
function wrappersOf({ tier, required, hasDefault, targeted }: PresentedKey): string[] {
  const isOptional = !hasDefault && !required
  return [
    ...(hasDefault && tier === 'secret' ? ['withStoredDefault'] : []),
    ...(isOptional ? ['optional'] : []),
    ...(targeted === true ? ['targeted'] : []),
  ]
}

/** Returns the shortest call that makes a validator with exactly these constraints. */
function call(stored: PresentedKey): ValidatorCall {
  const { type, constraints = {}, variants } = stored
  if (variants !== undefined) {
    const all = Object.fromEntries(variants.map(({ name, on }) => [name, { on }]))
    return { name: 'flag.variants', args: [all, ...optionsOf(stored, {})] }
  }
  const { enum: choices, ...others } = constraints
  if (type === 'json') {
    return { name: 'fromJsonSchema', args: optionsOf(stored, { ...anyJson, ...constraints }) }
  }
  const isChoice = Array.isArray(choices) && type !== 'boolean' && Object.keys(others).length === 0
  if (isChoice) return { name: 'oneOf', args: [choices, ...optionsOf(stored, {})] }
  const options = toOptions(type, constraints)
  if (options !== undefined) return { name: type, args: optionsOf(stored, options) }
  return { name: 'fromJsonSchema', args: optionsOf(stored, { type, ...constraints }) }
}

/** Returns the arguments after the first: none, or the options with default, description and notes. */
function optionsOf(stored: PresentedKey, options: Readonly<Record<string, unknown>>): unknown[] {
  const { tier, default: value, description = '' } = stored
  const all = {
    ...options,
    ...(value !== undefined && tier !== 'secret' && { default: value }),
    ...(description !== '' && { description }),
    ...Object.fromEntries(
      keyNotes
        .map((note) => [note, stored[note]] as const)
        .filter(([, note]) => note !== undefined),
    ),
  }
  return Object.keys(all).length === 0 ? [] : [all]
}

type OptionReader = (rule: unknown) => Readonly<Record<string, unknown>> | undefined

const asIs =
  (name: string): OptionReader =>
  (rule) => ({ [name]: rule })
const only =
  (constant: ConfigValue, name: string): OptionReader =>
  (rule) =>
    rule === constant ? { [name]: true } : undefined

const optionReaders: Readonly<
  Record<PresentedKey['type'], Readonly<Record<string, OptionReader>>>
> = {
  string: {
    minLength: asIs('minLength'),
    maxLength: asIs('maxLength'),
    format: (rule) => only('uri', 'url')(rule) ?? only('email', 'email')(rule),
    pattern: (rule) =>
      typeof rule === 'string' && /^\^[\w-]+$/.test(rule)
        ? { prefix: rule.slice(1) }
        : { pattern: rule },
  },
  number: {
    multipleOf: only(1, 'integer'),
    exclusiveMinimum: only(0, 'positive'),
    minimum: asIs('min'),
    maximum: asIs('max'),
  },
  boolean: {},
  json: {},
}

/** Returns the options of `string`, `number` or `boolean`, or `undefined` when they cannot express a constraint. */
function toOptions(
  type: PresentedKey['type'],
  constraints: Readonly<Record<string, unknown>>,
): Record<string, unknown> | undefined {
  const readers = optionReaders[type]
  const options: Record<string, unknown> = {}
  for (const [name, rule] of Object.entries(constraints)) {
    const option = Object.hasOwn(readers, name) ? readers[name]?.(rule) : undefined
    if (option === undefined) return undefined
    Object.assign(options, option)
  }
  return options
}

/** Returns whether the call makes a validator. The server knows rules that the package does not. */
function works(config: Package, { name, args }: ValidatorCall): boolean {
  try {
    const make = name === 'flag.variants' ? config.flag : config
    const made = name === 'flag.variants' ? 'variants' : name
    Reflect.apply(Reflect.get(make, made), make, args)
    return true
  } catch {
    return false
  }
}

/** Returns a value of JSON as an expression. Every text of the server stays inside a literal. */
function renderLiteral(value: unknown): string {
  if (typeof value === 'string') return quote(value)
  if (Array.isArray(value)) return `[${value.map((each) => renderLiteral(each)).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined'
  const members = Object.entries(value).map(
    ([name, member]) => `${renderName(name)}: ${renderLiteral(member)}`,
  )
  return `{ ${members.join(', ')} }`
}

function renderName(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name : quote(name)
}

function quote(text: string): string {
  const inner = JSON.stringify(text).slice(1, -1)
  const single = inner.replaceAll(/\\(.)|'/gs, (match, escaped: string | undefined) => {
    if (match === "'") return String.raw`\'`
    return escaped === '"' ? '"' : match
  })
  return `'${single}'`
}
