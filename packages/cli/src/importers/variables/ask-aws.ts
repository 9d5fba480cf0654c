import { ExportError, requireVariable, type TokenAccess } from '../importer.ts'
import { isObject, readList, requireObject, type JsonObject } from '../read-json.ts'

/** Describes an operation of AWS that answers a list in pages. */
export interface AwsOperation {
  readonly service: 'ssm' | 'secretsmanager'
  /** Names the operation. Example: `AmazonSSM.GetParametersByPath`. */
  readonly target: string
  /** Names the member with the list. */
  readonly list: string
  /** Names what identifies an entry. */
  readonly name: string
}

/**
 * Reads every page of an operation, signed with the credentials of the environment.
 *
 * @throws {ExportError} for an entry that two pages have: it was changed while it was read
 */
export async function askAwsPages(
  access: TokenAccess,
  { service, target, list, name }: AwsOperation,
  query: JsonObject,
  onPage?: (page: JsonObject) => void,
): Promise<readonly JsonObject[]> {
  const url = toEndpoint(access, service)
  const entries = new Map<unknown, JsonObject>()
  let next: unknown
  do {
    const body = JSON.stringify({ ...query, ...(next !== undefined && { NextToken: next }) })
    const headers = await sign(access, { service, target, url, body })
    const page = requireObject(await access.ask(url, headers, undefined, body), 'The answer')
    for (const entry of readList(page[list], list).filter(isObject)) {
      if (entries.has(entry[name])) {
        throw new ExportError(`${String(entry[name])} changed while it was read. Import again.`)
      }
      entries.set(entry[name], entry)
    }
    onPage?.(page)
    next =
      typeof page['NextToken'] === 'string' && page['NextToken'] !== ''
        ? page['NextToken']
        : undefined
  } while (next !== undefined)
  return [...entries.values()]
}

function toEndpoint(access: TokenAccess, service: AwsOperation['service']): string {
  const { env } = access
  const own =
    service === 'ssm' ? env['AWS_ENDPOINT_URL_SSM'] : env['AWS_ENDPOINT_URL_SECRETS_MANAGER']
  const base =
    own ?? env['AWS_ENDPOINT_URL'] ?? `https://${service}.${toRegion(access)}.amazonaws.com`
  return `${base.replace(/\/+$/, '')}/`
}

function toRegion({ env }: TokenAccess): string {
  const region = env['AWS_REGION'] ?? env['AWS_DEFAULT_REGION']
  return region ?? requireVariable({ env }, 'AWS_REGION', 'the region, such as eu-central-1')
}

interface SignedRequest {
  readonly service: string
  readonly target: string
  readonly url: string
  readonly body: string
}

const credentials =
  'credentials of AWS. aws configure export-credentials --format env prints those of a profile'

/** Returns the headers of a request with Signature Version 4. */
async function sign(
  access: TokenAccess,
  { service, target, url, body }: SignedRequest,
): Promise<Record<string, string>> {
  const accessKeyId = requireVariable(access, 'AWS_ACCESS_KEY_ID', credentials)
  const secretAccessKey = requireVariable(access, 'AWS_SECRET_ACCESS_KEY', credentials)
  const sessionToken = access.env['AWS_SESSION_TOKEN'] ?? ''
  const { AwsV4Signer } = await import('aws4fetch')
  const signer = new AwsV4Signer({
    accessKeyId,
    secretAccessKey,
    ...(sessionToken !== '' && { sessionToken }),
    service,
    region: toRegion(access),
    method: 'POST',
    url,
    headers: { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': target },
    body,
  })
  const { headers } = await signer.sign()
  return Object.fromEntries(headers)
}
