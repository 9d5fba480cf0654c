import type { FieldError } from '../../api/problem.ts'

const dayMs = 86_400_000

/** Returns when a key of so many days ends; `null`: never. */
export function toExpiry(days: string, now: Date): string | null {
  return days === '' ? null : new Date(now.getTime() + Number(days) * dayMs).toISOString()
}

/** Returns the lines that are not empty; `null` when there is none. */
export function readLines(text: string): string[] | null {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  return lines.length === 0 ? null : lines
}

/** Describes what a key is restricted to; `null`: not at all. */
export interface Reach {
  readonly environmentIds: string[] | null
  readonly schemaIds: string[] | null
  readonly allowedOrigins: string[] | null
}

/** Returns what a form says that a key is restricted to. Origins are asked of keys that stand in pages. */
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

/** Returns what is wrong with the origins, one after the other in one field, and where the server says so. */
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
 * Returns what can be chosen: all that is known, and what is chosen already and not known, such as while the list is still on its way.
 * Without it, saving a form would lift a restriction that nobody saw.
 */
export function toChoices(known: readonly Named[], chosen: readonly string[] | null): Named[] {
  const unknown = (chosen ?? []).filter((id) => !known.some((one) => one.id === id))
  return [...known, ...unknown.map((id) => ({ id, name: id }))]
}
