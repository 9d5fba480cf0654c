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
import { createToIssue, type Variable } from './variable.ts'

/** Matches what KMS makes of a value: parameters that were exported without `--with-decryption`. */
const encrypted = /^AQ[A-Z]CA[A-Za-z0-9+/=]{100,}$/

/** Reads the parameters of `aws ssm get-parameters-by-path`, `get-parameters` or `get-parameter`. */
export const awsSsm: Importer = {
  source: 'aws-ssm',
  variableCodes: 'SSM',
  fromToken: readWithToken,
  fromFile: (text, options) => {
    const environment = requireEnvironment(options, 'An export of Systems Manager')
    const toIssue = createToIssue('SSM')
    const parameters = readParameters(parseJson(text))
    const shorten = createShorten(
      parameters.map(({ name }) => toPath(name)),
      options.prefix,
    )
    const variables: Variable[] = []
    const leftOut: LeftOutKey[] = []
    for (const { name, type, value } of parameters) {
      const isSecret = type === 'SecureString'
      if (isSecret && encrypted.test(value)) {
        const cause = 'The value is still encrypted.'
        const done = 'It is left out. Export again with --with-decryption.'
        leftOut.push({ from: name, issues: [toIssue('T010', 'high', cause, done)] })
        continue
      }
      const cause = 'The parameter is a list of texts.'
      const done = 'It becomes one text with commas.'
      const issues = type === 'StringList' ? [toIssue('T001', 'medium', cause, done)] : []
      variables.push({ name: shorten(toPath(name)), from: name, value, isSecret, issues })
    }
    return toReadExport({ variables, leftOut }, { environment, toIssue })
  },
}

function readParameters(root: unknown) {
  if (!isObject(root) || !('Parameters' in root || 'Parameter' in root)) {
    throw new ExportError(
      'This is no export of Systems Manager: "Parameters" is missing. aws ssm get-parameters-by-path writes it.',
    )
  }
  if (typeof root['NextToken'] === 'string' && root['NextToken'] !== '') {
    throw new ExportError(
      'The export is only a part: it has a NextToken. Export without --max-items.',
    )
  }
  const list = 'Parameter' in root ? [root['Parameter']] : root['Parameters']
  return readList(list, 'Parameters').map((one, index) => {
    const path = `Parameters[${index}]`
    const parameter = requireObject(one, path)
    const name = readText(parameter['Name'], `${path}.Name`)
    if (name === '') throw new ExportError(`${path}.Name is missing.`)
    return {
      name,
      type: readText(parameter['Type'], `${path}.Type`),
      value: readText(parameter['Value'], `${path}.Value`),
    }
  })
}

/** Reads the parameters below a path, decrypted. */
async function readWithToken(access: TokenAccess): Promise<string> {
  const { path } = access
  if (path === undefined) throw new ExportError('Name the path: --path /shop/production.')
  const Parameters = await askAwsPages(
    access,
    { service: 'ssm', target: 'AmazonSSM.GetParametersByPath', list: 'Parameters', name: 'Name' },
    { Path: path, Recursive: true, WithDecryption: true, MaxResults: 10 },
  )
  return JSON.stringify({ Parameters })
}
