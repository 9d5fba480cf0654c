import type { ReadRendered } from '../../testing/rendered.ts'
import { renderMessage } from '../render-message.ts'

const limits: Readonly<Record<string, number>> = { header: 150, section: 3_000, context: 3_000 }

/** Reads a message as Slack shows it: its blocks, in mrkdwn. */
export const readSlackMessage: ReadRendered = (message) => {
  const { blocks, text: summary } = renderMessage(message)
  const parts = blocks.flatMap((block) => {
    const {
      type,
      text,
      elements = [text],
    } = block as {
      readonly type: string
      readonly text?: { readonly text: string }
      readonly elements?: readonly ({ readonly text: string } | undefined)[]
    }
    return elements.map((element) => ({ type, text: element?.text ?? '' }))
  })
  const marked = parts.filter(({ type }) => type !== 'header').map(({ text }) => text)
  const shown = marked.join('\n')
  const links = [...shown.matchAll(/<(https?:[^|>]+)\|/g)].map(([, href = '']) => href)
  // In code nothing means anything.
  const withoutLinks = shown.replaceAll(/<https?:[^|>]+\|/g, '<|').replaceAll(/`[^`\n]*`/g, '``')
  const tooLong = [
    ...parts.filter(({ type, text }) => text.length > (limits[type] ?? 0)).map(({ type }) => type),
    ...(JSON.stringify(blocks).length > 13_000 ? ['all'] : []),
    ...(summary.length > 3_000 ? ['text'] : []),
  ]
  return {
    mentions: (withoutLinks.match(/<[@#!]|@(?:here|channel|everyone)|(?<!&lt;|<)[@#]\w/g) ?? [])
      .length,
    links: [...links, ...(withoutLinks.match(/https?:\/\/\S+/g) ?? [])],
    styles:
      (withoutLinks.match(/[*_~`]/g) ?? []).length +
      (withoutLinks.match(/:[\w+'-]+:/g) ?? []).length,
    lines: parts.reduce((sum, { text }) => sum + text.split('\n').length, 0),
    tooLong,
    text: parts.map(({ text }) => text).join('\n'),
  }
}
