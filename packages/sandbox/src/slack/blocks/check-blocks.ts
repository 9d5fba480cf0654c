import { aText, anArray, anObject, oneOf, optional, type Check } from './check.ts'
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
