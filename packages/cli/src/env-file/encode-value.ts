import type { Dialect } from './dialects.ts'
import { isPlain } from './encodings.ts'
import type { Reader } from './reader.ts'

/** Holds an encoded value, or the reason why it cannot be written. */
export type Encoded =
  | { readonly ok: true; readonly text: string; readonly onlyThisReader: boolean }
  | { readonly ok: false; readonly why: string }

/** Holds lines that may follow in the file: a value that looks for its closing quote there would swallow them. */
const below = [
  `AFTER_='"\`'`,
  'AFTER_="`\'"',
  `AFTER_='#'`,
  'AFTER_="#"',
  'AFTER_=`#`',
  `AFTER_='x'\nLAST_="x"\nEND_=\`x\``,
] as const

/** Returns whether dotenv-expand, dotenvx or a shell could take a part of `value` for a command. */
function looksLikeCommand(value: string): boolean {
  return value.includes('$(') || (value.match(/`/g)?.length ?? 0) >= 2
}

/** Finds a way of writing `value` that the dialect's reader reads back unchanged. */
export function encodeValue(dialect: Dialect, value: string, allowCommandLike: boolean): Encoded {
  if (value.includes('\u0000')) return { ok: false, why: 'it contains a NUL character' }
  if (dialect.executes && looksLikeCommand(value) && !allowCommandLike) {
    return {
      ok: false,
      why: 'it contains "$(" or backticks, which a reader of this format would run as a command',
    }
  }
  const exact = candidates(dialect, value).filter((text) =>
    isReadBack(dialect.read, dialect, text, value),
  )
  const common = exact.find((text) =>
    dialect.alsoRead.every((read) => isReadBack(read, dialect, text, value)),
  )
  const text = common ?? exact[0]
  if (text === undefined) {
    return { ok: false, why: `no way of writing it is read back unchanged by ${dialect.name}` }
  }
  return { ok: true, text, onlyThisReader: common === undefined }
}

function candidates(dialect: Dialect, value: string): string[] {
  const encoded = dialect.encodings.map((encode) => encode(value))
  return isPlain(value) ? [value, ...encoded] : encoded
}

/** Checks the value by itself, and above lines full of quotes. */
function isReadBack(read: Reader, { assignment }: Dialect, text: string, value: string): boolean {
  const line = `${assignment}NAME_=${text}`
  return ['', ...below].every((lines) => {
    const { values } = read(`BEFORE_=x\n${line}\n${lines}\n`)
    return values.get('NAME_') === value && values.get('BEFORE_') === 'x'
  })
}
