import type { KeyDefinition, Tier } from './config.ts'
import { isJsonValue } from './values/json-value.ts'

/** Describes the type of a key, if the schema declares it. */
type TypedKey = Pick<KeyDefinition, 'type' | 'description' | 'constraints'> & {
  readonly tier: Tier
}

/** Describes the types to render: the schema, and the options. */
export interface TypesRequest {
  /** Holds the name of the schema on the server. */
  readonly schemaName: string
  readonly schema: Readonly<Record<string, TypedKey>>
  /** Says whether the keys of secrets are listed. */
  readonly secrets: boolean
}

/** Holds the first lines of every generated file. */
export const typesHeader = '// Written by "signalbox types"'

const sections = [
  ['public', 'Public', 'Anyone may read these, including browsers.'],
  ['secret', 'Secret', 'Only servers read these: in a browser their names are compile errors.'],
  ['featureFlags', 'FeatureFlags', 'Switches, read by everyone.'],
] as const

/**
 * Returns a declaration file that tells every client of a program the keys by tier. It holds types alone, and nothing
 * that changes without the schema: neither a date nor a revision.
 */
export function renderTypes({ schemaName, schema, secrets }: TypesRequest): string {
  const visibleSections = sections.filter(([tier]) => secrets || tier !== 'secret')
  return [
    `${typesHeader} from the schema ${inComment(schemaName)}. Change the schema, then write it again.`,
    "import type { Config, Validator } from '@signalbox/config'",
    '',
    ...visibleSections.flatMap(([tier, name, words]) => renderSection(schema, tier, name, words)),
    `export type SignalboxConfig = Config<Public, ${secrets ? 'Secret' : '{}'}, FeatureFlags>`,
    '',
    "declare module '@signalbox/config' {",
    '  interface Register {',
    '    config: SignalboxConfig',
    '  }',
    '}',
    '',
  ].join('\n')
}

function renderSection(
  schema: TypesRequest['schema'],
  tier: Tier,
  name: string,
  words: string,
): string[] {
  const keys = Object.entries(schema)
    .filter(([, key]) => key.tier === tier)
    .sort(([one], [other]) => (one < other ? -1 : 1))
  const header = [`/** ${words} */`]
  if (keys.length === 0) return [...header, `type ${name} = {}`, '']
  return [...header, `type ${name} = {`, ...keys.flatMap(renderKey), '}', '']
}

function renderKey([key, presented]: [string, TypedKey]): string[] {
  const name = /^[A-Za-z_]\w*$/.test(key) ? key : `'${key}'`
  return [
    ...renderDescription(presented.description),
    `  readonly ${name}: Validator<${typeOf(presented)}>`,
  ]
}

function renderDescription(description = ''): string[] {
  const lines = inComment(description)
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map((line) => line.trimEnd())
  if (lines.every((line) => line === '')) return []
  const [only, second] = lines
  if (second === undefined) return [`  /** ${only} */`]
  return ['  /**', ...lines.map((line) => `   * ${line}`.trimEnd()), '   */']
}

/** Escapes a description, which any author of schemas can write: it must not end the comment. */
function inComment(text: string): string {
  return text.replaceAll('*/', String.raw`*\/`)
}

/** Example: `string`, or `'light' | 'dark'` where the schema names the values. */
function typeOf({ type, constraints }: TypedKey): string {
  if (type === 'json') {
    const rendered = renderPart(constraints)
    return rendered === 'unknown' ? 'object' : rendered
  }
  const { enum: options, const: only } = constraints ?? {}
  const named = (Array.isArray(options) ? options : only === undefined ? [] : [only]).filter(
    // The types of a schema are words of typeof.
    // oxlint-disable-next-line valid-typeof
    (option) => typeof option === type,
  )
  return named.length === 0 ? type : named.map(toLiteral).join(' | ')
}

/** Returns the type of a part of an object or a list. Example: `{ readonly limit: number; readonly plans?: readonly string[] }`. */
function renderPart(schema: unknown): string {
  if (!isFragment(schema)) return 'unknown'
  const { type, enum: options, const: only, anyOf, oneOf = anyOf } = schema
  if (only !== undefined) return renderChoices([only])
  if (Array.isArray(options)) return renderChoices(options)
  if (Array.isArray(oneOf)) return renderUnion(oneOf.map(renderPart))
  return renderUnion([type].flat().map((one) => renderPartOf(one, schema)))
}

function renderUnion(types: readonly string[]): string {
  return types.includes('unknown') ? 'unknown' : [...new Set(types)].join(' | ')
}

function renderChoices(options: readonly unknown[]): string {
  return renderUnion(options.map((option) => (isJsonValue(option) ? 'unknown' : toLiteral(option))))
}

function renderPartOf(type: unknown, schema: Fragment): string {
  if (type === 'object') return renderMembers(schema)
  if (type === 'array') {
    const item = renderPart(schema['items'])
    return item.includes(' | ') ? `readonly (${item})[]` : `readonly ${item}[]`
  }
  if (type === 'integer') return 'number'
  return ['string', 'number', 'boolean', 'null'].includes(String(type)) ? String(type) : 'unknown'
}

function renderMembers({ properties, required, additionalProperties }: Fragment): string {
  if (!isFragment(properties)) {
    return `Readonly<Record<string, ${renderPart(additionalProperties)}>>`
  }
  const names: readonly unknown[] = Array.isArray(required) ? required : []
  const members = Object.entries(properties).map(([name, part]) => {
    const isWord = /^[A-Za-z_]\w*$/.test(name)
    const mark = names.includes(name) ? '' : '?'
    return `readonly ${isWord ? name : toLiteral(name)}${mark}: ${renderPart(part)}`
  })
  return members.length === 0 ? 'object' : `{ ${members.join('; ')} }`
}

type Fragment = Readonly<Record<string, unknown>>

function isFragment(value: unknown): value is Fragment {
  return isJsonValue(value) && !Array.isArray(value)
}

/** Returns a value as it is written in TypeScript. Example: `'light'`. */
export function toLiteral(option: unknown): string {
  if (typeof option !== 'string') return String(option)
  const inside = JSON.stringify(option)
    .slice(1, -1)
    .replaceAll(String.raw`\"`, '"')
  return `'${inside.replaceAll("'", String.raw`\'`)}'`
}
