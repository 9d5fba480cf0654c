import { readEach } from '../alternatives.ts'
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
import { Issues, leaveOut } from '../issues.ts'
import { toKey } from '../one-environment.ts'
import { isObject, parseJson, requireObject, type JsonObject } from '../read-json.ts'
import { readRules } from './rules.ts'

/** Reads features of GrowthBook: what its SDKs receive for one environment. */
export const growthbook: Importer = {
  source: 'growthbook',
  fromFile: readExport,
  tokenVariable: 'GROWTHBOOK_CLIENT_KEY',
  fromToken: readWithToken,
}

const form = 'Use the response of GET /api/features/{clientKey}.'

function readExport(text: string, options: ReadOptions): ReadExport {
  const root = parseJson(text)
  const isSealed = isObject(root) && typeof root['encryptedFeatures'] === 'string'
  if (isSealed && root['encryptedFeatures'] !== '') {
    throw new ExportError(
      'This payload is encrypted. Create an SDK connection without encryption, and import what it answers.',
    )
  }
  if (!isObject(root) || !isObject(root['features'])) {
    throw new ExportError(`This is no payload of GrowthBook: "features" is missing. ${form}`)
  }
  const { features } = root
  const environment = requireEnvironment(options)
  const groups = isObject(root['savedGroups']) ? root['savedGroups'] : {}
  const read = (key: string) => readFeature(key, { features, groups, environment })
  return readEach(
    Object.keys(features).map((key) => [key, () => read(key)] as const),
    'GB-T018',
  )
}

interface Payload {
  readonly features: JsonObject
  readonly groups: JsonObject
  readonly environment: string
}

function readFeature(key: string, { features, groups, environment }: Payload): ImportedKey {
  const path = `features.${key}`
  const feature = requireObject(features[key], path)
  const issues = new Issues()
  const rest = feature['defaultValue'] ?? null
  const steps = readRules(feature['rules'], `${path}.rules`, { key, features, groups, issues })
  if ([rest, ...steps.map(({ serve }) => serve)].includes(null)) {
    const cause = 'The feature has no value for some contexts: each call has its own default.'
    throw leaveOut('GB-T002', cause, 'It is left out. Give it a value, then import again.')
  }
  return toKey({ key, from: key }, 'GB', [{ environment, steps, rest }], issues)
}

/** Reads what an SDK connection receives. Its client key is in GROWTHBOOK_CLIENT_KEY. */
async function readWithToken(access: TokenAccess): Promise<string> {
  const what = 'the client key of an SDK connection, such as sdk-abc123'
  const key = requireVariable(access, 'GROWTHBOOK_CLIENT_KEY', what)
  const host = access.env['GROWTHBOOK_API_HOST'] ?? 'https://cdn.growthbook.io'
  const url = joinUrl(host, `api/features/${encodeURIComponent(key)}`)
  return JSON.stringify(await access.ask(url, {}))
}
