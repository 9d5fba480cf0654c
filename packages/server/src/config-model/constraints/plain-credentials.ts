import { findCredential, type ConfigValue, type ProblemLocation } from '@signalbox/contract'
import { toJsonPointer } from '../../http/input/json-pointer.ts'
import type { CurrentValues } from '../current-values.ts'
import type { Definition } from '../definition.ts'
import type { ValueEdit } from '../edit-values.ts'

/** Maps keys to the name of the credential that an open value or what a rule says has the form of. */
type PlainCredentials = ReadonlyMap<
  string,
  { readonly credential: string; readonly part: 'set' | 'rules' }
>

/**
 * Finds open values and rules of an edit that have the form of a known credential. One that the environment holds there already
 * is not found again, so that it can be sent back.
 */
export function findPlainCredentials(
  definition: Definition,
  { openValues }: Pick<CurrentValues, 'openValues'>,
  { set, rules = new Map() }: Pick<ValueEdit, 'set' | 'rules'>,
): PlainCredentials {
  const credentials = new Map<string, { credential: string; part: 'set' | 'rules' }>()
  for (const [key, text] of rules) {
    const credential = text === null ? undefined : findNew(text, openValues[key]?.rules)
    if (credential !== undefined) credentials.set(key, { credential, part: 'rules' })
  }
  for (const [key, value] of set) {
    if (definition.get(key)?.tier === 'secret') continue
    const credential = findNew(value, openValues[key]?.value)
    if (credential !== undefined) credentials.set(key, { credential, part: 'set' })
  }
  return credentials
}

/** Returns the violations of open values and rules that look like credentials, unless the request allows their keys. */
export function findCredentialViolations(
  definition: Definition,
  current: Pick<CurrentValues, 'openValues'>,
  edit: Pick<ValueEdit, 'set' | 'rules'>,
  {
    allowPlain,
    ...paths
  }: {
    readonly allowPlain: ReadonlySet<string>
    readonly set: readonly string[]
    readonly rules: readonly string[]
  },
): ProblemLocation[] {
  return [...findPlainCredentials(definition, current, edit)]
    .filter(([key]) => !allowPlain.has(key))
    .map(([key, { credential, part }]) =>
      looksLikeSecret([...paths[part], key], { key, credential }),
    )
}

/** Finds the defaults of open keys that have the form of a known credential and are not stored already. */
export function findPlainDefaults(
  definition: Definition,
  before: Definition = new Map(),
): ReadonlyMap<string, string> {
  return new Map(
    [...definition].flatMap(([key, rule]) => {
      const credential = findNew(rule.default, before.get(key)?.default)
      return credential === undefined ? [] : [[key, credential] as const]
    }),
  )
}

/** Returns whether a value that a request sends has the form of a known credential. */
export function isPlainCredential(value: unknown): boolean {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text !== undefined && findCredential(text) !== undefined
}

/** Returns the violation of a value that looks like a credential. It never repeats the value. */
export function looksLikeSecret(
  path: readonly string[],
  { key, credential }: { readonly key: string; readonly credential: string },
): ProblemLocation {
  const detail = `This has the form of ${credential}, and everybody may read it here. Move ${key} to the secret tier, or say that it is no secret (in a request: "allowPlain").`
  return { pointer: toJsonPointer(path), code: 'looks_like_secret', detail, key }
}

function findNew(value: ConfigValue | undefined, stored?: ConfigValue): string | undefined {
  const [text, known] = [toText(value), toText(stored)]
  return text === known ? undefined : findCredential(text, known)
}

/** Returns the text that may hold a credential: of an object or a list its JSON. */
function toText(value: ConfigValue | undefined): string {
  if (typeof value === 'string') return value
  return typeof value === 'object' ? JSON.stringify(value) : ''
}
