import {
  toLine,
  type ChatMessage,
  type MessageText,
  type TextRun,
} from '../../chat/chat-message.ts'

/** Returns a message as Example Chat shows it: plain text, in which no address, name or mark means anything. */
export function renderText(message: ChatMessage): string {
  const { summary, facts, sections, footer, links, actions } = message
  const titled = sections.flatMap(({ title, lines }) => [
    ...(title === null ? [] : [title]),
    ...lines,
  ])
  const linked = [...links, ...actions].map((link) => [link])
  return [summary, ...facts, ...linked, ...titled, ...footer].map(renderLine).join('\n')
}

function renderLine(text: MessageText): string {
  return text.map(renderRun).join('')
}

function renderRun(run: TextRun): string {
  if (typeof run === 'string') return run
  switch (run.type) {
    case 'sign':
      return `(${run.tone})`
    case 'quote':
    case 'code':
      return toLine(run.text).slice(0, run.max)
    case 'strong':
      return renderLine(run.text)
    case 'link':
      return run.url === null ? renderLine(run.text) : `${renderLine(run.text)} <${run.url}>`
  }
}
