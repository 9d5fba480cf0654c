import type { APIEmbed } from 'discord-api-types/v10'
import type { FormViolation } from './errors.ts'

/** Holds the parts of a message as they were sent, checked. */
export interface SentMessage {
  readonly content: string | undefined
  readonly embeds: readonly APIEmbed[] | undefined
  /** Says that people are notified who are mentioned. */
  readonly mayPing: boolean
  readonly nonce: string | undefined
  readonly enforcesNonce: boolean
  readonly replyTo: string | undefined
}

type Fields = Readonly<Record<string, unknown>>

const known = new Set([
  'content',
  'embeds',
  'allowed_mentions',
  'nonce',
  'enforce_nonce',
  'tts',
  'flags',
  'components',
  'message_reference',
])
const embedFields = new Set([
  'title',
  'type',
  'description',
  'url',
  'timestamp',
  'color',
  'footer',
  'image',
  'thumbnail',
  'author',
  'fields',
])

/** Lists the limits of an embed in characters (docs.discord.com, embed limits). */
const limits = { title: 256, description: 4_096, footer: 2_048, fieldName: 256, fieldValue: 1_024 }
const contentMax = 2_000
const embedsTotalMax = 6_000

/** Reads the body of a post or an edit, and returns what is wrong with it instead where something is. */
export function readMessage(
  fields: Fields,
): SentMessage | { readonly violations: FormViolation[] } {
  const violations: FormViolation[] = []
  for (const name of Object.keys(fields)) {
    if (!known.has(name))
      violations.push([name, 'UNKNOWN_FIELD', `The sandbox does not know ${name}.`])
  }
  const content = readText(fields['content'], 'content', contentMax, violations)
  const embeds = readEmbeds(fields['embeds'], violations)
  const nonce = fields['nonce']
  const nonceText =
    nonce === undefined || nonce === null
      ? undefined
      : typeof nonce === 'string'
        ? nonce
        : JSON.stringify(nonce)
  if (nonceText !== undefined && nonceText.length > 25) {
    violations.push(['nonce', 'BASE_TYPE_MAX_LENGTH', 'Must be 25 or fewer in length.'])
  }
  const reference = recordOf(fields['message_reference'])
  if (violations.length > 0) return { violations }
  return {
    content,
    embeds,
    mayPing: !turnsMentionsOff(fields['allowed_mentions']),
    nonce: nonceText,
    enforcesNonce: fields['enforce_nonce'] === true,
    replyTo: textOf(reference?.['message_id']),
  }
}

function turnsMentionsOff(value: unknown): boolean {
  const of = recordOf(value)
  const parse = of?.['parse']
  return (
    Array.isArray(parse) && parse.length === 0 && isEmpty(of?.['users']) && isEmpty(of?.['roles'])
  )
}

function isEmpty(list: unknown): boolean {
  return list === undefined || (Array.isArray(list) && list.length === 0)
}

function readEmbeds(value: unknown, violations: FormViolation[]): readonly APIEmbed[] | undefined {
  if (value === undefined || value === null) return undefined
  if (!Array.isArray(value)) {
    violations.push(['embeds', 'LIST_TYPE_CONVERT', 'Only iterables may be used in a ListType'])
    return undefined
  }
  if (value.length > 10) {
    violations.push(['embeds', 'BASE_TYPE_BAD_LENGTH', 'Must be between 1 and 10 in length.'])
  }
  const embeds = value.map((each, index) => readEmbed(each, `embeds.${index}`, violations))
  if (embeds.reduce((sum, embed) => sum + lengthOf(embed), 0) > embedsTotalMax) {
    violations.push([
      'embeds',
      'MAX_EMBED_SIZE_EXCEEDED',
      'Embed size exceeds maximum size of 6000',
    ])
  }
  return embeds
}

function readEmbed(value: unknown, path: string, violations: FormViolation[]): APIEmbed {
  const of = recordOf(value) ?? {}
  for (const name of Object.keys(of)) {
    if (!embedFields.has(name)) {
      violations.push([`${path}.${name}`, 'UNKNOWN_FIELD', `The sandbox does not know ${name}.`])
    }
  }
  const text = (name: string, from: unknown, max: number) =>
    readText(from, `${path}.${name}`, max, violations)
  const small = text('footer.text', recordOf(of['footer'])?.['text'], limits.footer)
  const embed = withoutUndefined({
    title: text('title', of['title'], limits.title),
    description: text('description', of['description'], limits.description),
    footer: small === undefined ? undefined : { text: small },
    fields: readFieldList(of['fields'], path, violations),
  })
  if (Object.keys(embed).length === 0) {
    violations.push([path, 'BASE_TYPE_REQUIRED', 'This field is required'])
  }
  const url = readUrl(of['url'], `${path}.url`, violations)
  return { ...embed, ...withoutUndefined({ url, color: readColor(of['color'], path, violations) }) }
}

function readColor(value: unknown, path: string, violations: FormViolation[]): number | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 0xff_ff_ff) {
    return value
  }
  const text = 'int value should be less than or equal to 16777215.'
  violations.push([`${path}.color`, 'NUMBER_TYPE_MAX', text])
  return undefined
}

function withoutUndefined<T extends object>(
  of: T,
): { [Name in keyof T]?: Exclude<T[Name], undefined> } {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only what is defined is kept
  return Object.fromEntries(Object.entries(of).filter(([, value]) => value !== undefined)) as {
    [Name in keyof T]?: Exclude<T[Name], undefined>
  }
}

function readFieldList(
  value: unknown,
  path: string,
  violations: FormViolation[],
): APIEmbed['fields'] {
  if (!Array.isArray(value)) return undefined
  if (value.length > 25) {
    violations.push([`${path}.fields`, 'BASE_TYPE_BAD_LENGTH', 'Must be 25 or fewer in length.'])
  }
  return value.map((each, index) => {
    const of = recordOf(each)
    const at = `${path}.fields.${index}`
    const name = readText(of?.['name'], `${at}.name`, limits.fieldName, violations)
    const text = readText(of?.['value'], `${at}.value`, limits.fieldValue, violations)
    if (name === undefined || text === undefined) {
      violations.push([at, 'BASE_TYPE_REQUIRED', 'This field is required'])
    }
    return { name: name ?? '', value: text ?? '', inline: of?.['inline'] === true }
  })
}

function readUrl(value: unknown, path: string, violations: FormViolation[]): string | undefined {
  if (value === undefined || value === null) return undefined
  const text = textOf(value) ?? ''
  if (!/^https?:\/\/./.test(text) || !URL.canParse(text) || text.length > 2_048) {
    violations.push([path, 'URL_TYPE_INVALID_URL', 'Not a well formed URL.'])
  }
  return text
}

/** Discord trims the texts of an embed, and counts UTF-16 units. An empty text counts as left out. */
function readText(
  value: unknown,
  path: string,
  max: number,
  violations: FormViolation[],
): string | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'string') {
    violations.push([path, 'BASE_TYPE_CONVERT', 'Could not interpret as string.'])
    return undefined
  }
  const text = value.trim()
  if (text.length > max) {
    violations.push([path, 'BASE_TYPE_MAX_LENGTH', `Must be ${max} or fewer in length.`])
  }
  return text === '' ? undefined : text
}

function lengthOf({ title = '', description = '', footer, fields = [] }: APIEmbed): number {
  return (
    title.length +
    description.length +
    (footer?.text.length ?? 0) +
    fields.reduce((sum, { name, value }) => sum + name.length + value.length, 0)
  )
}

function recordOf(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : undefined
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
