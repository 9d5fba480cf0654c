import {
  ExportError,
  requireEnvironment,
  type Importer,
  type LeftOutKey,
  type TokenAccess,
} from '../importer.ts'
import { isObject, parseJson, readList, readText, requireObject } from '../read-json.ts'
import { askAwsPages } from './ask-aws.ts'
import { createShorten, toPath } from './shorten-paths.ts'
import { toReadExport } from './to-read-export.ts'
import { createToIssue, toText } from './variable.ts'

/**
 * Reads `aws secretsmanager get-secret-value` and `batch-get-secret-value`. A secret that is a JSON object becomes one key for
 * each member.
 */
export const awsSecretsManager: Importer = {
  source: 'aws-secrets-manager',
  variableCodes: 'ASM',
  fromToken: readWithToken,
  fromFile: (text, options) => {
    const environment = requireEnvironment(options, 'An export of Secrets Manager')
    const toIssue = createToIssue('ASM')
    const { secrets, refused } = readSecrets(parseJson(text))
    const leftOut: LeftOutKey[] = refused.map((name) => {
      const cause = 'The export has no value: AWS refused it.'
      return { from: name, issues: [toIssue('T006', 'high', cause, 'It is left out.')] }
    })
    const members = secrets.flatMap(({ name, value }) => {
      if (value !== undefined) return toMembers(name, value)
      const issue = toIssue('T002', 'high', 'The secret is binary.', 'It is left out.')
      leftOut.push({ from: name, issues: [issue] })
      return []
    })
    const shorten = createShorten(
      members.map(({ path }) => path),
      options.prefix,
    )
    const variables = members.flatMap(({ path, value }) => {
      const from = path.join('/')
      const read = toText(value, toIssue)
      if ('leftOut' in read) {
        leftOut.push({ from, issues: [read.leftOut] })
        return []
      }
      return [{ name: shorten(path), from, value: read.text, isSecret: true, issues: read.issues }]
    })
    return toReadExport({ variables, leftOut }, { environment, toIssue })
  },
}

/** Returns the members of a secret that holds a JSON object, or the secret itself. */
function toMembers(name: string, text: string): { path: string[]; value: unknown }[] {
  const members = parseMembers(text)
  if (members === undefined) return [{ path: toPath(name), value: text }]
  return Object.entries(members).map(([member, value]) => ({
    path: [...toPath(name), member],
    value,
  }))
}

function parseMembers(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

function readSecrets(root: unknown) {
  const isBatch = isObject(root) && Array.isArray(root['SecretValues'])
  if (!isObject(root) || !(isBatch || 'SecretString' in root || 'SecretBinary' in root)) {
    throw new ExportError(
      'This is no export of Secrets Manager: "SecretString" is missing. aws secretsmanager get-secret-value writes it.',
    )
  }
  if (typeof root['NextToken'] === 'string' && root['NextToken'] !== '') {
    throw new ExportError(
      'The export is only a part: it has a NextToken. Read the other parts too.',
    )
  }
  const list = isBatch ? readList(root['SecretValues'], 'SecretValues') : [root]
  const secrets = list.map((one, index) => {
    const path = isBatch ? `SecretValues[${index}].` : ''
    const secret = requireObject(one, path)
    const name = readText(secret['Name'], `${path}Name`)
    if (name === '') throw new ExportError(`${path}Name is missing.`)
    const hasText = secret['SecretString'] !== undefined && secret['SecretString'] !== null
    const value = hasText ? readText(secret['SecretString'], `${path}SecretString`) : undefined
    return { name, value }
  })
  const refused = readList(root['Errors'], 'Errors').map((one, index) =>
    readText(requireObject(one, `Errors[${index}]`)['SecretId'], `Errors[${index}].SecretId`),
  )
  return { secrets, refused }
}

/** Reads the secrets whose names begin with a text. */
async function readWithToken(access: TokenAccess): Promise<string> {
  const { path } = access
  if (path === undefined) {
    throw new ExportError('Name the secret, or what several begin with: --path shop/production.')
  }
  const Errors: unknown[] = []
  const SecretValues = await askAwsPages(
    access,
    {
      service: 'secretsmanager',
      target: 'secretsmanager.BatchGetSecretValue',
      list: 'SecretValues',
      name: 'Name',
    },
    { Filters: [{ Key: 'name', Values: [path] }] },
    (page) => Errors.push(...readList(page['Errors'], 'Errors')),
  )
  return JSON.stringify({ SecretValues, Errors })
}
