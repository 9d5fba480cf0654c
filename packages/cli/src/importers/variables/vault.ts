import {
  ExportError,
  joinUrl,
  requireEnvironment,
  requireVariable,
  type Importer,
  type LeftOutKey,
  type TokenAccess,
} from '../importer.ts'
import { isObject, parseJson, readText, requireObject, type JsonObject } from '../read-json.ts'
import { toReadExport } from './to-read-export.ts'
import { createToIssue, toText, type Variable } from './variable.ts'

/** Reads `vault kv get -format=json` of both versions of the KV engine. Every value is a secret. */
export const vault: Importer = {
  source: 'vault',
  variableCodes: 'VLT',
  tokenVariable: 'VAULT_TOKEN',
  fromToken: readWithToken,
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

/** Reads one secret of either version of KV: its mount says which. */
async function readWithToken(access: TokenAccess): Promise<string> {
  const { env, path, ask } = access
  const base = requireVariable(
    access,
    'VAULT_ADDR',
    'the address, such as https://vault.example.com',
  )
  const token = requireVariable(access, 'VAULT_TOKEN', 'a token that may read the secret')
  const name = path?.replace(/^\/+|\/+$/g, '') ?? ''
  if (name === '') throw new ExportError('Name the secret: --path secret/shop.')
  const namespace = env['VAULT_NAMESPACE'] ?? ''
  const headers = {
    'x-vault-request': 'true',
    'x-vault-token': token,
    ...(namespace !== '' && { 'x-vault-namespace': namespace }),
  }
  const get = async (address: string) =>
    requireObject(await ask(joinUrl(base, `v1/${address}`), headers), address)
  const mount = requireObject(
    (await get(`sys/internal/ui/mounts/${encodePath(name)}`))['data'],
    'data',
  )
  const prefix = readText(mount['path'], 'data.path')
  const isVersion2 = isObject(mount['options']) && mount['options']['version'] === '2'
  const inside = encodePath(name.slice(prefix.length))
  return JSON.stringify(await get(`${prefix}${isVersion2 ? 'data/' : ''}${inside}`))
}

function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/')
}
