import { createHash } from 'node:crypto'
import {
  limits,
  Problem,
  takesRules,
  type ConfigValue,
  type Segments,
  type Tier,
  type ValueSource,
} from '@signalbox/contract'
import { takeRandomBytes } from '../crypto/random.ts'
import { isFlag, type Definition, type KeyRule } from './definition.ts'
import type { ResolvedValues } from './resolve-values.ts'
import { fitsWrittenOut, tooManyRulesDetail, turnsOff, writeOutText } from './segment-texts.ts'

/** Names the schema and the environment of a snapshot, by id and by name: the first members of its body. */
export interface SnapshotTarget {
  readonly schemaId: string
  readonly schema: string
  readonly environmentId: string
  readonly environment: string
}

/** Holds the compiled values of the open tiers, which every client may read. Equal contents have equal texts. */
export interface OpenContent {
  /** Canonical JSON without the braces around it: `"public":{…},"featureFlags":{…}`. */
  readonly text: string
  /** The sources of flags and of targeted keys. */
  readonly flagSources: Readonly<Record<string, ValueSource>>
  /** The texts of rules as `PublishedBrowser` has them, in the order of the names of their keys. */
  readonly flagRules: Readonly<Record<string, string>>
  readonly variables: VariableTexts
}

/** Holds the JSON members of the variables that keys declare: those that browsers may know, and all of them. */
interface VariableTexts {
  readonly open: string
  readonly all: string
}

interface TierKeys {
  /** Flags and targeted keys. */
  readonly ruled: readonly NamedKey[]
  readonly public: readonly NamedKey[]
  readonly featureFlags: readonly NamedKey[]
  readonly secret: readonly NamedKey[]
}

interface NamedKey {
  readonly key: string
  /** The name as the beginning of a JSON member. Example: `"stripeKey":`. */
  readonly member: string
  /** The JSON text of the variable that the key declares. */
  readonly variable: string | undefined
  /** The JSON text of the variants that the flag declares. */
  readonly variants: string | undefined
}

const tierKeys = new WeakMap<Definition, TierKeys>()

/** Returns the keys of each tier in the order of their names. Sorts them once for a definition. */
function keysByTier(definition: Definition): TierKeys {
  const known = tierKeys.get(definition)
  if (known !== undefined) return known
  const sorted = [...definition].toSorted(([one], [other]) => (one < other ? -1 : 1))
  const pick = (isPicked: (rule: KeyRule) => boolean): NamedKey[] =>
    sorted
      .filter(([, rule]) => isPicked(rule))
      .map(([key, { variable, variants }]) => ({
        key,
        member: `${JSON.stringify(key)}:`,
        variable: variable && JSON.stringify(variable),
        variants: variants && JSON.stringify(variants),
      }))
  const ofTier = (tier: Tier) => pick((rule) => rule.tier === tier)
  const keys = {
    ruled: pick(takesRules),
    public: ofTier('public'),
    featureFlags: ofTier('featureFlags'),
    secret: ofTier('secret'),
  }
  tierKeys.set(definition, keys)
  return keys
}

interface CompiledBrowser extends Pick<OpenContent, 'flagSources' | 'flagRules'> {
  readonly body: string
  readonly etag: string
}

/** Describes the snapshots of an environment as they are published. */
export interface CompiledSnapshots {
  /** `undefined` where no browser could tell the difference. */
  readonly browser: CompiledBrowser | undefined
  readonly server: { readonly body: string; readonly etag: string; readonly secrets: string }
}

/** Holds what the snapshots of an environment are compiled from. */
export interface CompileSnapshots {
  readonly definition: Definition
  readonly target: SnapshotTarget
  readonly content: OpenContent
  /** The JSON text of each secret that there is. */
  readonly secretTexts: ReadonlyMap<string, string>
  readonly version: number
  /** `undefined`: no browser snapshot is compiled. */
  readonly browserVersion: number | undefined
}

