import { Problem } from '@signalbox/contract'

const versionTag = /^(?:W\/)?"(0|[1-9]\d{0,14})"$/

/**
 * Parses the version that a writer expects from `If-Match`: `"12"` or `W/"12"` gives 12 (RFC 9110 §13.1.1). `*` and an
 * absent header expect nothing.
 *
 * @throws {Problem} `invalid_header`.
 */
export function parseIfMatch(header: string | undefined): number | undefined {
  if (header === undefined || header.trim() === '*') return undefined
  const version = versionTag.exec(header.trim())?.[1]
  if (version === undefined) {
    const detail = 'If-Match must be one version in double quotes, such as "12", or *.'
    throw new Problem('invalid_header', detail)
  }
  return Number(version)
}

/**
 * Returns the version that a writer expects: from `If-Match`, or the `revision` or `version` of what it sends back.
 *
 * @throws {Problem} `revision_mismatch` when it names two versions, of which one is stale.
 */
export function joinPreconditions(
  ifMatch: number | undefined,
  { revision, version }: Readonly<Record<string, unknown>>,
): number | undefined {
  const sent = revision ?? version
  if (typeof sent !== 'number') return ifMatch
  if (ifMatch === undefined || ifMatch === sent) return sent
  const detail = `If-Match is ${ifMatch}, but the body has revision ${sent}. Read it again, then repeat the change.`
  throw new Problem('revision_mismatch', detail)
}

/** Refuses a change by a caller who has seen another version. @throws {Problem} `revision_mismatch` */
export function requireVersion(current: number, ifMatch: number | undefined): void {
  if (ifMatch === undefined || ifMatch === current) return
  const detail = `It is at version ${current}, not ${ifMatch}. Read it again, then repeat the change.`
  throw new Problem('revision_mismatch', detail)
}

/**
 * Returns whether `If-None-Match` names `etag`, so that nothing needs to be sent (RFC 9110 §13.1.2, weak comparison).
 */
export function matchesEtag(ifNoneMatch: string | undefined, etag: string | undefined): boolean {
  if (ifNoneMatch === undefined || etag === undefined) return false
  if (ifNoneMatch.trim() === '*') return true
  const opaque = etag.replace(/^W\//, '')
  return ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === opaque)
}
