import type { SlackBlock } from './slack-block.ts'

/** Describes the fault of a message's blocks, in Slack's words. */
export type CheckedBlocks =
  | { readonly blocks: readonly SlackBlock[] }
  | {
      readonly error: 'invalid_blocks_format' | 'invalid_blocks'
      readonly problems: readonly string[]
    }
  | { readonly error: 'msg_blocks_too_long'; readonly problems: readonly [] }

/**
 * Holds the documented limit of a list of blocks, and for all texts together the largest size that was observed to
 * pass (bolt-js #2509).
 */
const blocksMax = 50
const charactersMax = 13_200

const blockId = optional(aText({ max: 255 }))
const plainText = (max: number) =>
  anObject({
    type: oneOf('plain_text'),
    text: aText({ min: 1, max }),
    emoji: optional(aBoolean),
  })
const anyText = (max: number): Check => {
  const mrkdwn = anObject({
    type: oneOf('mrkdwn'),
    text: aText({ min: 1, max }),
    verbatim: optional(aBoolean),
  })
  return byType({ plain_text: plainText(max), mrkdwn })
}

const button = anObject({
  type: oneOf('button'),
  text: plainText(75),
  action_id: optional(aText({ max: 255 })),
  url: optional(aText({ max: 3_000 })),
  value: optional(aText({ max: 2_000 })),
  style: optional(oneOf('primary', 'danger')),
  accessibility_label: optional(aText({ max: 75 })),
})

const imageElement = anObject({
  type: oneOf('image'),
  image_url: anImageUrl,
  alt_text: aText({ min: 1, max: 2_000 }),
})

const kinds = {
  actions: anObject({
    type: oneOf('actions'),
    block_id: blockId,
    elements: anArray({ of: byType({ button }), min: 1, max: 25 }),
  }),
  context: anObject({
    type: oneOf('context'),
    block_id: blockId,
    elements: anArray({
      of: byType({ image: imageElement, plain_text: anyText(3_000), mrkdwn: anyText(3_000) }),
      min: 1,
      max: 10,
    }),
  }),
  divider: anObject({ type: oneOf('divider'), block_id: blockId }),
  header: anObject({ type: oneOf('header'), block_id: blockId, text: plainText(150) }),
  image: anObject({
    type: oneOf('image'),
    block_id: blockId,
    image_url: anImageUrl,
    alt_text: aText({ min: 1, max: 2_000 }),
    title: optional(plainText(2_000)),
  }),
  section: aSection,
} satisfies Readonly<Record<SlackBlock['type'], Check>>

/** Checks `blocks` against the Block Kit reference and its limits. */
export function checkBlocks(json: string): CheckedBlocks {
  const blocks = parse(json)
  if (!Array.isArray(blocks)) {
    return {
      error: 'invalid_blocks_format',
      problems: ['must be a valid JSON array [json-pointer:/blocks]'],
    }
  }
  const problems = [
    ...anArray({ of: byType(kinds), min: 0, max: blocksMax })(blocks, '/blocks'),
    ...repeatedIds(blocks, '/blocks'),
  ]
  if (!isValid(blocks, problems)) return { error: 'invalid_blocks', problems }
  if (charactersIn(blocks) > charactersMax) return { error: 'msg_blocks_too_long', problems: [] }
  return { blocks }
}

