import type { Reader } from '../reader.ts'

/** Reads as Node's `util.parseEnv` and `--env-file` do (Node 20.19 to 24): see src/node_dotenv.cc there. */
export const readNode: Reader = (text) => ({ values: parseNodeEnv(text) })

/** Parses names and values step by step as Node's parser in C++ does. */
export function parseNodeEnv(text: string): Map<string, string> {
  const values = new Map<string, string>()
  let content = trim(text.replaceAll('\r', ''))
  while (content !== '') {
    if (content.startsWith('\n') || content.startsWith('#')) {
      content = afterLine(content)
      continue
    }
    const stop = content.search(/[=\n]/)
    if (stop === -1) break
    if (content[stop] === '\n') {
      content = trim(content.slice(stop + 1))
      continue
    }
    const key = trim(content.slice(0, stop))
    content = content.slice(stop + 1)
    const name = key.startsWith('export ') ? trim(key.slice(7)) : key
    if (name === '' && !/^(\n|$)/.test(content)) {
      content = trim(content)
      continue
    }
    const [value, rest] = takeValue(content)
    // Node 24 reads an empty `export NAME=` as a variable called "export NAME", Node 20 does not.
    if (name === key || !/^(\n|$)/.test(content)) values.set(name, value)
    content = rest
  }
  return values
}

/** Returns the value at the start of `text`, and the text after its line. */
function takeValue(text: string): [value: string, rest: string] {
  if (text === '' || text.startsWith('\n')) return ['', text.slice(1)]
  const content = trim(text)
  if (content === '') return ['', '']
  const quote = content[0] ?? ''
  if (quote === '"' || quote === "'" || quote === '`') return takeQuoted(content, quote)
  const line = content.split('\n', 1)[0] ?? ''
  return [trim(line.split('#', 1)[0] ?? ''), trim(afterLine(content))]
}

/** Without a closing quote below, the line itself is the value. */
function takeQuoted(content: string, quote: string): [value: string, rest: string] {
  const close = content.indexOf(quote, 1)
  if (close === -1) return [content.split('\n', 1)[0] ?? '', trim(afterLine(content))]
  const inside = content.slice(1, close)
  const value = quote === '"' ? inside.replaceAll(String.raw`\n`, '\n') : inside
  return [value, afterLine(content.slice(close + 1))]
}

function afterLine(text: string): string {
  const end = text.indexOf('\n')
  return end === -1 ? '' : text.slice(end + 1)
}

function trim(text: string): string {
  return text.replaceAll(/^[ \t\n]+|[ \t\n]+$/g, '')
}
