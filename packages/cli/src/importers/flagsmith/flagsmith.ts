import { always, divide, isOneOf, readEach, type Alternatives, type Step } from '../alternatives.ts'
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
import { findPlainType, toFlagKey, toPublicKey } from '../one-environment.ts'
import {
  isObject,
  parseJson,
  readList,
  readNumber,
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
  readonly variants: readonly Variant[]
  /** Holds what is hashed with the user. Absent: the export does not say. */
  readonly dealKey?: string
}

/** Describes a value for a share of the users. */
interface Variant {
  readonly serve: unknown
  readonly percent: number
}

/** Describes for whom a feature has a state of its own. */
interface Override {
  readonly test: Alternatives
  readonly state: State
  readonly description?: string
}

/** Stands for a variant of which an export says nothing. */
const unknown: Variant = { serve: null, percent: 0 }

interface Feature {
  readonly name: string
  readonly base: State
  /** Returns the overrides in the order in which they apply. */
  readonly readOverrides: (issues: Issues) => readonly Override[]
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
      variants: readList(feature['multivariate'], `${path}.multivariate`).map(() => unknown),
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
      base: toState(object, path, environmentKey),
      readOverrides: (issues) => [
        ...readIdentities(name, identities, environmentKey),
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

function toState(state: JsonObject, path: string, environmentKey: string): State {
  const id = state['django_id'] ?? state['featurestate_uuid']
  const own = `${path}.multivariate_feature_state_values`
  return {
    isOn: state['enabled'] === true,
    value: state['feature_state_value'] ?? null,
    variants: readObjects(state['multivariate_feature_state_values'], own)
      .map(({ object, path: at }) => ({ order: orderOf(object), ...readVariant(object, at) }))
      .filter(({ percent }) => percent > 0)
      .toSorted((one, other) => (one.order < other.order ? -1 : 1)),
    ...(typeof (id ?? {}) !== 'object' && { dealKey: `${String(id)},${environmentKey}_` }),
  }
}

function readVariant(variant: JsonObject, path: string): Variant {
  const option = variant['multivariate_feature_option']
  return {
    serve: isObject(option) ? (option['value'] ?? null) : null,
    percent: readNumber(variant['percentage_allocation'], `${path}.percentage_allocation`),
  }
}

/** Returns the place of a variant among its like, as the SDKs have it: its number, or that of its UUID. */
function orderOf({ id, mv_fs_value_uuid: uuid }: JsonObject): number | bigint {
  if (typeof id === 'number') return id
  const digits = typeof uuid === 'string' ? uuid.replaceAll('-', '') : ''
  return /^[\da-f]+$/i.test(digits) ? BigInt(`0x${digits}`) : Number.MAX_VALUE
}

function readIdentities(
  name: string,
  identities: readonly Located[],
  environmentKey: string,
): Override[] {
  return identities.flatMap(({ object, path }) => {
    const identifier = readText(object['identifier'], `${path}.identifier`)
    return readObjects(object['identity_features'], `${path}.identity_features`)
      .filter((state) => nameOf(state.object, state.path) === name)
      .map((state) => ({
        state: toState(state.object, state.path, environmentKey),
        test: isOneOf('targetingKey', [identifier]),
      }))
  })
}

interface Around {
  readonly environmentKey: string
  readonly issues: Issues
}

function readSegments(name: string, segments: readonly Located[], around: Around): Override[] {
  return segments
    .flatMap(({ object, path }) =>
      readObjects(object['feature_states'], `${path}.feature_states`)
        .filter((state) => nameOf(state.object, state.path) === name)
        .map((state) => ({ segment: object, path, state, id: Number(object['id']) })),
    )
    .toSorted((one, other) => rankOf(one.state) - rankOf(other.state) || one.id - other.id)
    .map(({ segment, path, state }) => ({
      state: toState(state.object, state.path, around.environmentKey),
      description: readText(segment['name'], `${path}.name`),
      test: readSegment(segment, path, around),
    }))
}

/** Returns the priority of an override. The lowest number applies. */
function rankOf({ object }: Located): number {
  const segment = isObject(object['feature_segment']) ? object['feature_segment'] : {}
  return typeof segment['priority'] === 'number' ? segment['priority'] : Number.MAX_SAFE_INTEGER
}

function toKey({ name, base, readOverrides }: Feature, environment: string): ImportedKey {
  const issues = new Issues()
  const overrides = readOverrides(issues)
  const names = { key: name, from: name }
  const states = [base, ...overrides.map(({ state }) => state)]
  const hasVariants = states.some(({ variants }) => variants.length > 0)
  const hasValue = states.some(({ value }) => value !== null && value !== '')
  const isEachOn = states.every(({ isOn }) => isOn)
  const isConstant = overrides.length === 0 && !hasVariants
  if (hasValue && isEachOn && (isConstant || canServe(states))) {
    const whole = { test: always, state: base }
    const steps = [...overrides, whole].flatMap(toValueSteps)
    return toPublicKey(names, 'FS', [{ environment, steps, rest: base.value }], issues)
  }
  if (hasValue || hasVariants) {
    const isUnused = !base.isOn && overrides.length === 0
    const cause = hasVariants
      ? 'The feature has several values, for shares of the users.'
      : 'The feature has a value beside on and off.'
    const severity = isUnused ? 'medium' : 'high'
    issues[severity]('FS-T020', cause, 'Whether it is on is imported. Its values are not.')
  }
  const steps = overrides.map(({ test, state, description }) => ({
    test,
    serve: state.isOn,
    description,
  }))
  return toFlagKey(names, [{ environment, steps, rest: base.isOn }], issues)
}

/** Returns whether rules can serve what the states have, to the same users. */
function canServe(states: readonly State[]): boolean {
  const values = states.flatMap(({ value, variants }) => [
    value,
    ...variants.map(({ serve }) => serve),
  ])
  const isDealt = states.every(({ variants, dealKey }) => variants.length === 0 || dealKey)
  return isDealt && findPlainType(values) !== undefined
}

/** Returns the steps of the values of a state: those for shares of the users, then that of all others. */
function toValueSteps({ test, state, description }: Override): Step[] {
  const { value, variants, dealKey: key = '' } = state
  const deal = { as: 'flagsmith', key } as const
  return [
    ...divide(variants, { test, attribute: 'targetingKey', deal, description, adjust: withoutEnd }),
    { test, serve: value, description },
  ]
}

/** Counts the steps of Flagsmith's hash. A share of a segment includes its last one, and a share of a value does not. */
const hashSteps = 9998

function withoutEnd(percent: number): number {
  const step = Math.round((percent / 100) * hashSteps)
  const isStep = (step / hashSteps) * 100 === percent
  return isStep && percent < 100 ? Math.round(percent * 1000 - 1) / 1000 : percent
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
