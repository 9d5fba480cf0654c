import { createHash } from 'node:crypto'
import type { RawAnswer } from '../input/endpoint-request.ts'
import { matchesEtag } from '../admission/preconditions.ts'

/** Holds bytes that are the same for every caller, and their ETag. */
export interface TaggedAnswer {
  readonly headers: Readonly<Record<string, string>>
  readonly etag: string
  readonly body: Buffer
}

/** Derives the ETag of `body` from its content. */
export function tagAnswer(body: Buffer, headers: Readonly<Record<string, string>>): TaggedAnswer {
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
  return { headers: { ...headers, ETag: etag }, etag, body }
}

/** Returns a 304 when `If-None-Match` names these bytes, otherwise all of them. */
export function answerTagged(
  { headers, etag, body }: TaggedAnswer,
  ifNoneMatch: string | undefined,
): RawAnswer {
  return matchesEtag(ifNoneMatch, etag)
    ? { status: 304, headers, body: '' }
    : { status: 200, headers, body }
}
