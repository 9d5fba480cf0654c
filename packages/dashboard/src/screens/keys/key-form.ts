import type { FieldError } from '../../api/problem.ts'

const dayMs = 86_400_000

/** Returns the expiry of a key after that many days. `null`: never. */
export function toExpiry(days: string, now: Date): string | null {
  return days === '' ? null : new Date(now.getTime() + Number(days) * dayMs).toISOString()
}

/** Returns the lines that are not empty. `null`: none. */
export function readLines(text: string): string[] | null {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  return lines.length === 0 ? null : lines
}

/** Describes the restrictions of a key. `null`: none. */
export interface Reach {
  readonly environmentIds: string[] | null
  readonly schemaIds: string[] | null
  readonly allowedOrigins: string[] | null
}

/** Reads the restrictions from a form. Only keys for browsers have origins. */
export function readReach(form: FormData, kind: 'b2m' | 'm2m'): Reach {
  const ids = (name: string) => {
    const chosen = form.getAll(name).filter((id) => typeof id === 'string')
    return chosen.length === 0 ? null : chosen
  }
  const origins = form.get('allowedOrigins')
  return {
    environmentIds: ids('environmentIds'),
    schemaIds: ids('schemaIds'),
    allowedOrigins: kind === 'b2m' && typeof origins === 'string' ? readLines(origins) : null,
  }
}

/** Returns the errors of the origins, which share one field, as one text, and their pointers. */
export function findOriginErrors(all: readonly FieldError[] = []) {
  const errors = all.filter(({ pointer }) => pointer.startsWith('/allowedOrigins'))
  return {
    pointers: errors.map(({ pointer }) => pointer),
    text:
      errors.length === 0 ? undefined : [...new Set(errors.map(({ detail }) => detail))].join(' '),
  }
}

interface Named {
  readonly id: string
  readonly name: string
}

/**
 * Returns the options: all known ones, and the selected ones that are unknown, for instance while the list is
 * loading. Otherwise, saving the form would silently lift a restriction.
 */
export function toChoices(known: readonly Named[], chosen: readonly string[] | null): Named[] {
  const unknown = (chosen ?? []).filter((id) => !known.some((one) => one.id === id))
  return [...known, ...unknown.map((id) => ({ id, name: id }))]
}
