import { isOneOf, readEach, type Step } from '../alternatives.ts'
import {
  ExportError,
  type ImportedKey,
  type Importer,
  type ReadExport,
  type ReadOptions,
  type TokenAccess,
  joinUrl,
  requireEnvironment,
  requireVariable,
} from '../importer.ts'
import { Issues } from '../issues.ts'
import { toFlagKey, toFlagValue, toPublicKey } from '../one-environment.ts'
import {
  isObject,
  parseJson,
  readList,
  readText,
  requireObject,
  type JsonObject,
} from '../read-json.ts'
import { readSegment } from './segments.ts'

/** Reads features of Flagsmith: the document of an environment, or the export of its features. */
export const flagsmith: Importer = {
  source: 'flagsmith',
  fromFile: readExport,
  tokenVariable: 'FLAGSMITH_SERVER_KEY',
  fromToken: readWithToken,
}

const forms =
  'Use the response of GET /api/v1/environment-document/, or the export of the features of an environment.'

function readExport(text: string, options: ReadOptions): ReadExport {
  const root = parseJson(text)
  const isDocument = isObject(root) && Array.isArray(root['feature_states'])
  if (!Array.isArray(root) && !isDocument) {
    throw new ExportError(`This is no export of Flagsmith: "feature_states" is missing. ${forms}`)
  }
  const environment = requireEnvironment(options)
  const features = isDocument ? readDocument(root) : readFeatureList(readList(root, ''))
  return readEach(
    features.map((feature) => [feature.name, () => toKey(feature, environment)] as const),
    'FS-T018',
  )
}

/** Describes a feature as it is for everyone, or for a segment or an identity. */
interface State {
  readonly isOn: boolean
  readonly value: unknown
  readonly hasVariants: boolean
}

interface Feature {
  readonly name: string
  readonly base: State
  /** Returns the overrides in the order in which they apply. */
  readonly readOverrides: (
    issues: Issues,
  ) => readonly { readonly state: State; readonly step: Step }[]
}

/** The export of features says nothing of segments and identities. */
function readFeatureList(list: readonly unknown[]): Feature[] {
  return list.map((entry, index) => {
    const path = `[${index}]`
    const feature = requireObject(entry, path)
    const name = readText(feature['name'], `${path}.name`)
    if (name === '') throw new ExportError(`${path}.name is missing. ${forms}`)
    if (!('enabled' in feature || 'default_enabled' in feature)) {
      throw new ExportError(`${path}.enabled is missing. ${forms}`)
    }
    const base = {
      isOn: (feature['enabled'] ?? feature['default_enabled']) === true,
      value: feature['value'] ?? feature['initial_value'] ?? null,
      hasVariants: readList(feature['multivariate'], `${path}.multivariate`).length > 0,
    }
    return {
      name,
      base,
      readOverrides(issues) {
        const cause = 'The export of features has no overrides for segments and identities.'
        const action = 'None is imported. The document of the environment has them.'
        issues.medium('FS-T012', cause, action)
        return []
      },
    }
  })
}

function readDocument(root: JsonObject): Feature[] {
  const project = requireObject(root['project'], 'project')
  const segments = readObjects(project['segments'], 'project.segments')
  const identities = readObjects(root['identity_overrides'], 'identity_overrides')
  const environmentKey = readText(root['api_key'], 'api_key')
  return readObjects(root['feature_states'], 'feature_states').map(({ object, path }) => {
    const name = nameOf(object, path)
    return {
      name,
      base: toState(object, path),
      readOverrides: (issues) => [
        ...readIdentities(name, identities),
        ...readSegments(name, segments, { environmentKey, issues }),
      ],
    }
  })
}

interface Located {
  readonly object: JsonObject
  readonly path: string
}

function readObjects(value: unknown, path: string): Located[] {
  return readList(value, path).map((entry, index) => {
    const own = `${path}[${index}]`
    return { object: requireObject(entry, own), path: own }
  })
}

function nameOf(state: JsonObject, path: string): string {
  const feature = requireObject(state['feature'], `${path}.feature`)
  const name = readText(feature['name'], `${path}.feature.name`)
  if (name === '') throw new ExportError(`${path}.feature.name is missing.`)
  return name
}

function toState(state: JsonObject, path: string): State {
  const variants = `${path}.multivariate_feature_state_values`
  return {
    isOn: state['enabled'] === true,
    value: state['feature_state_value'] ?? null,
    hasVariants: readList(state['multivariate_feature_state_values'], variants).length > 0,
  }
}

