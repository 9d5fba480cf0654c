import type { ImportIssue } from '@signalbox/contract'
import {
  ExportError,
  joinUrl,
  requireEnvironment,
  requireOneEnvironment,
  requireVariable,
  type Importer,
  type LeftOutKey,
  type TokenAccess,
} from '../importer.ts'
import { isObject, parseJson, readList, readText, requireObject } from '../read-json.ts'
import { createShorten, toPath } from './shorten-paths.ts'
import { toReadExport } from './to-read-export.ts'
import { createToIssue, type ToIssue, type Variable } from './variable.ts'

/** Reads Infisical: the list of `infisical export --format=json`, or the answer of the API with raw secrets. */
export const infisical: Importer = {
  source: 'infisical',
  variableCodes: 'INF',
  tokenVariable: 'INFISICAL_TOKEN',
  fromToken: readWithToken,
  fromFile: (text, options) => {
    const environment = requireEnvironment(options, 'An export of Infisical')
    const toIssue = createToIssue('INF')
    const secrets = readSecrets(parseJson(text))
    const shared = secrets.filter(({ isPersonal }) => !isPersonal)
    const shorten = createShorten(
      shared.map(({ folders, name }) => [...folders, name]),
      options.prefix,
    )
    const variables: Variable[] = []
    const leftOut: LeftOutKey[] = []
    for (const secret of secrets) {
      const { folders, name, description } = secret
      const from = [...folders, name].join('/')
      const resolved = secret.isPersonal
        ? { leftOut: toPersonal(secret, shared, toIssue) }
        : resolve(secret, shared, { path: [], toIssue })
      if ('leftOut' in resolved) leftOut.push({ from, issues: [resolved.leftOut] })
      else {
        variables.push({
          name: shorten([...folders, name]),
          from,
          value: resolved.value,
          isSecret: false,
          description,
          issues: resolved.issues,
        })
      }
    }
    return toReadExport({ variables, leftOut }, { environment, toIssue })
  },
}

interface Secret {
  readonly name: string
  readonly folders: readonly string[]
  readonly value: string
  readonly isPersonal: boolean
  /** Says that the token may not read the value, in whose stead there is a text. */
  readonly isHidden: boolean
  readonly description: string
  readonly environment: string
}

function readSecrets(root: unknown): Secret[] {
  const list = isObject(root) && 'secrets' in root ? root['secrets'] : root
  if (!Array.isArray(list)) {
    throw new ExportError(
      'This is no export of Infisical: infisical export --format=json writes a list.',
    )
  }
  return readList(list, 'secrets').map((one, index) => {
    const path = `secrets[${index}]`
    const secret = requireObject(one, path)
    const name = readText(secret['key'] ?? secret['secretKey'], `${path}.key`)
    if (name === '') throw new ExportError(`${path}.key is missing.`)
    return {
      name,
      folders: toPath(readText(secret['secretPath'], `${path}.secretPath`)),
      value: readText(secret['value'] ?? secret['secretValue'], `${path}.value`),
      isPersonal: secret['type'] === 'personal',
      isHidden: secret['secretValueHidden'] === true,
      description: readText(secret['comment'] ?? secret['secretComment'], `${path}.comment`),
      environment: readText(secret['environment'], `${path}.environment`),
    }
  })
}

function toHidden(toIssue: ToIssue): ImportIssue {
  const cause = 'The export has no value: the token may not read it.'
  return toIssue('T006', 'high', cause, 'It is left out.')
}

function toPersonal(secret: Secret, shared: readonly Secret[], toIssue: ToIssue): ImportIssue {
  const hasShared = shared.some(
    ({ name, folders }) => name === secret.name && folders.join('/') === secret.folders.join('/'),
  )
  const cause = hasShared
    ? 'It is the value of one person. The shared value is imported.'
    : 'It is the value of one person, and the export lacks the shared value.'
  const done = hasShared ? 'It is left out.' : 'It is left out. Export without personal values.'
  return toIssue('T005', hasShared ? 'low' : 'high', cause, done)
}

