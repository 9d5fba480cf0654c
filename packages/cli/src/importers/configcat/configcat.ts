import { readEach } from '../alternatives.ts'
import {
  ExportError,
  joinUrl,
  requireEnvironment,
  requireVariable,
  type ImportedKey,
  type Importer,
  type ReadExport,
  type ReadOptions,
  type TokenAccess,
} from '../importer.ts'
import { Issues } from '../issues.ts'
import { toKey } from '../one-environment.ts'
import { isObject, parseJson, readList, requireObject, type JsonObject } from '../read-json.ts'
import { readTargeting, readValue } from './targeting.ts'

/** Reads feature flags and settings of ConfigCat: the config JSON of one environment that its SDKs receive. */
export const configcat: Importer = {
  source: 'configcat',
  fromFile: readExport,
  tokenVariable: 'CONFIGCAT_SDK_KEY',
  fromToken: readWithToken,
}

const form =
  'Use config_v6.json: the response of GET /configuration-files/{sdkKey}/config_v6.json of the CDN.'

function readExport(text: string, options: ReadOptions): ReadExport {
  const root = parseJson(text)
  if (!isObject(root) || !isObject(root['f'])) {
    throw new ExportError(`This is no config JSON of ConfigCat: "f" is missing. ${form}`)
  }
  const environment = requireEnvironment(options)
  const settings = root['f']
  const segments = readList(root['s'], 's')
  const read = (key: string) => readSetting(key, { settings, segments, environment })
  return readEach(
    Object.keys(settings).map((key) => [key, () => read(key)] as const),
    'CC-T018',
  )
}

interface ConfigJson {
  readonly settings: JsonObject
  readonly segments: readonly unknown[]
  readonly environment: string
}

function readSetting(key: string, { settings, segments, environment }: ConfigJson): ImportedKey {
  const path = `f.${key}`
  const setting = requireObject(settings[key], path)
  const issues = new Issues()
  if (!isObject(setting['v']))
    throw new ExportError(`${path}.v is no object, as version 6 has it. ${form}`)
  const rest = readValue(setting['v'], `${path}.v`)
  if (rest === null) throw new ExportError(`${path}.v has no value. ${form}`)
  const steps = readTargeting(setting, path, { key, settings, segments, issues })
  return toKey({ key, from: key }, 'CC', [{ environment, steps, rest }], issues)
}

/** Reads what SDKs get. A configuration that is kept in the EU names the address there. */
async function readWithToken(access: TokenAccess): Promise<string> {
  const { env, ask } = access
  const key = requireVariable(access, 'CONFIGCAT_SDK_KEY', 'the SDK key of one environment')
  const path = `configuration-files/${key.split('/').map(encodeURIComponent).join('/')}/config_v6.json`
  const own = env['CONFIGCAT_BASE_URL']
  const config = await ask(joinUrl(own ?? 'https://cdn-global.configcat.com', path), {})
  const preferences = isObject(config) && isObject(config['p']) ? config['p'] : {}
  const { u: elsewhere, r: redirects } = preferences
  const isElsewhere = own === undefined && redirects !== 0 && redirects !== undefined
  if (!isElsewhere || typeof elsewhere !== 'string' || !isCdn(elsewhere)) {
    return JSON.stringify(config)
  }
  return JSON.stringify(await ask(joinUrl(elsewhere, path), {}))
}

/** The address holds the key, so it goes to ConfigCat alone. */
function isCdn(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { protocol, hostname } = new URL(url)
  return protocol === 'https:' && /^[a-z0-9-]+\.configcat\.com$/.test(hostname)
}
