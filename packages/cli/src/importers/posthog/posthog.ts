import {
  findVariantViolations,
  targetingKey,
  type FlagVariant,
  type ServedVariant,
} from '@signalbox/contract'
import {
  all,
  always,
  divide,
  one,
  readEach,
  type Alternatives,
  type Step,
} from '../alternatives.ts'
import {
  ExportError,
  type ImportedKey,
  type Importer,
  type LeftOutKey,
  type ReadExport,
  type ReadOptions,
  requireEnvironment,
} from '../importer.ts'
import { Issues, leaveOut } from '../issues.ts'
import { toFlagKey } from '../one-environment.ts'
import {
  isObject,
  parseJson,
  readList,
  readNumber,
  readText,
  requireObject,
  type JsonObject,
} from '../read-json.ts'
import { readProperties, type PropertyContext } from './properties.ts'

/** Reads flags of PostHog: the list of its API, or the definitions that its SDKs evaluate. */
export const posthog: Importer = { source: 'posthog', fromFile: readExport }

const forms =
  'Use the response of GET /api/projects/{project}/feature_flags/?limit=1000, or that of GET /flags/definitions?send_cohorts.'

function readExport(text: string, options: ReadOptions): ReadExport {
  const root = parseJson(text)
  const definitions = isObject(root) ? root : { results: root }
  const { results, flags, cohorts: segments, next } = definitions
  const name = results === undefined ? 'flags' : 'results'
  const list = results ?? flags
  if (!Array.isArray(list) || !list.every((flag) => isObject(flag) && isObject(flag['filters']))) {
    throw new ExportError(`This is no export of PostHog: no list of flags has "filters". ${forms}`)
  }
  const around = {
    environment: requireEnvironment(options),
    segments: isObject(segments) ? segments : {},
    isLoose: definitions['property_matching_version'] !== 2,
  }
  const entries = list.map((entry, index) => {
    const path = `${name}[${index}]`
    const flag = requireObject(entry, path)
    const key = readText(flag['key'], `${path}.key`)
    if (key === '') throw new ExportError(`${path}.key is missing.`)
    return [key, () => readFlag(key, flag, { ...around, path })] as const
  })
  const read = readEach(entries, 'PH-T018')
  return typeof next === 'string' ? { ...read, leftOut: [...read.leftOut, nextPage] } : read
}

const nextPage: LeftOutKey = {
  from: 'the next page',
  issues: [
    {
      code: 'PH-D001',
      severity: 'high',
      cause: 'The list has more pages than this one.',
      done: 'Their flags are not imported. Ask for all of them: ?limit=1000.',
    },
  ],
}

interface Around extends Omit<PropertyContext, 'issues'> {
  readonly path: string
  readonly environment: string
}

function readFlag(
  key: string,
  flag: JsonObject,
  { path, environment, ...around }: Around,
): ImportedKey | LeftOutKey {
  if (flag['deleted'] === true) {
    const cause = 'The flag is deleted.'
    const issue = { code: 'PH-T001', severity: 'low', cause, done: 'It is left out.' } as const
    return { from: key, issues: [issue] }
  }
  const filters = requireObject(flag['filters'], `${path}.filters`)
  const issues = new Issues()
  const variants = readVariants(filters, `${path}.filters`, issues)
  const context = { ...around, key, issues, variants, attribute: attributeOf(flag) }
  const steps = flag['active'] === false ? [] : readGroups(flag, filters, path, context)
  if (flag['active'] === false) {
    const cause = 'The flag is switched off; its conditions wait there.'
    issues.low('PH-T003', cause, 'The value is off. The conditions are not imported.')
  }
  const description = readText(flag['name'], `${path}.name`)
  const names = { key, from: key, ...(description !== '' && { description }) }
  return toFlagKey(names, [{ environment, steps, rest: false }], issues, variants?.declared)
}

/** Returns the attribute by which a flag divides. */
function attributeOf({ bucketing_identifier: identifier }: JsonObject): string {
  return identifier === 'device_id' ? '$device_id' : targetingKey
}

interface Variants {
  readonly declared: readonly FlagVariant[]
  readonly parts: readonly { readonly serve: ServedVariant; readonly percent: number }[]
}

/** Names a flag that is off, which has no variant there. */
const off: FlagVariant = { name: 'off', on: false }