/** The checks above prove the type. */
function isValid(blocks: unknown[], problems: readonly string[]): blocks is SlackBlock[] {
  return problems.length === 0 && Array.isArray(blocks)
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

function aSection(value: unknown, at: string): readonly string[] {
  const problems = anObject({
    type: oneOf('section'),
    block_id: blockId,
    text: optional(anyText(3_000)),
    fields: optional(anArray({ of: anyText(2_000), min: 1, max: 10 })),
    accessory: optional(byType({ button, image: imageElement })),
    expand: optional(aBoolean),
  })(value, at)
  const isEmpty =
    typeof value === 'object' && value !== null && !('text' in value) && !('fields' in value)
  return isEmpty ? [...problems, `missing required field: text [json-pointer:${at}]`] : problems
}

function byType(checks: Readonly<Record<string, Check>>): Check {
  return (value, at) => {
    const type =
      typeof value === 'object' && value !== null && 'type' in value ? value.type : undefined
    const check = Object.entries(checks).find(([name]) => name === type)?.[1]
    if (check !== undefined) return check(value, at)
    return [`unsupported type: ${String(type)} [json-pointer:${at}/type]`]
  }
}

function aBoolean(value: unknown, at: string): readonly string[] {
  return typeof value === 'boolean' ? [] : [`must be a boolean [json-pointer:${at}]`]
}

function anImageUrl(value: unknown, at: string): readonly string[] {
  const problems = aText({ min: 1, max: 3_000 })(value, at)
  if (problems.length > 0) return problems
  return /^https?:\/\/\S+$/.test(String(value)) ? [] : [`must be a valid URI [json-pointer:${at}]`]
}

/** Checks that ids of blocks are unique in a message, and those of actions in their block. */
function repeatedIds(blocks: readonly unknown[], at: string): readonly string[] {
  return [...repeated(blocks, 'block_id', at), ...blocks.flatMap(repeatedActions)]
}

function repeatedActions(block: unknown, index: number): readonly string[] {
  if (typeof block !== 'object' || block === null || !('elements' in block)) return []
  const { elements } = block
  if (!Array.isArray(elements)) return []
  return repeated(elements, 'action_id', `/blocks/${index}/elements`)
}

function repeated(items: readonly unknown[], name: string, at: string): readonly string[] {
  const ids = new Set<string>()
  return items.flatMap((item, index) => {
    const id: unknown =
      typeof item === 'object' && item !== null
        ? Object.entries(item).find(([key]) => key === name)?.[1]
        : undefined
    if (typeof id !== 'string') return []
    if (ids.has(id)) return [`\`${name}\` ${id} already exists [json-pointer:${at}/${index}]`]
    ids.add(id)
    return []
  })
}

/** Returns all text that a person could read, with the labels of buttons. */
function charactersIn(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + charactersIn(item), 0)
  if (typeof value !== 'object' || value === null) return 0
  return Object.entries(value).reduce(
    (sum, [name, inner]: [string, unknown]) =>
      sum + (name === 'text' && typeof inner === 'string' ? inner.length : charactersIn(inner)),
    0,
  )
}

/** Returns the faults of a value at a JSON pointer, in the words of Slack's `response_metadata.messages`. */
type Check = (value: unknown, at: string) => readonly string[]

/** Marks a field that may be absent. */
interface Optional {
  readonly optional: Check
}

/** Marks a field as optional. When it is present, it is checked. */
function optional(check: Check): Optional {
  return { optional: check }
}

/** Returns a check for a JSON object with these fields and no others. */
function anObject(fields: Readonly<Record<string, Check | Optional>>): Check {
  return (value, at) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return [`must be an object [json-pointer:${at}]`]
    }
    const members = new Map<string, unknown>(Object.entries(value))
    const strangers = [...members.keys()].filter((name) => !Object.hasOwn(fields, name))
    return [
      ...strangers.map((name) => `invalid additional property: ${name} [json-pointer:${at}]`),
      ...Object.entries(fields).flatMap(([name, field]) => {
        if (members.has(name)) {
          const check = typeof field === 'function' ? field : field.optional
          return check(members.get(name), `${at}/${name}`)
        }
        if (typeof field !== 'function') return []
        return [`missing required field: ${name} [json-pointer:${at}]`]
      }),
    ]
  }
}

/** Returns a check for a JSON array whose length is within the limits. */
function anArray(limits: {
  readonly of: Check
  readonly min: number
  readonly max: number
}): Check {
  const { of, min, max } = limits
  return (value, at) => {
    if (!Array.isArray(value)) return [`must be an array [json-pointer:${at}]`]
    if (value.length < min) return [`no fewer than ${min} items allowed [json-pointer:${at}]`]
    if (value.length > max) return [`no more than ${max} items allowed [json-pointer:${at}]`]
    return value.flatMap((item: unknown, index) => of(item, `${at}/${index}`))
  }
}

/** Returns a check for a text whose length is within the limits. */
function aText({ min = 0, max }: { readonly min?: number; readonly max: number }): Check {
  return (value, at) => {
    if (typeof value !== 'string') return [`must be a string [json-pointer:${at}]`]
    if (value.length < min) return [`must be more than ${min - 1} characters [json-pointer:${at}]`]
    if (value.length > max) return [`must be less than ${max + 1} characters [json-pointer:${at}]`]
    return []
  }
}

/** Returns a check for one of these words. */
function oneOf(...values: readonly string[]): Check {
  return (value, at) =>
    values.some((allowed) => allowed === value)
      ? []
      : [`must be one of: ${values.join(', ')} [json-pointer:${at}]`]
}
