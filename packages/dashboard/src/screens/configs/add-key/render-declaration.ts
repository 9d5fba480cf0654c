import {
  keyNotes,
  toLiteral,
  type KeyDefinition,
  type KeyNotes,
  type ValueType,
} from '@signalbox/contract'

/** Describes the line that declares a key in a definition, and its section. */
export interface Declaration {
  readonly section: 'public' | 'secret' | 'featureFlags'
  readonly code: string
  /** Names the package that its validator is imported from. */
  readonly from: '@signalbox/config' | 'zod'
}

/** Returns the line that declares a key in the code. An optional key uses zod, because our own validators cannot express it. */
export function renderDeclaration(name: string, definition: KeyDefinition): Declaration {
  const { tier = 'secret', required = true } = definition
  const isOptional = !required && definition.default === undefined
  const validator = isOptional ? inZod(definition) : inOwn(definition)
  const key = /^[A-Za-z_]\w*$/.test(name) ? name : toLiteral(name)
  return {
    section: tier,
    code: `${key}: ${validator},`,
    from: isOptional ? 'zod' : '@signalbox/config',
  }
}

type Limits = Readonly<Record<string, unknown>>

function inOwn(definition: KeyDefinition): string {
  const { type, description, default: preset, constraints = {} } = definition
  const { enum: options, ...limits } = constraints
  const members = [
    ...toOptions(limits),
    ...(preset === undefined ? [] : [`default: ${toLiteral(preset)}`]),
    ...(description === undefined ? [] : [`description: ${toLiteral(description)}`]),
    ...toNotes(definition),
  ]
  const text = members.length === 0 ? '' : `{ ${members.join(', ')} }`
  if (!Array.isArray(options)) return `${type}(${text})`
  return `oneOf([${options.map(toLiteral).join(', ')}]${text === '' ? '' : `, ${text}`})`
}

/** Returns the notes as members of an object. Example: `owner: 'Checkout team'`. */
function toNotes(notes: KeyNotes): readonly string[] {
  return keyNotes.flatMap((name) => {
    const note = notes[name]
    const isEmpty =
      note === undefined || note === false || (typeof note !== 'boolean' && note.length === 0)
    if (isEmpty) return []
    const text = typeof note === 'object' ? `[${note.map(toLiteral).join(', ')}]` : toLiteral(note)
    return [`${name}: ${text}`]
  })
}

const ownWords: Readonly<Record<string, string>> = { minimum: 'min', maximum: 'max' }

function toOptions(limits: Limits): readonly string[] {
  return Object.entries(limits).map(([name, value]) => {
    if (name === 'format') return value === 'uri' ? 'url: true' : `${String(value)}: true`
    if (name === 'type') return 'integer: true'
    return `${ownWords[name] ?? name}: ${toLiteral(value)}`
  })
}

function inZod(definition: KeyDefinition): string {
  const { type, description, constraints = {} } = definition
  const { enum: options, format, type: whole, ...limits } = constraints
  const begin = Array.isArray(options)
    ? `z.enum([${options.map(toLiteral).join(', ')}])`
    : toZodType(type, whole === 'integer' ? whole : format)
  const checks = Object.entries(limits).map(([name, value]) =>
    name === 'pattern'
      ? `.regex(new RegExp(${toLiteral(value)}))`
      : `.${name.startsWith('min') ? 'min' : 'max'}(${toLiteral(value)})`,
  )
  const described = description === undefined ? '' : `.describe(${toLiteral(description)})`
  const notes = toNotes(definition)
  const noted = notes.length === 0 ? '' : `.meta({ ${notes.join(', ')} })`
  return `${begin}${checks.join('')}.optional()${described}${noted}`
}

function toZodType(type: ValueType, kind: unknown): string {
  if (kind === 'uri') return 'z.url()'
  if (kind === 'email') return 'z.email()'
  return kind === 'integer' ? 'z.int()' : `z.${type}()`
}