function readIdentities(name: string, identities: readonly Located[]) {
  return identities.flatMap(({ object, path }) => {
    const identifier = readText(object['identifier'], `${path}.identifier`)
    return readObjects(object['identity_features'], `${path}.identity_features`)
      .filter((state) => nameOf(state.object, state.path) === name)
      .map((state) => {
        const own = toState(state.object, state.path)
        return {
          state: own,
          step: { test: isOneOf('targetingKey', [identifier]), serve: own.isOn },
        }
      })
  })
}

interface Around {
  readonly environmentKey: string
  readonly issues: Issues
}

function readSegments(name: string, segments: readonly Located[], around: Around) {
  return segments
    .flatMap(({ object, path }) =>
      readObjects(object['feature_states'], `${path}.feature_states`)
        .filter((state) => nameOf(state.object, state.path) === name)
        .map((state) => ({ segment: object, path, state, id: Number(object['id']) })),
    )
    .toSorted((one, other) => rankOf(one.state) - rankOf(other.state) || one.id - other.id)
    .map(({ segment, path, state }) => {
      const own = toState(state.object, state.path)
      const description = readText(segment['name'], `${path}.name`)
      const test = readSegment(segment, path, around)
      return { state: own, step: { test, serve: own.isOn, description } }
    })
}

/** Returns the priority of an override. The lowest number applies. */
function rankOf({ object }: Located): number {
  const segment = isObject(object['feature_segment']) ? object['feature_segment'] : {}
  return typeof segment['priority'] === 'number' ? segment['priority'] : Number.MAX_SAFE_INTEGER
}

function toKey({ name, base, readOverrides }: Feature, environment: string): ImportedKey {
  const issues = new Issues()
  const overrides = readOverrides(issues)
  const states = [base, ...overrides.map(({ state }) => state)]
  const hasVariants = states.some((state) => state.hasVariants)
  const hasValue = states.some(({ value }) => value !== null && value !== '')
  const names = { key: name, from: name }
  if (hasValue && base.isOn && overrides.length === 0 && !hasVariants) {
    return toPublicKey(names, 'FS-T021', [{ environment, value: base.value }], issues)
  }
  if (hasValue || hasVariants) {
    const isUnused = !base.isOn && overrides.length === 0
    const cause = hasVariants
      ? 'The feature has several values, for shares of the users.'
      : 'The feature has a value beside on and off.'
    const severity = isUnused ? 'medium' : 'high'
    issues[severity]('FS-T020', cause, 'Whether it is on is imported. Its values are not.')
  }
  const steps = overrides.map(({ step }) => step)
  return toFlagKey(names, [toFlagValue(environment, steps, base.isOn)], issues)
}

const readingsMax = 3

/**
 * Reads the document that SDKs of servers receive. The key is in FLAGSMITH_SERVER_KEY and stays on this machine.
 *
 * @throws {ExportError} for a document that changes between its pages, three times
 */
async function readWithToken(access: TokenAccess): Promise<string> {
  const what = 'a server-side key of one environment, such as ser.abc123'
  const key = requireVariable(access, 'FLAGSMITH_SERVER_KEY', what)
  for (let reading = 1; reading <= readingsMax; reading += 1) {
    const document = await readPages(access, key)
    if (document !== undefined) return JSON.stringify(document)
  }
  throw new ExportError(
    `FS-D002: the environment changed while it was read, ${readingsMax} times. Import again.`,
  )
}

/** Reads every page: each has the same features and more identities. Returns `undefined` when the features changed. */
async function readPages({ env, ask }: TokenAccess, key: string): Promise<JsonObject | undefined> {
  const base = env['FLAGSMITH_API_URL'] ?? 'https://edge.api.flagsmith.com/api/v1'
  const identities = new Map<string, unknown>()
  let document: JsonObject | undefined
  let next: string | undefined = joinUrl(base, 'environment-document/')
  while (next !== undefined) {
    const url = next
    next = undefined
    const answer = await ask(url, { 'x-environment-key': key }, (following) => {
      next = following
    })
    const { identity_overrides: overrides, ...page } = requireObject(answer, 'The document')
    if (document !== undefined && showFeatures(document) !== showFeatures(page)) return undefined
    document ??= page
    for (const identity of readList(overrides, 'identity_overrides')) {
      identities.set(nameIdentity(identity), identity)
    }
  }
  return { ...document, identity_overrides: [...identities.values()] }
}

function showFeatures({ feature_states: states, project }: JsonObject): string {
  return JSON.stringify([states, project])
}

function nameIdentity(identity: unknown): string {
  const name = isObject(identity) ? identity['identifier'] : undefined
  return typeof name === 'string' ? name : JSON.stringify(identity)
}
