import { parseEnvText, toEnvName, type ConfigValue } from '@signalbox/contract'

/** Describes an env file, and the keys that it cannot hold. */
export interface EnvText {
  readonly text: string
  /** Lists the keys whose value cannot be quoted, or whose variable another key has as well. */
  readonly leftOut: readonly string[]
}

const plain = /^[\w./:@%+,-][\w./:@%+,=-]*$/

/** Returns values as a file that dotenv reads back unchanged. Values that it would change are left out and listed. */
export function renderEnvText(
  values: readonly (readonly [key: string, value: ConfigValue])[],
): EnvText {
  const names = new Map<string, number>()
  for (const [key] of values) names.set(toEnvName(key), (names.get(toEnvName(key)) ?? 0) + 1)
  const lines: string[] = []
  const leftOut: string[] = []
  for (const [key, value] of values) {
    const name = toEnvName(key)
    const encoded = names.get(name) === 1 ? encode(String(value)) : undefined
    if (encoded === undefined) leftOut.push(key)
    else lines.push(`${name}=${encoded}`)
  }
  return { text: lines.map((line) => `${line}\n`).join(''), leftOut }
}

/** Returns the first encoding that dotenv reads back as the same value, also above other lines. */
function encode(value: string): string | undefined {
  const escaped = value.replaceAll('\n', '\\n').replaceAll('\r', '\\r')
  const ways = [
    ...(value === '' || plain.test(value) ? [value] : []),
    `'${value}'`,
    `"${escaped}"`,
    `\`${value}\``,
  ]
  return ways.find((way) => {
    const { assignments } = parseEnvText(`NAME=${way}\nNEXT='"\`'\n`)
    return assignments.length === 2 && assignments[0]?.value === value
  })
}
