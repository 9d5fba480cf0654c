import { limits, Problem, type ProblemCode } from '@signalbox/contract'
import type { SignalSpec } from '@signalbox/contract/rest'
import type { Egress } from '../../egress/create-egress.ts'
import { EgressError } from '../../egress/egress-error.ts'
import { placeholders, readTemplate } from './query-template.ts'
import type { Credential } from './credential.ts'
import type { SignalRow } from './signal.ts'

/** Holds the credentials of a request. Left out: they stay. `null`: there is none. */
export interface SentCredentials {
  readonly authorization?: string | null | undefined
  readonly clientSecret?: string | null | undefined
}

/** Returns a refusal of one member of the body. */
export function refuse(pointer: string, detail: string, code: ProblemCode = 'validation_failed') {
  return new Problem(code, detail, { errors: [{ pointer, code, detail }] })
}

/** Refuses the name of another signal, and one signal too many. @throws {Problem} `already_exists`, `quota_exceeded` */
export function requireCapacity(
  signals: readonly Pick<SignalRow, 'id' | 'name'>[],
  { id, name }: Pick<SignalRow, 'id' | 'name'>,
): void {
  const twin = signals.find(
    (other) => other.id !== id && other.name.toLowerCase() === name.toLowerCase(),
  )
  if (twin !== undefined) {
    const detail = `The signal ${twin.name} already exists. Choose another name.`
    throw refuse('/name', detail, 'already_exists')
  }
  if (signals.length < limits.signalsPerOrganization || signals.some((one) => one.id === id)) return
  const detail = `An organization has at most ${limits.signalsPerOrganization} signals. Delete one first.`
  throw new Problem('quota_exceeded', detail)
}

/**
 * Refuses what could never be read: an address that nothing is sent to, a query whose placeholders can't be filled, and limits
 * that no value keeps.
 *
 * @throws {Problem} `validation_failed`
 */
export function requireReadable(egress: Pick<Egress, 'requireSendable'>, spec: SignalSpec): void {
  if ('url' in spec) requireSendable(egress, spec.url)
  if (spec.kind === 'prometheus') {
    requirePlaceholders(spec.query)
    if (spec.timesBefore === undefined) requireLimit(spec, '/spec/above')
    else requireLimit({ ...spec, above: spec.above ?? Infinity }, '/spec/above')
  }
  if (spec.kind === 'http' && spec.expect !== '2xx' && spec.expect.equals === undefined) {
    requireLimit(spec.expect, '/spec/expect/above')
  }
}

interface Limit {
  readonly above?: number | undefined
  readonly below?: number | undefined
}

function requireLimit({ above, below }: Limit, pointer: string): void {
  if (above === undefined && below === undefined)
    throw refuse(pointer, 'Say which values are bad: give "above" or "below".')
  if (above !== undefined && below !== undefined && below > above)
    throw refuse(pointer, 'Every value would be bad: "above" must be at least "below".')
}

function requirePlaceholders(query: string): void {
  const read = readTemplate(query)
  if (!('at' in read)) return
  const names = placeholders.map((name) => `{${name}}`).join(', ')
  const detail = `Character ${read.at + 1} begins ${read.text}. A query takes ${names}, each between the quotes of a label's value, such as env="{environment}".`
  throw refuse('/spec/query', detail)
}

function requireSendable(egress: Pick<Egress, 'requireSendable'>, url: string): void {
  try {
    egress.requireSendable(url)
  } catch (error) {
    if (!(error instanceof EgressError)) throw error
    const what =
      error.code === 'address_forbidden'
        ? 'Use a public address. An operator can allow a private one'
        : 'Use an https address without a password. An operator can allow http for a host'
    throw refuse('/spec/url', `${what} with SIGNALBOX_EGRESS_ALLOW_MEMBERS.`)
  }
}

/** Returns whether alerts are sent to the address of a signal with a secret of ours. */
export function hasSecret(spec: SignalSpec): boolean {
  return spec.kind === 'alert' && spec.format === undefined
}

function credentialOf(spec: SignalSpec): keyof Credential | undefined {
  if ('url' in spec) return 'authorization'
  return spec.kind === 'alert' && spec.format === 'sentry' ? 'clientSecret' : undefined
}

/**
 * Returns the credential of a signal after a change. Members that the request leaves out stay.
 *
 * @throws {Problem} `validation_failed` for one that signals of the kind don't have, and for a missing one of Sentry
 */
export function changeCredential(
  spec: SignalSpec,
  before: Credential,
  sent: SentCredentials,
): Credential {
  const own = credentialOf(spec)
  for (const name of ['authorization', 'clientSecret'] as const) {
    if (name === own || sent[name] === undefined || sent[name] === null) continue
    throw refuse(`/${name}`, 'This kind of signal has none. Leave it out.')
  }
  if (own === undefined) return {}
  const value = sent[own] === undefined ? before[own] : (sent[own] ?? undefined)
  if (own === 'clientSecret' && value === undefined) {
    throw refuse('/clientSecret', 'Send the client secret of the integration at Sentry.')
  }
  return value === undefined ? {} : { [own]: value }
}

/**
 * Refuses a change that makes another signal of one: its readings would be of two. And it refuses to send a stored header to
 * another server, so that nobody can read it that way.
 *
 * @throws {Problem} `validation_failed`
 */
export function requireSameKind(
  before: SignalRow,
  spec: SignalSpec,
  { authorization }: SentCredentials,
): void {
  const was = before.spec
  if (was.kind !== spec.kind)
    throw refuse('/spec/kind', 'A signal keeps its kind. Create another one.')
  if (was.kind === 'alert' && spec.kind === 'alert' && was.format !== spec.format)
    throw refuse('/spec/format', 'A signal keeps its format. Create another one.')
  if (!('url' in was) || !('url' in spec)) return
  if (before.sealed === null || authorization !== undefined) return
  if (new URL(was.url).origin === new URL(spec.url).origin) return
  const detail =
    'The new address is on another server. Send its Authorization header, or null to send none.'
  throw refuse('/authorization', detail)
}