/**
 * Compiles the snapshots of one version of an environment.
 *
 * With rules, a random salt goes into the browser's tag. A node that holds other rules with the same body, because the
 * database was restored, notices that. A tag made of the rules would confirm a guess at them. The server's body
 * contains the version, so its tag differs with the secrets too without being made of them.
 *
 * @throws {Problem} `value_too_large`
 */
export function compileSnapshots(of: CompileSnapshots): CompiledSnapshots {
  const { definition, target, content, version, browserVersion } = of
  const secrets = renderSecretContent(definition, of.secretTexts)
  assertSnapshotSize(target.environment, content, secrets)
  const body = renderServerBody(target, version, content)
  const server = { body, etag: etagOf('server', body), secrets }
  const browser =
    browserVersion === undefined ? undefined : compileBrowser(target, browserVersion, content)
  return { browser, server }
}

function compileBrowser(
  target: SnapshotTarget,
  version: number,
  content: OpenContent,
): CompiledBrowser {
  const { flagSources, flagRules } = content
  const body = renderBody(target, version, withVariables(content, content.variables.open))
  const hasRules = Object.keys(flagRules).length > 0
  const salt = hasRules ? takeRandomBytes(16).toString('base64url') : ''
  return { body, etag: etagOf('browser', body, salt), flagSources, flagRules }
}

/** Names the environment that is rendered, and holds the segments that its rules refer to. */
interface RenderedFor {
  readonly environment: string
  readonly segments: Segments
}

/**
 * Compiles the open tiers, and apart from them the rules with their segments written out. Reads no secret, so none can get
 * in.
 *
 * @throws {Problem} `too_many_rules`, `value_too_large`
 */
export function renderOpenContent(
  definition: Definition,
  resolved: ResolvedValues,
  { environment, segments }: RenderedFor,
): OpenContent {
  const keys = keysByTier(definition)
  const flagSources: Record<string, ValueSource> = {}
  const flagRules: Record<string, string> = {}
  let rulesLength = 0
  for (const { key, variants } of keys.ruled) {
    const { source = 'missing', rules = '[]' } = resolved.get(key) ?? {}
    const isSwitch = isFlag(definition.get(key))
    // A flag without a value is off. Any other key without one has nothing that could be served.
    if (source === 'missing' && !isSwitch) continue
    flagSources[key] = source
    const written = writeOut(key, rules, segments)
    if (written === '[]' && variants === undefined) continue
    const isPlain = isSwitch && variants === undefined
    const text = isPlain ? written : renderTargeting(written, variants)
    flagRules[key] = text
    rulesLength += text.length
    // Stops here: a few bytes of many flags may stand for a large segment each.
    if (rulesLength > limits.flagRulesBytes) throw tooLarge(environment, ...rulesOfFlags)
  }
  const open = (named: readonly NamedKey[]) =>
    renderMembers(named, (key) => renderValue(resolved.get(key)?.value))
  const text = `"public":{${open(keys.public)}},"featureFlags":{${open(keys.featureFlags)}}`
  return { text, flagSources, flagRules, variables: renderVariableNames(keys) }
}

/** Renders what clients get of a targeted key, or of a flag with variants: a `Targeting`. */
function renderTargeting(rules: string, variants: string | undefined): string {
  return `{"rules":${rules}${variants === undefined ? '' : `,"variants":${variants}`}}`
}

function renderVariableNames(keys: TierKeys): VariableTexts {
  const open = [...keys.public, ...keys.featureFlags]
  return { open: renderVariables(open), all: renderVariables([...open, ...keys.secret]) }
}

function renderVariables(keys: readonly NamedKey[]): string {
  return keys
    .flatMap(({ member, variable }) => (variable === undefined ? [] : [member + variable]))
    .join(',')
}

function writeOut(key: string, rules: string, segments: Segments): string {
  // A flag that is turned off is off for everyone. What is kept aside is nothing to clients.
  if (turnsOff(rules)) return '[]'
  if (fitsWrittenOut(rules, segments)) return writeOutText(rules, segments)
  throw new Problem('too_many_rules', `${key}: ${tooManyRulesDetail}`)
}

