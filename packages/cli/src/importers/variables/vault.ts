import { ExportError, type Importer, type LeftOutKey, requireEnvironment } from '../importer.ts'
import { isObject, parseJson, type JsonObject } from '../read-json.ts'
import { toReadExport } from './to-read-export.ts'
import { createToIssue, toText, type Variable } from './variable.ts'

/** Reads `vault kv get -format=json` of both versions of the KV engine. Every value is a secret. */
export const vault: Importer = {
  source: 'vault',
  variableCodes: 'VLT',
  fromFile: (text, options) => {
    const environment = requireEnvironment(options, 'A secret of Vault')
    const toIssue = createToIssue('VLT')
    const variables: Variable[] = []
    const leftOut: LeftOutKey[] = []
    for (const [name, value] of Object.entries(readMembers(parseJson(text)))) {
      const read = toText(value, toIssue)
      if ('leftOut' in read) leftOut.push({ from: name, issues: [read.leftOut] })
      else
        variables.push({ name, from: name, value: read.text, isSecret: true, issues: read.issues })
    }
    return toReadExport({ variables, leftOut }, { environment, toIssue })
  },
}

/** Returns the members of a secret. Version 2 has them in `data.data`, beside the metadata of the version; version 1 in `data`. */
function readMembers(root: unknown): JsonObject {
  const data = isObject(root) ? root['data'] : undefined
  if (!isObject(data)) {
    throw new ExportError(
      'This is no secret of Vault: "data" is missing. vault kv get -format=json writes it.',
    )
  }
  const { metadata } = data
  const isVersion2 = isObject(metadata) && 'version' in metadata && 'created_time' in metadata
  if (!isVersion2) return data
  if (isObject(data['data'])) return data['data']
  throw new ExportError(
    'data.data is empty: this version of the secret is deleted. Read another one with -version.',
  )
}
