import { text } from 'node:stream/consumers'
import type { ConfigValue } from '@signalbox/contract'
import { defineCommand, type FlagValues } from '../../action.ts'
import { assertAccepted } from '../../check/assert-accepted.ts'
import { proveFlags, targetFlags, switchFlag } from '../../cli-context.ts'
import { confirmValueChange } from '../../changes/confirm.ts'
import { changeFlags, sendConfirmed } from '../../changes/confirmation.ts'
import { parseValue } from '../../schema/parse-value.ts'
import type { Session } from '../../session.ts'
import { openSchemaTarget, type SchemaTarget } from '../../target.ts'
import { chooseLineEnds, type LineEndChoice, lineEndChoices } from '../../values/line-ends.ts'
import { CliError } from '../../terminal/cli-error.ts'
import { printable } from '../../terminal/printable.ts'
import { definitionOf, requireKey } from './get.ts'

const setFlags = {
  ...targetFlags,
  noValidate: switchFlag('Set it without the validator of the definition file'),
  crlf: {
    kind: 'enum',
    values: lineEndChoices,
    optional: true,
    brief: 'Windows line endings in the value: keep them, or convert them to lf',
  },
  allowPlain: switchFlag('Set it although it has the form of a credential: it is no secret'),
  ...changeFlags,
  ...proveFlags,
} as const

type SetFlags = FlagValues<typeof setFlags>

async function set(
  session: Session,
  flags: SetFlags,
  name: string,
  argument?: string,
): Promise<void> {
  const target = await openSchemaTarget(session, flags.env)
  const key = requireKey(target, name)
  const value = await readValueArgument(session, target, key, { argument, crlf: flags.crlf })
  if (!flags.noValidate) await assertAccepted(session, key, value, definitionOf(target, key))
  const { environment, api, organization, schema } = target
  const { output } = session
  const typed = await confirmValueChange(session, target, {
    question: `Set ${key} in ${environment.name}?`,
    confirmed: flags.confirm,
  })
  const stored = await sendConfirmed(session, flags, typed, (confirmation) =>
    session.progress(`Setting ${key}`, () =>
      api.call('setConfigValues', {
        params: { org_id: organization.id },
        body: {
          schemaId: schema.id,
          environmentId: environment.id,
          values: { [key]: value },
          ...(flags.allowPlain === true && { allowPlain: [key] }),
          ...confirmation,
          ...(flags.dryRun ? { dryRun: true } : {}),
        },
      }),
    ),
  )
  output.document({
    environment: environment.name,
    key,
    version: stored.version,
    dryRun: flags.dryRun,
  })
  const assignment =
    definitionOf(target, key).tier === 'secret' ? '' : ` = ${printable(JSON.stringify(value))}`
  if (flags.dryRun)
    output.result(`Would set ${key}${assignment} in ${environment.name}. The value is valid.`)
  else
    output.result(
      `${output.styles.green('✓')} ${key}${assignment}  ${environment.name} v${stored.version}`,
    )
}

interface TypedValue {
  readonly argument: string | undefined
  readonly crlf: LineEndChoice | undefined
}

async function readValueArgument(
  session: Session,
  target: SchemaTarget,
  key: string,
  { argument, crlf }: TypedValue,
): Promise<ConfigValue> {
  const { tier, type } = definitionOf(target, key)
  if (tier === 'secret' && argument !== undefined) throw secretInArguments(key, target)
  const content = argument ?? (await askForValue(session, target, key))
  return parseValue(key, type, chooseLineEnds(key, content, crlf))
}

async function askForValue(session: Session, target: SchemaTarget, key: string): Promise<string> {
  const isSecret = definitionOf(target, key).tier === 'secret'
  if (session.flags.tokenStdin) {
    throw new CliError(
      'usage',
      'value_required',
      `stdin holds the token, so ${key} can't be read from it.`,
      {
        advice: 'Pass the token with SIGNALBOX_TOKEN or signalbox login.',
      },
    )
  }
  if (!session.stdin.isTTY) return readPiped(session, target, key)
  if (session.prompts.blockedBy !== undefined) {
    throw new CliError(
      'usage',
      'value_required',
      `The value of ${key} is missing, and the command can't ask: ${session.prompts.blockedBy}.`,
      {
        advice: `Pipe it: signalbox set ${key} < file`,
      },
    )
  }
  return isSecret
    ? session.prompts.hidden(`Value of ${key}`)
    : session.prompts.text(`Value of ${key}`)
}

/** Reads standard input without one final line break, which `echo` adds. */
async function readPiped({ stdin }: Session, target: SchemaTarget, key: string): Promise<string> {
  const { environment } = target
  const isSecret = definitionOf(target, key).tier === 'secret'
  const content = (await text(stdin)).replace(/\r?\n$/, '')
  if (content !== '') return content
  throw new CliError('usage', 'value_required', `The value of ${key} is missing: stdin is empty.`, {
    advice: isSecret
      ? `signalbox set ${key} --env ${environment.name} < file   reads it from a file that is not empty\non a terminal the command asks for it, without < or |`
      : `signalbox set ${key} <value>, or pipe it. An empty text is set with: signalbox set ${key} ''`,
  })
}

function secretInArguments(key: string, { environment }: SchemaTarget): CliError {
  return new CliError(
    'usage',
    'secret_in_arguments',
    `${key} is a secret, and the shell history and process list would show its value. Don't pass it as an argument.`,
    {
      advice: `signalbox set ${key} --env ${environment.name}          asks for it\nsignalbox set ${key} --env ${environment.name} < file   reads it`,
    },
  )
}

/** Defines `signalbox set`. */
export const setCommand = defineCommand({
  about:
    'Sets one value in one environment, if the validator in the definition file accepts it. Numbers, booleans and JSON are read by the type of the key. Secrets are prompted for without showing them, or piped in.',
  examples: [
    'signalbox set newCheckout true --env staging',
    'signalbox set stripeKey --env production < stripe.key',
    'signalbox set timeoutMs 5000 --comment "slow upstream"',
    `signalbox set banner '{"text": "Sale"}' --env staging`,
  ],
  flags: setFlags,
  args: [
    { brief: 'Name of the key', placeholder: 'key' },
    {
      brief: 'Value; secrets are prompted for or piped in',
      placeholder: 'value',
      optional: true,
    },
  ],
  run: set,
})
