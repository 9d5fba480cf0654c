import type { FieldError } from '../../api/problem.ts'
import type { ApiKey } from './api-key.ts'

/** Describes a service account as the form sends it. */
export type ServiceAccount = NonNullable<ApiKey['serviceAccounts']>[number]

/** Holds what a form says about service accounts, or the rows whose keys are not readable. */
export interface ReadServiceAccounts {
  readonly accounts: ServiceAccount[]
  /** Lists the indexes of the rows whose pasted keys are no JWK set. */
  readonly unreadable: readonly number[]
}

/** Names the inputs of a row. All rows have the same names, in order. */
export const accountFields = {
  issuer: 'serviceAccount.issuer',
  namespace: 'serviceAccount.namespace',
  name: 'serviceAccount.name',
  keys: 'serviceAccount.keys',
} as const

/** Reads the service accounts out of a form. Without pasted keys, the server reads them at the issuer. */
export function readServiceAccounts(form: FormData): ReadServiceAccounts {
  const texts = (name: string) =>
    form.getAll(name).map((value) => (typeof value === 'string' ? value.trim() : ''))
  const [namespaces, names, pasted] = [
    texts(accountFields.namespace),
    texts(accountFields.name),
    texts(accountFields.keys),
  ]
  const unreadable: number[] = []
  const accounts = texts(accountFields.issuer).map((issuer, index) => {
    const keys = parseKeys(pasted[index] ?? '')
    if (keys === undefined) unreadable.push(index)
    return {
      issuer,
      namespace: namespaces[index] ?? '',
      name: names[index] ?? '',
      keys: keys ?? null,
    }
  })
  return { accounts, unreadable }
}

/** Returns the pasted keys, `null` for none, `undefined` for a text that is no JWK set. */
function parseKeys(text: string): ServiceAccount['keys'] | undefined {
  if (text === '') return null
  try {
    const parsed: unknown = JSON.parse(text)
    const keys: unknown = Object(parsed).keys
    return Array.isArray(keys) && keys.every((key) => typeof key === 'object' && key !== null)
      ? { keys }
      : undefined
  } catch {
    return undefined
  }
}

/** Returns the pointers of errors about service accounts, which their rows show. */
export function accountPointers(errors: readonly FieldError[] = []): string[] {
  return errors
    .map(({ pointer }) => pointer)
    .filter((pointer) => /^\/serviceAccounts\/\d+\/./.test(pointer))
}

/** Returns the error about one field of a row, or about anything within it. */
export function accountError(
  errors: readonly FieldError[] | undefined,
  index: number,
  field: keyof typeof accountFields,
): string | undefined {
  const path = `/serviceAccounts/${index}/${field}`
  return errors?.find(({ pointer }) => pointer === path || pointer.startsWith(`${path}/`))?.detail
}
