import {
  ExportError,
  joinUrl,
  requireEnvironment,
  requireOneEnvironment,
  requireVariable,
  type Importer,
  type LeftOutKey,
  type ReadOptions,
  type ReadExport,
  type TokenAccess,
} from '../importer.ts'
import { isObject, parseJson, readList, readText, requireObject } from '../read-json.ts'
import { readAssignments, toBare, toVariable } from './dotenv.ts'
import { toReadExport } from './to-read-export.ts'
import { createToIssue, type ReadVariables, type Variable } from './variable.ts'

const toIssue = createToIssue('VER')

/**
 * Reads the file of `vercel env pull`, or the list of the API. Values are taken as they are; what is empty may be a sensitive
 * value.
 */
export const vercel: Importer = {
  source: 'vercel',
  variableCodes: 'VER',
  tokenVariable: 'VERCEL_TOKEN',
  fromFile: readExport,
  fromToken: readWithToken,
}

function readExport(text: string, options: ReadOptions): ReadExport {
  const environment = requireEnvironment(options, 'A file of vercel env pull')
  const read = text.trimStart().startsWith('{') ? readEntries(text) : readLines(text)
  return toReadExport(read, { environment, toIssue, empty: 'high' })
}

function readLines(text: string): ReadVariables {
  const { assignments, repeated, bare } = readAssignments(text)
  const names = new Set(repeated)
  return {
    variables: assignments.map((assignment) => toVariable(assignment, names, toIssue)),
    leftOut: bare.map((line) => toBare(line, toIssue)),
  }
}

function readEntries(text: string): ReadVariables {
  const root = parseJson(text)
  if (!isObject(root) || !Array.isArray(root['envs'])) {
    throw new ExportError(
      'This is no export of Vercel: vercel env pull writes NAME="value", and the API a list "envs".',
    )
  }
  const variables: Variable[] = []
  const leftOut: LeftOutKey[] = []
  for (const [index, one] of readList(root['envs'], 'envs').entries()) {
    const path = `envs[${index}]`
    const entry = requireObject(one, path)
    const name = readText(entry['key'], `${path}.key`)
    if (name === '') throw new ExportError(`${path}.key is missing.`)
    const type = readText(entry['type'], `${path}.type`)
    if (readText(entry['gitBranch'], `${path}.gitBranch`) !== '') {
      const cause = 'The value is for one branch.'
      leftOut.push({ from: name, issues: [toIssue('T011', 'low', cause, 'It is left out.')] })
    } else if (type !== 'plain' && type !== 'system' && entry['decrypted'] === false) {
      const cause = 'The export has no value: the token may not read it, or it is sensitive.'
      leftOut.push({ from: name, issues: [toIssue('T006', 'high', cause, 'It is left out.')] })
    } else {
      const value = type === 'sensitive' ? '' : readText(entry['value'], `${path}.value`)
      const description = readText(entry['comment'], `${path}.comment`)
      const isSecret = type === 'sensitive' || type === 'secret'
      variables.push({ name, from: name, value, isSecret, description, issues: [] })
    }
  }
  return { variables, leftOut }
}

/** Reads the variables of a project in one environment: production, preview, development or one of its own. */
async function readWithToken(access: TokenAccess): Promise<string> {
  const { env, project, ask } = access
  const token = requireVariable(access, 'VERCEL_TOKEN', 'a token of your account')
  if (project === undefined) throw new ExportError('Name the project of Vercel: --project <name>.')
  const target = requireOneEnvironment(access, 'one environment of Vercel, such as production')
  const query = new URLSearchParams({ decrypt: 'true' })
  const owner = env['VERCEL_TEAM_ID'] ?? env['VERCEL_ORG_ID'] ?? ''
  if (owner.startsWith('team_')) query.set('teamId', owner)
  const isOwn = !['production', 'preview', 'development'].includes(target)
  if (isOwn) query.set('customEnvironmentSlug', target)
  const base = env['VERCEL_API_URL'] ?? 'https://api.vercel.com'
  const url = joinUrl(base, `v10/projects/${encodeURIComponent(project)}/env?${query.toString()}`)
  const answer = requireObject(await ask(url, { authorization: `Bearer ${token}` }), 'The answer')
  const { pagination } = answer
  if (isObject(pagination) && typeof pagination['next'] === 'number') {
    throw new ExportError('The answer is only a part. Use vercel env pull, and import its file.')
  }
  const envs = readList(answer['envs'], 'envs').filter(isObject)
  const has = (targets: unknown) =>
    Array.isArray(targets) ? targets.includes(target) : targets === target
  return JSON.stringify({ envs: isOwn ? envs : envs.filter((entry) => has(entry['target'])) })
}
