import { isJsonValue, parseJsonText, type ConfigValue, type ValueType } from '@signalbox/contract'
import { CliError } from '../terminal/cli-error.ts'

const numberForm = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/

/** Parses a text by the type of its key. It is strict: `yes` and `1` are no booleans. @throws {CliError} `type_mismatch` */
export function parseValue(key: string, type: ValueType, text: string): ConfigValue {
  if (type === 'string') return text
  if (type === 'json') return parseJson(key, text)
  const trimmed = text.trim()
  if (type === 'boolean') {
    if (trimmed === 'true' || trimmed === 'false') return trimmed === 'true'
    throw mismatch(key, 'must be a boolean', 'true or false')
  }
  const number = Number(trimmed)
  if (numberForm.test(trimmed) && Number.isFinite(number)) return number
  throw mismatch(key, 'must be a number', 'a number such as 3000 or 0.5')
}

function parseJson(key: string, text: string): ConfigValue {
  const parsed = parseJsonText(text)
  if ('detail' in parsed) {
    const position = `line ${parsed.line}, column ${parsed.column}`
    throw mismatch(key, `is no JSON at ${position}: ${parsed.detail}`, jsonExample)
  }
  if (isJsonValue(parsed.value)) return parsed.value
  throw mismatch(key, 'must be an object or a list', jsonExample)
}

const jsonExample = `JSON such as '{"limit": 5}' or '["a", "b"]'`

function mismatch(key: string, what: string, expected: string): CliError {
  return new CliError('validation', 'type_mismatch', `${key} ${what.replace(/\.$/, '')}.`, {
    advice: `Use ${expected}.`,
  })
}
