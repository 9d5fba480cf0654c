import type { ReadText, RenderedReader } from '../../testing/rendered.ts'
import { renderMessage } from '../render-message.ts'

const limits: Readonly<Record<string, number>> = { header: 150, section: 3_000, context: 3_000 }

/** Reads a message as Slack shows it: its blocks, in mrkdwn. A header has no markup. */
export const slackReader: RenderedReader = {
  read(message) {
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
    return {
      ...readMrkdwn(marked.join('\n')),
      lines: parts.reduce((sum, { text }) => sum + text.split('\n').length, 0),
      tooLong: [
        ...parts
          .filter(({ type, text }) => text.length > (limits[type] ?? 0))
          .map(({ type }) => type),
        ...(JSON.stringify(blocks).length > 13_000 ? ['all'] : []),
        ...(summary.length > 3_000 ? ['text'] : []),
      ],
      text: parts
        .map(({ type, text }) => (type === 'header' ? text : withoutMarks(text)))
        .join('\n'),
    }
  },
  readLine: readMrkdwn,
}

function readMrkdwn(mrkdwn: string): ReadText {
  const links = [...mrkdwn.matchAll(/<(https?:[^|>]+)\|/g)].map(([, href = '']) => href)
  // In code nothing means anything.
  const rest = mrkdwn.replaceAll(/<https?:[^|>]+\|/g, '<|').replaceAll(/`[^`\n]*`/g, '``')
  return {
    mentions: (rest.match(/<[@#!]|@(?:here|channel|everyone)|(?<!&lt;|<)[@#]\w/g) ?? []).length,
    links: [...links, ...(rest.match(/https?:\/\/\S+/g) ?? [])],
    styles:
      (rest.match(/[*~`]/g) ?? []).length +
      // Within a word it begins no style.
      (rest.match(/(?<![a-z0-9])_/gi) ?? []).length +
      (rest.match(/:[\w+'-]+:/g) ?? []).length +
      (rest.match(/^(?:>|&gt;)/gm) ?? []).length,
  }
}

function withoutMarks(mrkdwn: string): string {
  return mrkdwn.replaceAll(/<https?:[^|>]+\|([^>]*)>/g, '$1').replaceAll(/[*`]/g, '')
}