interface Resolving {
  readonly path: readonly Secret[]
  readonly toIssue: ToIssue
}

/** Looks up `${KEY}` in the folder of the secret, and `${environment.folder.KEY}` in the folders of that environment. */
function resolve(
  secret: Secret,
  shared: readonly Secret[],
  { path, toIssue }: Resolving,
): { readonly value: string; readonly issues: ImportIssue[] } | { readonly leftOut: ImportIssue } {
  if (secret.isHidden) return { leftOut: toHidden(toIssue) }
  const parts = secret.value.split(/\$\{([^{}]+)\}/)
  let value = parts[0] ?? ''
  const names: string[] = []
  for (let at = 1; at < parts.length; at += 2) {
    const name = parts[at] ?? ''
    const target = findTarget(name, secret, shared)
    const isLoop = target !== undefined && [...path, secret].includes(target)
    if (target === undefined || isLoop) {
      const cause = isLoop
        ? `The value refers to itself by ${name.slice(0, 200)}.`
        : `The value refers to ${name.slice(0, 200)}, which the export doesn't have.`
      return { leftOut: toIssue('R002', 'high', cause, 'It is left out.') }
    }
    const resolved = resolve(target, shared, { path: [...path, secret], toIssue })
    if ('leftOut' in resolved) return resolved
    names.push(name.slice(0, 80))
    value += resolved.value + (parts[at + 1] ?? '')
  }
  if (names.length === 0) return { value, issues: [] }
  const cause = `The value refers to ${names.slice(0, 4).join(', ')}.`
  const done = "Their values are written into it. A later change of them doesn't reach it."
  return { value, issues: [toIssue('R001', 'low', cause, done)] }
}

function findTarget(
  reference: string,
  { folders, environment }: Secret,
  shared: readonly Secret[],
): Secret | undefined {
  const parts = reference.split('.')
  const name = parts.at(-1)
  const isLocal = parts.length === 1
  if (!isLocal && parts[0] !== environment) return undefined
  const folder = (isLocal ? folders : parts.slice(1, -1)).join('/')
  return shared.find((one) => one.name === name && one.folders.join('/') === folder)
}

/** Reads every folder below a path, with what it imports from elsewhere. References are resolved there. */
async function readWithToken(access: TokenAccess): Promise<string> {
  const { env, project, path, ask } = access
  const token = requireVariable(access, 'INFISICAL_TOKEN', 'an access token of a machine identity')
  if (project === undefined) throw new ExportError('Name the id of the project: --project <id>.')
  const environment = requireOneEnvironment(access, 'one environment of Infisical, by its slug')
  const query = new URLSearchParams({
    workspaceId: project,
    environment,
    secretPath: path ?? '/',
    recursive: 'true',
    expandSecretReferences: 'true',
    include_imports: 'true',
  })
  const base = env['INFISICAL_API_URL'] ?? 'https://app.infisical.com/api'
  const url = joinUrl(base, `v3/secrets/raw?${query.toString()}`)
  const answer = requireObject(await ask(url, { authorization: `Bearer ${token}` }), 'The answer')
  const own = readList(answer['secrets'], 'secrets').filter(isObject)
  const imported = readList(answer['imports'], 'imports')
    .filter(isObject)
    .toReversed()
    .flatMap((one) => readList(one['secrets'], 'imports.secrets').filter(isObject))
  const names = new Set(own.map((secret) => secret['secretKey']))
  const secrets = [...own]
  // A secret of the folder itself wins, then the last import.
  for (const secret of imported) {
    if (names.has(secret['secretKey'])) continue
    names.add(secret['secretKey'])
    secrets.push({ ...secret, secretPath: path ?? '/' })
  }
  return JSON.stringify({ secrets })
}
