import { toVariableText } from '@signalbox/contract'
import { defineCommand, type FlagValues } from '../../action.ts'
import type { PresentedKey, StoredValue } from '../../api/operations.ts'
import { targetFlags, switchFlag } from '../../cli-context.ts'
import { describeRules, describeValue } from '../../values/describe-value.ts'
import { readPresentedValues, readValues } from '../../values/read-values.ts'
import { countCharacters, describeSecret, fingerprint } from '../../schema/fingerprint.ts'
import type { Session } from '../../session.ts'
import { openSchemaTarget, type SchemaTarget } from '../../target.ts'
import { CliError } from '../../terminal/cli-error.ts'
import { didYouMean } from '../../terminal/nearest.ts'
import { renderTable } from '../../terminal/table.ts'

const getFlags = {
  ...targetFlags,
  reveal: switchFlag('Print the value of a secret; the audit log records it'),
} as const

type GetFlags = FlagValues<typeof getFlags>

async function get(session: Session, flags: GetFlags, key?: string): Promise<void> {
  if (flags.reveal && key === undefined) throw revealsOne()
  const target = await openSchemaTarget(session, flags.env)
  const knownKey = key === undefined ? undefined : requireKey(target, key)
  const stored = await session.progress('Reading the values', () =>
    flags.reveal && knownKey !== undefined
      ? readValues(target, [knownKey])
      : readPresentedValues(target),
  )
  if (knownKey === undefined) return printAll(session, target, stored.values)
  const value = stored.values[knownKey]
  if (value === undefined || value.source === 'missing') throw missing(knownKey, target)
  const isSecret = value.tier === 'secret'
  if (isSecret && !flags.reveal) throw notRevealed(knownKey, value, target)
  if (value.value === undefined) throw unreadable(knownKey)
  session.output.document({
    environment: target.environment.name,
    version: stored.version,
    key: knownKey,
    ...(isSecret ? value : documentOf(value, target.api.token)),
  })
  const rules = describeRules(value)
  if (rules !== undefined)
    session.output.note(`${knownKey} has rules: ${rules}. Standard output has its own value.`)
  session.output.data(toVariableText(value.value))
}

/** Returns the rejection to print a secret. Standard output stays empty: a script would take any other text for the value. */
function notRevealed(
  key: string,
  value: StoredValue,
  { api, environment }: SchemaTarget,
): CliError {
  return new CliError(
    'usage',
    'secret_not_printed',
    `${key} is a secret. It is printed only with --reveal (${describeHidden(value, api.token)}).`,
    {
      advice: `signalbox run --env ${environment.name} -- <command>   gives it to a program\nsignalbox get ${key} --env ${environment.name} --reveal   prints it`,
    },
  )
}

function revealsOne(): CliError {
  return new CliError('usage', 'key_required', '--reveal needs the name of a secret.', {
    advice: 'signalbox get <key> --reveal',
  })
}

function unreadable(key: string): CliError {
  return new CliError('authentication', 'secret_unreadable', `This token may not read ${key}.`, {
    advice: 'signalbox login as a developer, or use a server key that reaches the environment.',
  })
}

/** Returns the key as the schema spells it. @throws {CliError} `unknown_key` with similar names */
export function requireKey({ schema }: SchemaTarget, key: string): string {
  const names = Object.keys(schema.schema)
  const knownKey = names.find((name) => name === key)
  if (knownKey !== undefined) return knownKey
  throw new CliError(
    'validation',
    'unknown_key',
    `The schema ${schema.name} has no key "${key}".`,
    {
      advice: didYouMean(key, names) ?? 'Declare it in the definition file, then: signalbox push',
    },
  )
}

/** Returns the definition of a key of the schema. Throws for any other key: `requireKey` has checked it. */
export function definitionOf({ schema }: SchemaTarget, key: string): PresentedKey {
  const definition = schema.schema[key]
  if (definition === undefined) throw new Error(`${key} is not in the schema`)
  return definition
}

function missing(key: string, { environment }: SchemaTarget): CliError {
  return new CliError('failure', 'value_missing', `${key} has no value in ${environment.name}.`, {
    advice: `signalbox set ${key} --env ${environment.name}`,
  })
}

/** Returns the text for a secret. A person's token sees secrets only on request, which the audit log records. */
function describeHidden({ value }: StoredValue, token: string): string {
  return value === undefined ? 'has a value' : describeSecret(token, value)
}

function documentOf(value: StoredValue | undefined, token: string): Record<string, unknown> {
  if (value === undefined) return { source: 'missing' }
  const { value: content, ...rest } = value
  if (content === undefined) return rest
  if (value.tier !== 'secret') return { ...rest, value: content }
  return { ...rest, length: countCharacters(content), fingerprint: fingerprint(token, content) }
}

function printAll(
  session: Session,
  { api, environment, schema }: SchemaTarget,
  values: Readonly<Record<string, StoredValue>>,
): void {
  const { output } = session
  const names = Object.keys(schema.schema)
  output.document({
    environment: environment.name,
    values: Object.fromEntries(names.map((name) => [name, documentOf(values[name], api.token)])),
  })
  const rows = names.map((name) => {
    const value = values[name]
    return [
      name,
      output.styles.dim(tierWord(schema.schema[name]?.tier)),
      shownValue(value, api.token),
      output.styles.dim(sourceWord(value)),
    ]
  })
  output.data(rows.length === 0 ? 'The schema has no keys.' : renderTable(rows))
}

function shownValue(value: StoredValue | undefined, token: string): string {
  if (value === undefined || value.source === 'missing') return '–'
  if (value.tier === 'secret') return describeHidden(value, token)
  return describeValue(value)
}

function sourceWord(value: StoredValue | undefined): string {
  const source = value?.source ?? 'missing'
  return source === 'set' ? '' : source
}

function tierWord(tier: string | undefined): string {
  return tier === 'featureFlags' ? 'flag' : (tier ?? '')
}

/** Defines `signalbox get`. */
export const getCommand = defineCommand({
  about:
    'Prints the value of a public key or flag. Prints a secret only with --reveal; without it the command exits with 2. Without a key, shows all values: of a flag with rules who gets it, and of each secret the length and a fingerprint.',
  examples: [
    'signalbox get timeoutMs --env staging',
    'signalbox get --env staging',
    'signalbox get newCheckout --json',
    'signalbox get stripeKey --env staging --reveal',
  ],
  flags: getFlags,
  args: [
    {
      brief: 'Name of the key (default: all keys)',
      placeholder: 'key',
      optional: true,
    },
  ],
  run: get,
})
