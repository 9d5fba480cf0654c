/** Where OFREP's paths begin: at the root, or below an environment of an organization. */
export interface OfrepBase {
  /** Id or slug. `undefined`: the organization and the environment that the key is restricted to. */
  readonly organization: string | undefined
  /** Id or name. */
  readonly environment: string | undefined
}

/** What one of OFREP's paths asks for. `key` is not decoded. */
export interface OfrepPath extends OfrepBase {
  readonly key: string | undefined
}

const prefixedBeginning = /^\/organizations\/[^/?]*\/environments\/[^/?]*\/ofrep(?:[/?]|$)/
const prefixedPath = /^\/organizations\/([^/]+)\/environments\/([^/]+)(\/ofrep\/.*)$/
const bulkPath = '/ofrep/v1/evaluate/flags'

/** Whether a URL is one of OFREP's, whatever it asks for. */
export function isOfrepPath(url: string): boolean {
  return url.startsWith('/ofrep/') || prefixedBeginning.test(url)
}

/**
 * Reads a path as OFREP 0.3 has them; `undefined` when it is none. A key is everything after the last fixed part, slashes
 * included: `@openfeature/ofrep-provider` 0.1.3 does not encode them.
 *
 * @see https://github.com/open-feature/protocol/blob/main/service/openapi.yaml
 */
export function parseOfrepPath(path: string): OfrepPath | undefined {
  const [, organization, environment, below] = prefixedPath.exec(path) ?? []
  const rest = below ?? path
  if (rest === bulkPath) return { organization, environment, key: undefined }
  if (!rest.startsWith(`${bulkPath}/`) || rest.length === bulkPath.length + 1) return undefined
  return { organization, environment, key: rest.slice(bulkPath.length + 1) }
}
