import { Problem } from '@signalbox/contract'
import type { BrowserSource } from '../browser/answer-browser.ts'
import type { Reader } from '../cache/reader.ts'
import { answerRepresentation, type Read } from '../http/answer.ts'
import { chooseCoding } from '../http/coding.ts'
import { pickRepresentation } from '../http/encoded-body.ts'
import { getByNames, type SnapshotNames } from '../http/find-by-names.ts'

/** Sends flagd's definition of the flags of an environment, with their rules; 304 when the caller has it. */
export function answerFlagd(
  { snapshots, policies }: Pick<BrowserSource, 'snapshots' | 'policies'>,
  { exchange, reader, allowance }: Read,
  names: SnapshotNames,
): void {
  refuseBrowserKey(reader)
  const body = getByNames(snapshots, reader, names).flagd()
  const coding = chooseCoding(exchange.request.headers['accept-encoding'])
  const representation = pickRepresentation(body, coding)
  answerRepresentation(exchange, representation, policies.private, allowance)
}

/** Refuses a browser key, because rules name customers. @throws {Problem} `key_kind_forbidden` */
export function refuseBrowserKey(reader: Reader): void {
  if (reader.type === 'person' || reader.kind === 'm2m') return
  throw new Problem(
    'key_kind_forbidden',
    'The definition has the rules of the flags, which a browser key may not read. Use a server key.',
  )
}
