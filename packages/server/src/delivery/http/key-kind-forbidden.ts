import { Problem } from '@signalbox/contract'

/** Returns the problem of a key where another kind of key reads. */
export function keyKindForbidden(detail: string): Problem {
  return new Problem('key_kind_forbidden', detail)
}
