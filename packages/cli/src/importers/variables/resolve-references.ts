import type { ImportIssue } from '@signalbox/contract'
import type { ToIssue } from './variable.ts'

/** Holds what a value becomes when its references are looked up. */
export type Resolved =
  | { readonly value: string; readonly issues: readonly ImportIssue[] }
  | { readonly leftOut: ImportIssue }

/** Holds the values of an export by name. `undefined`: nothing has this name. */
export type LookUp = (
  name: string,
) => { readonly value: string; readonly expands: boolean } | undefined

const reference = /\\\$|\$\{([A-Za-z_]\w*)(?::?-([^{}]*))?\}|\$([A-Za-z_]\w*)|\$\(|\$\{/g

class Unresolved extends Error {
  readonly issue: ImportIssue

  constructor(issue: ImportIssue) {
    super(issue.cause)
    this.issue = issue
  }
}

/**
 * Looks up `${NAME}`, `${NAME:-default}` and `$NAME` in the export, as dotenv-expand does. A value that refers to nothing, to
 * itself without a default, or to a command is left out. `$NAME` without braces that names nothing may be part of a password, and stays.
 */
export function resolveReferences(name: string, lookUp: LookUp, toIssue: ToIssue): Resolved {
  const issues = new Map<string, ImportIssue>()
  const add = (issue: ImportIssue) => issues.set(issue.code, issue)
  const used = new Set<string>()
  const expand = (own: string, path: readonly string[]): string => {
    const variable = lookUp(own)
    if (variable === undefined || !variable.expands) return variable?.value ?? ''
    return variable.value.replaceAll(
      reference,
      (match: string, braced?: string, otherwise?: string, bare?: string) => {
        if (match === String.raw`\$`) return '$'
        const target = braced ?? bare
        if (target === undefined) throw new Unresolved(toUnreadable(match, toIssue))
        const referred = lookUp(target)
        if (path.includes(target)) {
          // Compose takes the variable of the machine here, which no export has.
          if (otherwise !== undefined) return otherwise
          const cause = `The value refers to itself by ${target}.`
          throw new Unresolved(toIssue('R002', 'high', cause, 'It is left out.'))
        }
        if (referred !== undefined && (referred.value !== '' || otherwise === undefined)) {
          used.add(target)
          return expand(target, [...path, target])
        }
        if (otherwise !== undefined) return otherwise
        if (braced === undefined) {
          const cause = `The value has $${target}, which the export doesn't set.`
          add(toIssue('R004', 'medium', cause, 'It is taken as it is.'))
          return match
        }
        const cause = `The value refers to ${target}, which the export doesn't set.`
        throw new Unresolved(toIssue('R002', 'high', cause, 'It is left out.'))
      },
    )
  }
  try {
    const value = expand(name, [name])
    if (used.size > 0) {
      const cause = `The value refers to ${[...used].slice(0, 5).join(', ')}.`
      const done = "Their values are written into it. A later change of them doesn't reach it."
      add(toIssue('R001', 'low', cause, done))
    }
    return { value, issues: [...issues.values()] }
  } catch (error) {
    if (error instanceof Unresolved) return { leftOut: error.issue }
    throw error
  }
}

function toUnreadable(match: string, toIssue: ToIssue): ImportIssue {
  if (match === '$(') {
    const cause = 'The value runs a command.'
    return toIssue('R003', 'high', cause, 'It is left out: commands are never run.')
  }
  return toIssue('R002', 'high', "The value has a reference that can't be read.", 'It is left out.')
}
