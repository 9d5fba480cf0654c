import {
  ExportError,
  joinUrl,
  requireEnvironment,
  requireVariable,
  type Importer,
  type LeftOutKey,
  type TokenAccess,
} from '../importer.ts'
import { isObject, parseJson } from '../read-json.ts'
import { toReadExport } from './to-read-export.ts'
import { createToIssue, type Variable } from './variable.ts'

/**
 * Reads Doppler: the names with texts of `doppler secrets download --format json`, or with objects, as
 * `doppler secrets --json` and the API list them. References are resolved there already.
 */
export const doppler: Importer = {
  source: 'doppler',
  variableCodes: 'DOP',
  tokenVariable: 'DOPPLER_TOKEN',
  fromToken: readWithToken,
  fromFile: (text, options) => {
    const environment = requireEnvironment(options, 'An export of Doppler')
    const toIssue = createToIssue('DOP')
    const root = parseJson(text)
    const secrets = isObject(root) && isObject(root['secrets']) ? root['secrets'] : root
    if (!isObject(secrets)) {
      throw new ExportError(
        'This is no export of Doppler: doppler secrets download --no-file --format json writes an object.',
      )
    }
    const variables: Variable[] = []
    const leftOut: LeftOutKey[] = []
    for (const [name, member] of Object.entries(secrets)) {
      const isListed = isObject(member) && ('computed' in member || 'raw' in member)
      const value = isListed ? (member['computed'] ?? null) : member
      if (value === null) {
        const cause = 'The export has no value: it is restricted, or the token may not read it.'
        leftOut.push({ from: name, issues: [toIssue('T006', 'high', cause, 'It is left out.')] })
      } else if (typeof value === 'string') {
        variables.push({ name, from: name, value, isSecret: false, issues: [] })
      } else throw new ExportError(`${name} is no text.`)
    }
    return toReadExport({ variables, leftOut }, { environment, toIssue })
  },
}

/** Reads a config. A service token belongs to one; any other token needs the project and the config. */
async function readWithToken({ env, project, environments, ask }: TokenAccess): Promise<string> {
  const token = requireVariable(
    { env },
    'DOPPLER_TOKEN',
    'a service token of one config, such as dp.st.…',
  )
  const [config] = environments
  if (environments.length > 1 || (project === undefined) !== (config === undefined)) {
    throw new ExportError('Name a project and one config: --project shop --environments prd.')
  }
  const query = new URLSearchParams({ format: 'json' })
  if (project !== undefined && config !== undefined) {
    query.set('project', project)
    query.set('config', config)
  }
  const base = env['DOPPLER_API_HOST'] ?? 'https://api.doppler.com'
  const url = joinUrl(base, `v3/configs/config/secrets/download?${query.toString()}`)
  return JSON.stringify(await ask(url, { authorization: `Bearer ${token}` }))
}
