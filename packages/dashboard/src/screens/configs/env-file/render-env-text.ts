import {
  findNameCollisions,
  parseEnvText,
  toVariableText,
  variableNameOf,
  type ConfigValue,
} from '@signalbox/contract'

/** Describes a line to write: a key with its value, and the variable that the definition names. */
export interface EnvValue {
  readonly key: string
  readonly value: ConfigValue
  readonly variable?: string | undefined
}

/** Describes an env file, and the keys that it cannot hold. */
export interface EnvText {
  readonly text: string
  /** Lists the keys whose value cannot be quoted, or whose variable another key has as well. */
  readonly leftOut: readonly string[]
}

const plain = /^[\w./:@%+,-][\w./:@%+,=-]*$/

/** Returns values as a file that dotenv reads back unchanged. Values that it would change are left out and listed. */
export function renderEnvText(values: readonly EnvValue[]): EnvText {
  const names = new Map(values.map(({ key, variable }) => [key, variableNameOf(key, variable)]))
  const shared = new Set(
    [...findNameCollisions(names.keys(), (key) => names.get(key) ?? key).values()].flat(),
  )
  const lines: string[] = []
  const leftOut: string[] = []
  for (const { key, value } of values) {
    const encoded = shared.has(key) ? undefined : encode(toVariableText(value))
    if (encoded === undefined) leftOut.push(key)
    else lines.push(`${names.get(key)}=${encoded}`)
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
