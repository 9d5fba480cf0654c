import { nearestName } from '@signalbox/contract'
import { parseArgs } from 'node:util'
import { UsageError } from './command.ts'

const options = {
  json: { type: 'boolean', default: false },
  force: { type: 'boolean', default: false },
  chain: { type: 'string' },
  action: { type: 'string' },
  limit: { type: 'string' },
  help: { type: 'boolean', short: 'h', default: false },
  version: { type: 'boolean', default: false },
} as const

const typesByName: ReadonlyMap<string, string> = new Map(
  Object.entries(options).map(([name, { type }]) => [name, type]),
)

const helpAdvice = 'signalbox-server --help'

/**
 * Splits the arguments of the process into words and flags.
 *
 * @throws {UsageError} that names the first flag that no command takes, or whose value is missing or too many.
 */
export function readArguments(args: readonly string[]) {
  // Node's own errors tell how to write a word that begins with "-", which no command of this program takes.
  const { tokens } = parseArgs({
    args: [...args],
    options,
    allowPositionals: true,
    strict: false,
    tokens: true,
  })
  for (const token of tokens) if (token.kind === 'option') refuseFlag(token)
  return parseArgs({ args: [...args], options, allowPositionals: true })
}

interface Flag {
  readonly name: string
  /** Holds the flag as it was typed. Example: `--verson`. */
  readonly rawName: string
  readonly value?: string | undefined
}

function refuseFlag({ name, rawName, value }: Flag): void {
  const type = typesByName.get(name)
  if (type === undefined) {
    const near = nearestName(name, typesByName.keys())
    const advice = near === undefined ? helpAdvice : `Did you mean --${near}?`
    throw new UsageError(`There is no flag ${rawName}.`, advice)
  }
  if (type === 'boolean' && value !== undefined) {
    throw new UsageError(`${rawName} takes no value.`, helpAdvice)
  }
  // A value that begins with "-" is more likely the next flag.
  if (type === 'string' && (value === undefined || value.startsWith('-'))) {
    throw new UsageError(`${rawName} needs a value.`, helpAdvice)
  }
}
