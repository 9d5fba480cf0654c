/** Holds an encoded value, or the reason why it cannot be written. */
export type Encoded =
  | { readonly ok: true; readonly text: string; readonly onlyThisReader: boolean }
  | { readonly ok: false; readonly why: string }

/** Writes a value behind the `=`. `undefined`: the program could read another one. */
export type Encoding = (value: string) => string | undefined

/** Describes how values are written for a program. */
export interface EncodingRules {
  readonly name: string
  /** Lists the encodings in the order in which they are tried. */
  readonly encodings: readonly Encoding[]
  /** Says whether a reader runs `$(…)` in a value. */
  readonly executes: boolean
  /** Finds values that other common readers of such a file take for something else. */
  readonly readOtherwise?: RegExp
}

/** Writes a value so that the programs of a dialect read it unchanged, whatever stands below it in the file. */
export function encodeValue(
  { name, encodings, executes, readOtherwise }: EncodingRules,
  value: string,
  allowCommandLike: boolean,
): Encoded {
  if (value.includes('\u0000')) return { ok: false, why: 'it contains a NUL character' }
  if (executes && looksLikeCommand(value) && !allowCommandLike) {
    return {
      ok: false,
      why: 'it contains "$(" or backticks, which a reader of this format would run as a command',
    }
  }
  const texts = isPlain(value) ? [value] : encodings.map((encode) => encode(value))
  const text = texts.find((each) => each !== undefined)
  if (text === undefined) return { ok: false, why: `no way of writing it is safe for ${name}` }
  const onlyThisReader = readOtherwise?.test(value) === true || /^'.*'.+'$/.test(text)
  return { ok: true, text, onlyThisReader: readOtherwise !== undefined && onlyThisReader }
}

/** Returns whether dotenv-expand, dotenvx or a shell could take a part of `value` for a command. */
function looksLikeCommand(value: string): boolean {
  return value.includes('$(') || (value.match(/`/g)?.length ?? 0) >= 2
}

const safe = /^[A-Za-z0-9_./:@%+,-][A-Za-z0-9_./:@%+,=-]*$/

/** Returns whether every program takes `value` unchanged without quotes. */
function isPlain(value: string): boolean {
  return value === '' || safe.test(value)
}

/** Writes a value that none of these characters and texts would change. */
const unless =
  (changed: RegExp, write: (value: string) => string): Encoding =>
  (value) =>
    changed.test(value) ? undefined : write(value)
const lineEnds = (value: string) => value.replaceAll('\n', '\\n').replaceAll('\r', '\\r')
const escape = (value: string, characters: RegExp) => value.replaceAll(characters, '\\$&')

/** Writes the dollars of a value as `\$`, which the programs that replace references take for dollars. */
export const withDollars =
  (encode: Encoding): Encoding =>
  (value) =>
    encode(value.replaceAll('$', String.raw`\$`))

// A backslash before the closing quote escapes it for dotenv.
/** Writes a value between backticks. */
export const backtick = unless(/[`\r]|\\$/, (value) => `\`${value}\``)
/** Writes a value between single quotes. */
export const single = unless(/['\r]|\\$/, (value) => `'${value}'`)
/** Writes a value between single quotes for dotenvx, with those in it escaped. */
export const singleEscaped = unless(/\r|\\$/, (value) => `'${escape(value, /'/g)}'`)
/** Writes a value between double quotes, with its line ends escaped. Node takes carriage returns away, escaped or not. */
export const double = unless(/"|\\$|\\[nrt]/, (value) => `"${lineEnds(value)}"`)
/** Writes a value without quotes, which end at the line or a `#`. */
export const bare = unless(/^[\s'"`]|[#\r\n\u2028\u2029]|\s$/, (value) => value)
/** Writes all three quotes on one line for dotenv, which takes the outermost away where inner ones do not end the line. */
export const outermost = unless(/[#\r\n\u2028\u2029]|\\$/, (value) => `'${value}'`)
/** Writes a value for shells: a backslash before every special character, line breaks unchanged. */
export const doubleShell: Encoding = (value) => `"${escape(value, /[\\"$`]/g)}"`
/** Writes a value for Compose, where a backtick is not special and an unescaped carriage return is lost. */
export const doubleCompose: Encoding = (value) =>
  `"${escape(value, /[\\"$]/g).replaceAll('\r', '\\r')}"`
/** Writes a value for `docker run`, which takes a line as it is, of less than 64 KiB. */
export const wholeLine: Encoding = (value) =>
  /\n|\r$/.test(value) || Buffer.byteLength(value) > 63 * 1024 ? undefined : value
