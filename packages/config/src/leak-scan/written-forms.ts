/** Names a form of a secret in a file: unchanged, or encoded. */
export type WrittenForm = 'plain' | 'base64' | 'hex' | 'percent-encoded' | 'HTML'

/** Holds a text in one of the forms in which code may write it. */
export interface WrittenText {
  readonly form: WrittenForm
  readonly text: string
}

/** Returns every encoding of `value` that a file may contain. `readText` handles escapes and concatenation. */
export function writtenForms(value: string): WrittenText[] {
  const bytes = Buffer.from(value)
  const hex = bytes.toString('hex')
  const forms: WrittenText[] = [
    { form: 'plain', text: value },
    { form: 'percent-encoded', text: encodeURIComponent(value.toWellFormed()) },
    { form: 'HTML', text: value.replaceAll(/[&<>"]/g, (letter) => entities[letter] ?? letter) },
    { form: 'hex', text: hex },
    { form: 'hex', text: hex.toUpperCase() },
    ...[0, 1, 2].flatMap((shift) => base64Forms(bytes, shift)),
  ]
  return forms.filter(({ text }, at) => forms.findIndex((other) => other.text === text) === at)
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
}

/**
 * Returns the part of the base64 (RFC 4648 §4, and §5 for URLs) that is certain when `bytes` are at an offset that
 * leaves `shift` when divided by three. Letters that also depend on the neighbours are left out.
 */
function base64Forms(bytes: Buffer, shift: number): WrittenText[] {
  const all = Buffer.concat([Buffer.alloc(shift), bytes])
    .toString('base64')
    .replace(/=+$/, '')
  const start = [0, 2, 3][shift] ?? 0
  const end = (shift + bytes.length) % 3 === 0 ? all.length : all.length - 1
  const text = all.slice(start, end)
  const urlText = text.replaceAll('+', '-').replaceAll('/', '_')
  return [text, urlText].map((each) => ({ form: 'base64', text: each }))
}