/** Returns the variants of a flag. `undefined`: it is on or off. @throws {LeftOut} for names that no variant here can have */
function readVariants(filters: JsonObject, path: string, issues: Issues): Variants | undefined {
  if (isObject(filters['payloads']) && Object.keys(filters['payloads']).length > 0) {
    issues.high('PH-T025', 'The flag has payloads.', 'Its value is imported. Payloads are not.')
  }
  const { multivariate } = filters
  const own = `${path}.multivariate.variants`
  const list = isObject(multivariate) ? readList(multivariate['variants'], own) : []
  if (list.length === 0) return undefined
  const parts = list.map((entry, index) => {
    const variant = requireObject(entry, `${own}[${index}]`)
    return {
      serve: { variant: readText(variant['key'], `${own}[${index}].key`) },
      percent: readNumber(
        variant['rollout_percentage'] ?? 0,
        `${own}[${index}].rollout_percentage`,
      ),
    }
  })
  const declared = [...parts.map(({ serve }) => ({ name: serve.variant, on: true })), off]
  const [violation] = findVariantViolations(declared)
  if (violation === undefined) return { declared, parts }
  const cause = `The flag has variants that can’t be those of a flag here: ${violation.detail}`
  throw leaveOut('PH-T020', cause, 'The flag is left out.')
}

interface GroupContext extends PropertyContext {
  readonly key: string
  readonly attribute: string
  readonly variants: Variants | undefined
}

/** Returns the steps of the condition sets, of which one has to hold. @throws {LeftOut} */
function readGroups(
  flag: JsonObject,
  filters: JsonObject,
  path: string,
  context: GroupContext,
): Step<boolean | ServedVariant>[] {
  requireUsers(filters)
  if (flag['ensure_experience_continuity'] === true) {
    const cause = 'The flag keeps what a visitor had before signing in.'
    const action = 'It goes by the name of the user alone, so some change sides when they sign in.'
    context.issues.medium('PH-T009', cause, action)
  }
  return readList(filters['groups'], `${path}.filters.groups`).flatMap((entry, index) => {
    const own = `${path}.filters.groups[${index}]`
    const group = requireObject(entry, own)
    requireUsers(group)
    const properties = readProperties(group['properties'], `${own}.properties`, context)
    const test = all([properties, readShare(group, own, context)])
    return serveGroup(group, test, context)
  })
}

/** Refuses a flag that does more than to ask for users and to divide them. @throws {LeftOut} */
function requireUsers(filters: JsonObject): void {
  const { aggregation_group_type_index: group, holdout, holdout_groups: holdouts } = filters
  if (group !== undefined && group !== null) {
    throw leaveOut('PH-T012', 'The flag is about groups, such as companies, and not about users.')
  }
  if (isObject(holdout) || (Array.isArray(holdouts) && holdouts.length > 0)) {
    const action = 'The flag is left out. End the holdout, then import again.'
    throw leaveOut('PH-T015', 'A holdout keeps a share of the users out of experiments.', action)
  }
  const early = filters['super_groups']
  if (Array.isArray(early) && early.length > 0) {
    const action = 'The flag is left out. End the early access, then import again.'
    throw leaveOut('PH-T016', 'Users opt in to the flag by early access.', action)
  }
  if (filters['early_exit'] === true) {
    throw leaveOut('PH-T017', 'A user outside of a share ends the evaluation (early_exit).')
  }
}

function readShare(group: JsonObject, path: string, context: GroupContext): Alternatives {
  const percentage = group['rollout_percentage']
  if (percentage === undefined || percentage === null) return always
  const percent = readNumber(percentage, `${path}.rollout_percentage`)
  if (percent >= 100) return always
  const { key, attribute } = context
  const deal = { as: 'posthog', key } as const
  const rounded = Math.round(percent * 1000) / 1000
  return one({ attribute, operator: 'share', percent: rounded, deal })
}

/** Returns who of a set gets which variant: the one that it names, or one by the hash of the user. */
function serveGroup(
  group: JsonObject,
  test: Alternatives,
  { key, attribute, variants }: GroupContext,
): Step<boolean | ServedVariant>[] {
  const description = typeof group['description'] === 'string' ? group['description'] : undefined
  if (variants === undefined) return [{ test, serve: true, description }]
  const { parts } = variants
  const fixed = parts.find(({ serve }) => serve.variant === group['variant'])
  if (fixed !== undefined) return [{ test, serve: fixed.serve, description }]
  const total = parts.reduce((sum, { percent }) => sum + percent, 0)
  if (total < 100) {
    const cause = `The variants of the flag are for ${total}% of its users: the others get true, without a variant.`
    throw leaveOut('PH-T026', cause, 'The flag is left out. Let the shares add up to 100.')
  }
  const used = parts.filter(({ percent }) => percent > 0)
  const deal = { as: 'posthog-variant', key } as const
  const last = used.at(-1)
  const steps = divide(used.slice(0, -1), { test, attribute, deal, description })
  return last === undefined ? steps : [...steps, { test, serve: last.serve, description }]
}
