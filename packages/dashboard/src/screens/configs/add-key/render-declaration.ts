import {
  keyNotes,
  toLiteral,
  type ConfigValue,
  type KeyDefinition,
  type KeyNotes,
  type Tier,
} from '@signalbox/contract'

/** Describes the line that declares a key in a definition, and its section. */
export interface Declaration {
  readonly section: Tier
  readonly code: string
}

/** Returns the line that declares a key in the code. What no code can say stands above it as a comment. */
export function renderDeclaration(name: string, definition: KeyDefinition): Declaration {
  const { tier = 'secret', constraints = {} } = definition
  const isSayable = !serverFormats.has(constraints['format'])
  const { format: _format, ...others } = constraints
  const validator = renderValidator(isSayable ? definition : { ...definition, constraints: others })
  const remark = `// Code can’t declare the format ${String(constraints['format'])}: a push removes it.\n`
  const wrapper = findWrapper(definition)
  const call = wrapper === undefined ? validator : `${wrapper}(${validator})`
  const said = definition.targeted === true ? `targeted(${call})` : call
  return { section: tier, code: `${isSayable ? '' : remark}${renderName(name)}: ${said},` }
}

function renderName(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name : toLiteral(name)
}

/** Lists the formats that only the server checks. The validators of `@signalbox/config` refuse them. */
const serverFormats: ReadonlySet<unknown> = new Set([
  'url',
  'iso-date-time',
  'iso-time',
  'byte',
  'json-pointer-uri-fragment',
  'password',
  'binary',
  'int32',
  'int64',
  'float',
  'double',
])

function findWrapper({ tier, required = true, default: preset, hasDefault }: KeyDefinition) {
  if (preset !== undefined) return undefined
  if (hasDefault === true && tier === 'secret') return 'withStoredDefault'
  return required ? undefined : 'optional'
}

type Members = readonly (readonly [name: string, value: unknown])[]

/** Returns the shortest call that makes a validator with these constraints. */
function renderValidator(definition: KeyDefinition): string {
  const { type, constraints = {}, variants } = definition
  const rest = restOf(definition)
  if (variants !== undefined) {
    const members = variants.map(({ name, on }) => [name, { on }] as const)
    return `flag.variants(${renderObject(members)}${renderOptions(rest)})`
  }
  return type === 'json'
    ? renderJsonSchema({ type: ['object', 'array'], ...constraints }, rest)
    : renderPlain(type, constraints, rest)
}

function renderPlain(type: string, constraints: object, rest: Members): string {
  const { enum: several, const: only, ...limits }: Limits = { ...constraints }
  const choices: unknown = only === undefined ? several : [only]
  if (Array.isArray(choices) && type !== 'boolean' && Object.keys(limits).length === 0) {
    return `oneOf([${choices.map(toLiteral).join(', ')}]${renderOptions(rest)})`
  }
  const options = choices === undefined ? toOptions(limits) : undefined
  if (options === undefined) return renderJsonSchema({ type, ...constraints }, rest)
  const members = [...options, ...rest]
  return `${type}(${members.length === 0 ? '' : renderObject(members)})`
}

type Limits = Readonly<Record<string, unknown>>

function renderJsonSchema(schema: object, rest: Members): string {
  return `fromJsonSchema(${renderObject([...Object.entries(schema), ...rest])})`
}

/** Returns the options as an argument after another one. */
function renderOptions(rest: Members): string {
  return rest.length === 0 ? '' : `, ${renderObject(rest)}`
}

/** Returns the default, the description and the notes. */
function restOf(definition: KeyDefinition): Members {
  const { default: preset, description = '' } = definition
  return [
    ...(preset === undefined ? [] : ([['default', preset]] as const)),
    ...(description === '' ? [] : ([['description', description]] as const)),
    ...toNotes(definition),
  ]
}

function toNotes(notes: KeyNotes): Members {
  return keyNotes.flatMap((name) => {
    const note = notes[name]
    const isEmpty =
      note === undefined ||
      note === false ||
      note === 0 ||
      (typeof note === 'object' && note.length === 0) ||
      note === ''
    return isEmpty ? [] : [[name, note] as const]
  })
}

type Option = Members[number]

const ifEqual =
  (name: string, constant: ConfigValue) =>
  (value: unknown): Option | undefined =>
    value === constant ? [name, true] : undefined
const asIs =
  (name: string) =>
  (value: unknown): Option | undefined => [name, value]

/** Maps a constraint to the option of `string` or `number` that says it. */
const readers: Readonly<Record<string, (value: unknown) => Option | undefined>> = {
  minLength: asIs('minLength'),
  maxLength: asIs('maxLength'),
  pattern: asIs('pattern'),
  format: (value) => ifEqual('url', 'uri')(value) ?? ifEqual('email', 'email')(value),
  type: ifEqual('integer', 'integer'),
  multipleOf: ifEqual('integer', 1),
  exclusiveMinimum: ifEqual('positive', 0),
  minimum: asIs('min'),
  maximum: asIs('max'),
}

/** Returns the options that say the limits. `undefined`: there is none for one of them. */
function toOptions(limits: Limits): Members | undefined {
  const options: Option[] = []
  for (const [name, value] of Object.entries(limits)) {
    const option = readers[name]?.(value)
    if (option === undefined) return undefined
    options.push(option)
  }
  return options
}

function renderObject(members: Members): string {
  return `{ ${members.map(([name, value]) => `${renderName(name)}: ${renderValue(value)}`).join(', ')} }`
}

function renderValue(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(renderValue).join(', ')}]`
  return typeof value === 'object' && value !== null
    ? renderObject(Object.entries(value))
    : toLiteral(value)
}
