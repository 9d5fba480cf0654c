import {
  controlsPrograms,
  findKeyNameViolation,
  findPublishedSecret,
  limits,
  toEnvName,
  toKeyName,
  variableNameOf,
  variablePattern,
  type ImportIssue,
  type Tier,
} from '@signalbox/contract'
import type { ImportedKey, LeftOutKey, ReadExport } from '../importer.ts'
import { guessTier, toTyped } from './guess-tier.ts'
import { toShort, type ReadVariables, type ToIssue, type Variable } from './variable.ts'

/** Matches the variables that other products add to what they export, and those of this one. */
const platformName = /^(?:(?:DOPPLER|VERCEL|TURBO|SIGNALBOX)_.*|VERCEL|NX_DAEMON)$/

/** Holds what variables become keys with. */
export interface ToKeys {
  readonly environment: string
  readonly toIssue: ToIssue
  /** Says how much an empty value matters: `high` where the source shows secrets as empty. */
  readonly empty?: 'high' | 'medium'
}

/** Turns variables into keys of one environment, with guessed tiers and types. Two names that become one key are left out. */
export function toReadExport({ variables, leftOut }: ReadVariables, to: ToKeys): ReadExport {
  const judged = variables.map((variable) => ({ variable, violation: findViolation(variable, to) }))
  const whole = judged.flatMap(({ variable, violation }) =>
    violation === undefined ? [variable] : [],
  )
  const sharing = findSharing(whole)
  const keys: ImportedKey[] = []
  const all: LeftOutKey[] = [...leftOut]
  for (const { variable, violation } of judged) {
    const others = sharing(variable)
    const issue = violation ?? (others.length > 0 ? toCollision(variable, others, to) : undefined)
    if (issue === undefined) keys.push(toKey(variable, to))
    else all.push({ from: toShort(variable.from), issues: [issue] })
  }
  return { keys, leftOut: all }
}

/** Returns a function that lists the other variables whose key is the same, or differs only in case, or becomes the same variable. */
function findSharing(variables: readonly Variable[]): (variable: Variable) => readonly Variable[] {
  const byIdentity = new Map<string, Variable[]>()
  for (const variable of variables) {
    for (const identity of identify(variable)) {
      byIdentity.set(identity, [...(byIdentity.get(identity) ?? []), variable])
    }
  }
  return (variable) => {
    const sharing = identify(variable).flatMap((identity) => byIdentity.get(identity) ?? [])
    return [...new Set(sharing)].filter((other) => other !== variable)
  }
}

function identify({ name }: Variable): readonly string[] {
  const key = toKeyName(name)
  const served = variableNameOf(key, findVariable(name, 'public'))
  return [key.toLowerCase(), `=${served.toUpperCase()}`]
}

/**
 * Returns the variable that a key declares to keep the name that it came with; `undefined` where its own name becomes that one,
 * or it can't.
 */
function findVariable(name: string, tier: Tier): string | undefined {
  if (toEnvName(toKeyName(name)) === name || !variablePattern.test(name)) return undefined
  return findPublishedSecret({ name, tier }) === undefined ? name : undefined
}

function toCollision(
  { name }: Variable,
  others: readonly Variable[],
  { toIssue }: ToKeys,
): ImportIssue {
  const names = others.slice(0, 3).map(({ from }) => from.slice(0, 80))
  const become = others.length > 1 ? 'become' : 'becomes'
  const cause = `${names.join(' and ')} ${become} the same key, ${toKeyName(name)}, or one that differs only in case.`
  return toIssue('V003', 'high', cause, 'They are left out. Rename one of them there.')
}

function findViolation(
  { name, value }: Variable,
  { toIssue, empty }: ToKeys,
): ImportIssue | undefined {
  if (platformName.test(name)) {
    const cause = 'The platform sets it, not the application.'
    return toIssue('V002', 'low', cause, 'It is left out.')
  }
  if (value === '') {
    const cause =
      empty === 'high'
        ? 'The value is empty. Vercel shows sensitive values as empty.'
        : 'The value is empty.'
    const done = 'It is left out: an empty value is no value.'
    return toIssue('V001', empty ?? 'medium', cause, done)
  }
  // A program that does not know the declared variable reads that of the key.
  if (controlsPrograms(name) || controlsPrograms(toEnvName(toKeyName(name)))) {
    const cause = 'The variable decides how programs start.'
    return toIssue('V004', 'medium', cause, 'It is left out. Set it where the program starts.')
  }
  const violation = findKeyNameViolation(toKeyName(name))
  if (violation !== undefined) {
    return toIssue(
      'V005',
      'high',
      `The name can't become that of a key. ${violation}`,
      'It is left out.',
    )
  }
  if (new TextEncoder().encode(value).length <= limits.stringBytes) return undefined
  const cause = `The value has more than ${limits.stringBytes / 1024} KiB.`
  return toIssue('V009', 'high', cause, 'It is left out.')
}

function toKey(variable: Variable, { environment, toIssue }: ToKeys): ImportedKey {
  const { name, from, value, isSecret, description } = variable
  const { tier, isDoubted } = isSecret
    ? { tier: 'secret' as const, isDoubted: false }
    : guessTier(name, value)
  const issues = [...variable.issues]
  if (tier === 'public') {
    const cause = "Its name and value don't look secret."
    issues.push(toIssue('V006', 'low', cause, 'It becomes public: browsers can read it.'))
  }
  if (isDoubted) {
    const cause = 'A framework publishes the variable, and its value looks like a secret.'
    issues.push(toIssue('V007', 'medium', cause, 'It becomes a secret.'))
  }
  const declared = findVariable(name, tier)
  const served = variableNameOf(toKeyName(name), declared)
  if (served !== name) {
    const cause = "The variable of a key can't have this name."
    issues.push(toIssue('V010', 'low', cause, `Programs get it as ${served}.`))
  }
  const typed = tier === 'public' ? toTyped(value) : { type: 'string' as const, value }
  return {
    key: toKeyName(name),
    from: toShort(from),
    type: typed.type,
    tier,
    ...(declared !== undefined && { variable: declared }),
    ...(description !== undefined && description !== '' && { description }),
    verdict: issues.every(({ severity }) => severity === 'low') ? 'exact' : 'differs',
    values: [{ environment, value: typed.value }],
    issues,
  }
}