/** Renders the JSON object of the secrets. `secretTexts` holds the JSON text of each value that there is. */
export function renderSecretContent(
  definition: Definition,
  secretTexts: ReadonlyMap<string, string>,
): string {
  return `{${renderMembers(keysByTier(definition).secret, (key) => secretTexts.get(key))}}`
}

function renderMembers(
  keys: readonly NamedKey[],
  textOf: (key: string) => string | undefined,
): string {
  let members = ''
  for (const { key, member } of keys) {
    const text = textOf(key)
    if (text !== undefined) members += members === '' ? member + text : `,${member}${text}`
  }
  return members
}

function renderValue(value: ConfigValue | undefined): string | undefined {
  return value === undefined ? undefined : JSON.stringify(value)
}

/** Renders the canonical JSON text of a snapshot. The same input gives the same bytes on every node. */
export function renderBody(target: SnapshotTarget, version: number, content: OpenContent): string {
  const { schemaId, schema, environmentId, environment } = target
  const prefix = JSON.stringify({
    format: 1,
    schemaId,
    schema,
    environmentId,
    environment,
    version,
  })
  return `${prefix.slice(0, -1)},${content.text}}`
}

function withVariables(content: OpenContent, variables: string): OpenContent {
  return variables === ''
    ? content
    : { ...content, text: `${content.text},"variables":{${variables}}` }
}

/** Renders the body for servers, which has the rules of the flags as well. */
function renderServerBody(target: SnapshotTarget, version: number, content: OpenContent): string {
  const named = withVariables(content, content.variables.all)
  return renderBody(target, version, { ...named, text: named.text + renderRules(content) })
}

/**
 * Renders the members with rules. Those of plain flags stand apart, because older clients know these alone, and give anything else
 * the value of the environment.
 */
function renderRules({ flagRules }: OpenContent): string {
  const rules = Object.entries(flagRules)
  const plain = rules.filter(([, text]) => text.startsWith('['))
  const targeting = rules.filter(([, text]) => text.startsWith('{'))
  return renderMember('flagRules', plain) + renderMember('targeting', targeting)
}

function renderMember(name: string, rules: readonly (readonly [string, string])[]): string {
  if (rules.length === 0) return ''
  const members = rules.map(([key, text]) => `${JSON.stringify(key)}:${text}`)
  return `,"${name}":{${members.join(',')}}`
}

/**
 * Returns the content of a strong ETag: a hash of the whole body, so equal tags mean equal bytes. The tags of the two
 * audiences differ even where the bodies do not, because a server's answer has the secrets besides. A `salt` makes the
 * tag differ without being in the body.
 */
export function etagOf(audience: 'browser' | 'server', body: string, salt = ''): string {
  return createHash('sha256').update(`${audience}\n${body}${salt}`).digest('base64url').slice(0, 27)
}

/**
 * Refuses a snapshot that is too large for its readers, before it is published.
 *
 * @throws {Problem} `value_too_large`
 */
export function assertSnapshotSize(environment: string, open: OpenContent, secrets: string): void {
  if (Buffer.byteLength(open.text + open.variables.all) > limits.publicSnapshotBytes) {
    throw tooLarge(environment, 'public values and flags', limits.publicSnapshotBytes)
  }
  if (Buffer.byteLength(renderRules(open)) > limits.flagRulesBytes) {
    throw tooLarge(environment, ...rulesOfFlags)
  }
  if (Buffer.byteLength(secrets) > limits.secretSnapshotBytes) {
    throw tooLarge(environment, 'secrets', limits.secretSnapshotBytes)
  }
}

const rulesOfFlags = ['rules of flags', limits.flagRulesBytes] as const

function tooLarge(environment: string, what: string, bytes: number): Problem {
  const detail = `All ${what} of the environment ${environment} together may have ${bytes} bytes. Shorten or delete some.`
  return new Problem('value_too_large', detail)
}
