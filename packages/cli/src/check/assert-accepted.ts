import type { ConfigValue } from '@signalbox/contract'
import { displayPath, findDefinition } from '../definition/find-definition.ts'
import { readDefinition } from '../definition/read-definition.ts'
import { findValueViolations } from '../definition/validate-values.ts'
import type { PresentedKey } from '../api/operations.ts'
import type { Session } from '../session.ts'
import { CliError } from '../terminal/cli-error.ts'
import { assertSound } from './print-check.ts'

/**
 * Refuses a value that `run` would refuse to start a program with. Without a definition file, and for a key that it does
 * not declare, there is no validator to ask. `stored` is the key as the server has it, which `--no-validate` does not get
 * around.
 *
 * @throws {CliError} `invalid_value`, `invalid_definition` and what prevents the definition from loading
 */
export async function assertAccepted(
  session: Session,
  key: string,
  value: ConfigValue,
  stored: Pick<PresentedKey, 'constraints'>,
): Promise<void> {
  const path = await findDefinition(session)
  if (path === undefined) return
  const definition = await session.progress('Loading the definition', () =>
    readDefinition(session, path, key),
  )
  assertSound(session, definition)
  const declared = definition.keys.get(key)
  if (declared === undefined) return
  const keys = new Map([[key, declared]])
  const { invalid } = await findValueViolations({ keys }, { [key]: value })
  const [violation] = invalid
  if (violation === undefined) return
  const { findBrokenRule } = await import('@signalbox/config/extract')
  const isEnforced = findBrokenRule(stored.constraints ?? {}, value) !== undefined
  throw new CliError('validation', 'invalid_value', `${key}: ${violation.detail}`, {
    advice: `Use a value that ${displayPath(session, path)} accepts${isEnforced ? '. The server refuses this one too.' : ', or set it anyway with --no-validate.'}`,
  })
}
