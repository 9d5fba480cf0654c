import { createHash } from 'node:crypto'
import type { RawAnswer } from '../input/endpoint-request.ts'
import { matchesEtag } from '../admission/preconditions.ts'

/** Bytes that are the same for everybody, with the ETag that names them. */
export interface TaggedAnswer {
  readonly headers: Readonly<Record<string, string>>
  readonly etag: string
  readonly body: Buffer
}

/** Names `body` by its content. */
export function tagAnswer(body: Buffer, headers: Readonly<Record<string, string>>): TaggedAnswer {
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
  return { headers: { ...headers, ETag: etag }, etag, body }
}

/** 304 for who has these bytes already, as `If-None-Match` says, and otherwise all of them. */
export function answerTagged(
  { headers, etag, body }: TaggedAnswer,
  ifNoneMatch: string | undefined,
): RawAnswer {
  return matchesEtag(ifNoneMatch, etag)
    ? { status: 304, headers, body: '' }
    : { status: 200, headers, body }
}
