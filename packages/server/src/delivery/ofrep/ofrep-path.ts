/** Describes where OFREP's paths begin: at the root, below an environment of an organization, or below a schema there. */
export interface OfrepBase {
  /** Holds an id or a slug; `undefined`: the organization and the environment that the key is restricted to. */
  readonly organization: string | undefined
  /** Holds an id or a name. */
  readonly environment: string | undefined
  /** Holds an id or a name, for clients whose options have no query. */
  readonly schema: string | undefined
}

/** Describes the request of an OFREP path. `key` is still URL-encoded. */
export interface OfrepPath extends OfrepBase {
  readonly key: string | undefined
}

/**
 * Two slashes are what clients send for a base URL that ends with one: those for Java, Rust and JavaScript append the
 * path as it is.
 */
const rootBeginning = /^\/{1,2}ofrep\//
const prefixedBeginning =
  /^\/organizations\/[^/?]*\/environments\/[^/?]*(?:\/schemas\/[^/?]*)?\/{1,2}ofrep(?:[/?]|$)/
const prefixedPath =
  /^\/organizations\/([^/]+)\/environments\/([^/]+)(?:\/schemas\/([^/]+))?\/?(\/ofrep\/.*)$/
const bulkPath = '/ofrep/v1/evaluate/flags'

/** Returns whether a URL begins like one of OFREP's paths. */
export function isOfrepPath(url: string): boolean {
  return rootBeginning.test(url) || prefixedBeginning.test(url)
}

/**
 * Parses a path of OFREP 0.3; returns `undefined` for any other. A key is everything after the last fixed part, slashes
 * included: `@openfeature/ofrep-provider` 0.1.3 does not encode them.
 *
 * @see https://github.com/open-feature/protocol/blob/main/service/openapi.yaml
 */
export function parseOfrepPath(path: string): OfrepPath | undefined {
  const [, organization, environment, schema, below] = prefixedPath.exec(path) ?? []
  const base = { organization, environment, schema }
  const rest = below ?? (path.startsWith('//') ? path.slice(1) : path)
  if (rest === bulkPath) return { ...base, key: undefined }
  if (!rest.startsWith(`${bulkPath}/`) || rest.length === bulkPath.length + 1) return undefined
  return { ...base, key: rest.slice(bulkPath.length + 1) }
}
