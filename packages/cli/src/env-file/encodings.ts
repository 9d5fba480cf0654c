/** Writes a value behind the `=`. The emulated reader decides whether it can be read back. */
export type Encoding = (value: string) => string

const safe = /^[A-Za-z0-9_./:@%+,-][A-Za-z0-9_./:@%+,=-]*$/

/** Returns whether every reader takes `value` unchanged without quotes. */
export function isPlain(value: string): boolean {
  return value === '' || safe.test(value)
}

const dollars = (value: string) => value.replaceAll('$', String.raw`\$`)
const lineEnds = (value: string) => value.replaceAll('\n', '\\n').replaceAll('\r', '\\r')
const backslashes = (value: string, characters: RegExp) => value.replaceAll(characters, '\\$&')

/** Writes a value without quotes. */
export const raw: Encoding = (value) => value
/** Writes a value without quotes, with its dollars escaped. */
export const rawDollars: Encoding = dollars
/** Writes a value between backticks. */
export const backtick: Encoding = (value) => `\`${value}\``
/** Writes a value between backticks, with its dollars escaped. */
export const backtickDollars: Encoding = (value) => `\`${dollars(value)}\``
/** Writes a value between single quotes. */
export const single: Encoding = (value) => `'${value}'`
/** Writes a value between single quotes, with its dollars escaped. */
export const singleDollars: Encoding = (value) => `'${dollars(value)}'`
/** Writes a value between single quotes, with those in it escaped. */
export const singleEscaped: Encoding = (value) => `'${value.replaceAll("'", String.raw`\'`)}'`
/** Writes a value between double quotes. */
export const double: Encoding = (value) => `"${value}"`
/** Writes a value between double quotes, with its line ends as `\n`. */
export const doubleLineEnds: Encoding = (value) => `"${lineEnds(value)}"`
/** Writes a value between double quotes, with its line ends as `\n` and its dollars escaped. */
export const doubleLineEndsDollars: Encoding = (value) => `"${lineEnds(dollars(value))}"`
/** Writes a value for shells: between double quotes, with a backslash before every special character, line breaks unchanged. */
export const doubleShell: Encoding = (value) => `"${backslashes(value, /[\\"$`]/g)}"`
/** Writes a value for Compose, where a backtick is not special and an unescaped carriage return is lost. */
export const doubleCompose: Encoding = (value) =>
  `"${backslashes(value, /[\\"$]/g).replaceAll('\r', '\\r')}"`
