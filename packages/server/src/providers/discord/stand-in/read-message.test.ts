import { expect, it } from 'vitest'
import { readMessage } from './read-message.ts'

/** Returns the code of what is wrong with a form; `undefined`: nothing is. */
function violationOf(form: Readonly<Record<string, unknown>>): string | undefined {
  const read = readMessage(form)
  return 'violations' in read ? read.violations[0]?.join(' ').match(/^\S+ [A-Z_]+/)?.[0] : undefined
}

const text = (length: number) => 'x'.repeat(length)
const embed = (part: object) => ({ embeds: [{ title: 'a', ...part }] })
const field = (name: number, value: number) =>
  embed({ fields: [{ name: text(name), value: text(value) }] })
const fields = (count: number) =>
  embed({ fields: Array.from({ length: count }, () => ({ name: 'a', value: 'b' })) })
const whole = (length: number) => ({
  embeds: [{ description: text(4_096) }, { description: text(length - 4_096) }],
})

/** Each pair is the longest that Discord takes, and one more. */
it.each([
  ['content', (more: number) => ({ content: text(2_000 + more) }), 'content BASE_TYPE_MAX_LENGTH'],
  ['title', (more: number) => embed({ title: text(256 + more) }), 'embeds.0.title BASE_TYPE_MAX_LENGTH'],
  ['description', (more: number) => embed({ description: text(4_096 + more) }), 'embeds.0.description BASE_TYPE_MAX_LENGTH'],
  ['footer', (more: number) => embed({ footer: { text: text(2_048 + more) } }), 'embeds.0.footer.text BASE_TYPE_MAX_LENGTH'],
  ['name of a field', (more: number) => field(256 + more, 1), 'embeds.0.fields.0.name BASE_TYPE_MAX_LENGTH'],
  ['value of a field', (more: number) => field(1, 1_024 + more), 'embeds.0.fields.0.value BASE_TYPE_MAX_LENGTH'],
  ['number of fields', (more: number) => fields(25 + more), 'embeds.0.fields BASE_TYPE_BAD_LENGTH'],
  ['sum of all embeds', (more: number) => whole(6_000 + more), 'embeds MAX_EMBED_SIZE_EXCEEDED'],
  ['nonce', (more: number) => ({ content: 'a', nonce: text(25 + more) }), 'nonce BASE_TYPE_MAX_LENGTH'],
])('has a limit of each part: %s', (_, formOf, rejection) => {
  expect([violationOf(formOf(0)), violationOf(formOf(1))]).toEqual([undefined, rejection])
}) // prettier-ignore

it('counts the fields and the footer of an embed, and counts no space around a text', () => {
  const long = { description: text(4_096), footer: { text: text(1_000) } }
  const value = text(900)
  expect(violationOf({ embeds: [{ ...long, fields: [{ name: 'abcd', value }] }] })).toBe(undefined)
  expect(violationOf({ embeds: [{ ...long, fields: [{ name: 'abcde', value }] }] })).toBe(
    'embeds MAX_EMBED_SIZE_EXCEEDED',
  )
  expect(violationOf({ content: ` ${text(2_000)} ` })).toBe(undefined)
})

it('wants a name and a value of each field', () => {
  const required = 'embeds.0.fields.0 BASE_TYPE_REQUIRED'
  expect([violationOf(field(0, 1)), violationOf(field(1, 0))]).toEqual([required, required])
})
