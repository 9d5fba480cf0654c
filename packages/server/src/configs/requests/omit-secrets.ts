import { toJsonPointer } from '../../http/input/json-pointer.ts'
import type { ChangeOperation, RequestedOperation } from '@signalbox/contract/rest'
import { listOperations } from './operations.ts'

/** Returns whether a key of a schema is a secret. A key that the schema does not have counts as one. */
export type IsSecret = (schemaId: string, key: string) => boolean

/** Describes an operation as anybody may see it. */
export interface RedactedOperation {
  readonly operation: Readonly<Record<string, unknown>>
  /** Lists the paths that hold `null` instead of the value of a secret. Example: `/body/changes/0/set/stripeKey`. */
  readonly omitted: readonly string[]
}

/** Returns an operation without the values of its secrets. */
export function omitSecrets(operation: RequestedOperation, isSecret: IsSecret): RedactedOperation {
  const all = listOperations(operation)
  // One of several changes may declare as a secret what another one sets.
  const declared = new Set(all.flatMap(([each]) => listDeclaredSecrets(each)))
  const isDeclared: IsSecret = (schemaId, key) => declared.has(`${schemaId}/${key}`)
  const paths = all.flatMap(([each, path]) => {
    const isSecretHere: IsSecret =
      each.kind === 'schema'
        ? (_none, key) => isDeclared(each.schemaId, key)
        : (schemaId, key) => isDeclared(schemaId, key) || isSecret(schemaId, key)
    return listSecretPaths(each, isSecretHere).map((below) => [
      ...path.split('/').slice(1),
      ...below,
    ])
  })
  let redacted: unknown = operation
  for (const path of paths) redacted = replaceAt(redacted, path, () => null)
  return { operation: toRecord(redacted), omitted: paths.map(toJsonPointer) }
}

/**
 * Returns an operation in which each `null` at one of the paths has the value that an earlier revision has there, of the same key in
 * the same environment and schema: somewhere else, others could read it.
 */
export function keepOmitted(
  operation: unknown,
  omitted: readonly string[],
  earlier: unknown,
): unknown {
  let filled = operation
  for (const pointer of omitted) {
    const path = fromPointer(pointer)
    if (namesOn(operation, path) !== namesOn(earlier, path)) continue
    filled = replaceAt(filled, path, (value) => (value === null ? findAt(earlier, path) : value))
  }
  return filled
}

type Path = readonly string[]

const names = ['kind', 'id', 'schemaId', 'environmentId', 'schema', 'environment', 'key']

/** Returns what the objects on a path say about whose value it leads to. */
function namesOn(operation: unknown, path: Path): string {
  const objects = path.map((_name, at) => toRecord(findAt(operation, path.slice(0, at))))
  const said = objects.map((object) => names.map((name) => object[name]))
  return JSON.stringify(said, (_key, value: unknown) =>
    typeof value === 'object' && !Array.isArray(value) ? null : value,
  )
}

const pathsOf: {
  readonly [K in ChangeOperation['kind']]?: (
    body: Readonly<Record<string, unknown>>,
    isSecret: IsSecret,
  ) => readonly Path[]
} = {
  values: ({ schemaId, changes }, isSecret) =>
    listAll(changes, ({ set }) => Object.keys(toRecord(set)), 'set')
      .filter((path) => isSecret(String(schemaId), path.at(-1) ?? ''))
      .map((path) => ['changes', ...path]),
  schema({ schema, values }, isSecret) {
    const keys = toRecord(schema)
    const defaults = Object.keys(keys)
      .filter((key) => isSecret('', key) && Object.hasOwn(toRecord(keys[key]), 'default'))
      .map((key) => ['schema', key, 'default'])
    const set = listAll(values, (each) => Object.keys(toRecord(each['set'])), 'set')
      .filter((path) => isSecret('', path.at(-1) ?? ''))
      .map((path) => ['values', ...path])
    return [...defaults, ...set]
  },
  // Where a signal reads often holds a credential. Its effects describe the rest.
  signal: (body) =>
    ['spec', 'authorization', 'clientSecret'].flatMap((name) =>
      Object.hasOwn(body, name) ? [[name]] : [],
    ),
  import({ document }) {
    const { keys } = toRecord(document)
    return toList(keys).flatMap((key, at) => {
      // A document may call public what the schema has as a secret. Reviewers see the values among the effects.
      const { values } = toRecord(key)
      return toList(values).map((_value, index) => {
        return ['document', 'keys', String(at), 'values', String(index), 'value']
      })
    })
  },
}

function listDeclaredSecrets(operation: ChangeOperation): readonly string[] {
  if (operation.kind !== 'schema') return []
  return Object.entries(toRecord(operation.body['schema'])).flatMap(([key, declared]) => {
    const { tier, type } = toRecord(declared)
    const isSecret = tier === 'secret' || (tier === undefined && type !== 'boolean')
    return isSecret ? [`${operation.schemaId}/${key}`] : []
  })
}

function listSecretPaths(operation: ChangeOperation, isSecret: IsSecret): readonly Path[] {
  if (!('body' in operation)) return []
  const secretPaths = pathsOf[operation.kind]?.(operation.body, isSecret) ?? []
  return secretPaths.map((path) => ['body', ...path])
}

/** Lists the paths of the named members of each element of a list: `[index, field, name]`. */
function listAll(
  list: unknown,
  namesOf: (element: Readonly<Record<string, unknown>>) => readonly string[],
  field: string,
): Path[] {
  return toList(list).flatMap((element, at) =>
    namesOf(toRecord(element)).map((name) => [String(at), field, name]),
  )
}

function toRecord(value: unknown): Readonly<Record<string, unknown>> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- members of an object are unknown
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function findAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((within, name) => {
    return Object.hasOwn(toRecord(within), name) ? toRecord(within)[name] : undefined
  }, value)
}

/** Returns a copy in which one path has another value. Where the path does not exist, nothing changes. */
function replaceAt(value: unknown, path: Path, change: (value: unknown) => unknown): unknown {
  const [name, ...rest] = path
  if (name === undefined) return change(value)
  if (!Object.hasOwn(toRecord(value), name)) return value
  if (Array.isArray(value)) {
    return value.map((each, at) => (String(at) === name ? replaceAt(each, rest, change) : each))
  }
  const record = toRecord(value)
  return { ...record, [name]: replaceAt(record[name], rest, change) }
}

function fromPointer(pointer: string): Path {
  const names = pointer.split('/').slice(1)
  return names.map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
}
